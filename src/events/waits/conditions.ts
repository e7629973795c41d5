/** Conditions of a wait, each a small state machine: a table from the wire's names to their constructors. */
import type { Disposable } from '../../base/lifetime.js';
import { type Condition, CONDITION_KINDS, type ConditionKind } from '../../protocol/conditions.js';
import { T4aError } from '../../protocol/errors.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import { doing } from './doing.js';
import { commandDone } from './command-done.js';
import { endOf, programEnd } from './ends.js';
import type { AwaitingInput } from '../awaiting-input.js';
import { logicalLines } from '../../vt/rows/logical-line.js';
import type { SnapshotRow } from '../../vt/snapshot.js';
import { Regex } from '../../search/regex.js';
import { indexOfText } from '../../search/text-work.js';
import { searchLines } from './line-search.js';
import type { Find, Found } from './pattern.js';
import { assertTellsAwaitingInput, questionAtCursor } from './question-at-cursor.js';
import { ScreenSearch, type Searcher } from './screen-search.js';
import { finish, type Work } from '../../search/work.js';
import { settledFirst } from './settled-first.js';
import type { ControlView, WaitContext } from './subject.js';

type Maker<Kind extends ConditionKind> = (
  value: NonNullable<Condition[Kind]>,
  context: WaitContext,
  /** Call it when `check` may have become true without a parse or an event. */
  recheck: () => void,
) => ArmedCondition;

/** @throws T4aError bad_regex, unsupported */
export function armCondition(condition: Condition, context: WaitContext, recheck: () => void): ArmedCondition {
  const kind = CONDITION_KINDS.find((one) => condition[one] !== undefined);
  if (kind === undefined) throw new T4aError('invalid_field', 'A condition is empty.', { field: 'until' });
  const make = MAKERS[kind] as Maker<ConditionKind>;
  return make(condition[kind] as never, context, recheck);
}

const MAKERS: { readonly [Kind in ConditionKind]: Maker<Kind> } = {
  text: (text, context, recheck) => {
    const find: Find = (line, from) => findText(line, text, from);
    const isMet = (typed: string): boolean => typed.includes(text);
    if (context.atCursor) return questionAtCursor({ find, isMet }, context, recheck);
    return new ScreenSearch(
      searchLines({ required: [text], steps: (length) => length / 8, find, isMet }, context, recheck),
      context.subject.work,
      recheck,
    );
  },
  regex: (source, context, recheck) => {
    const regex = new Regex({ text: source, field: 'regex' });
    const find: Find = (line, from) => findRegex(line, regex, from);
    const isMet = (typed: string): boolean => finish(regex.test(typed));
    if (context.atCursor) return questionAtCursor({ find, isMet }, context, recheck);
    return new ScreenSearch(
      searchLines(
        { required: regex.requiredTexts, steps: (length) => regex.stepsFor(length), find, isMet },
        context,
        recheck,
      ),
      context.subject.work,
      recheck,
    );
  },
  gone: (text, context, recheck) => new ScreenSearch(searchScreen(context, text), context.subject.work, recheck),
  idle_ms: (idleMs, context, recheck) => quietFor(idleMs, context, recheck),
  settled_ms: (settledMs, context, recheck) => {
    if (context.isFirst) return settledFirst(settledMs, context, recheck);
    const { subject, armedAtMs, fresh } = context;
    let evidence: Evidence | undefined;
    // Called at once if the screen is settled already; the wait checks by itself after arming.
    const watching = subject.watchSettled(settledMs, fresh ? armedAtMs : -Infinity, ({ ignored }) => {
      evidence = { ignored: [...ignored] };
      recheck();
    });
    return { check: () => evidence, dispose: () => watching.dispose() };
  },
  done: (_, context, recheck) => commandDone(context, recheck),
  exit: (_, { subject }) => latched(() => (subject.ended ? programEnd(subject) : undefined)),
  event: (type, { subject, published }) => {
    let evidence: Evidence | undefined;
    const take = (event: TerminalEvent): void => {
      if (event.event === type) evidence ??= { event: { ...event }, ...endOf(event) };
    };
    for (const event of published) take(event);
    const listening = subject.onEvent(take);
    return { check: () => evidence, dispose: () => listening.dispose() };
  },
  published: (name, { bus }, recheck) => {
    let evidence: Evidence | undefined;
    const listening = bus?.on((event) => {
      if (event.event !== 'published' || event.name !== name) return;
      evidence ??= { event: { ...event } };
      recheck();
    });
    return { check: () => evidence, dispose: () => listening?.dispose() };
  },
  awaiting_input: (wanted, { subject, fresh }, recheck) => {
    assertTellsAwaitingInput(subject, 'until');
    let found: AwaitingInput | undefined;
    const onFound = (next: AwaitingInput): void => {
      found = next;
      recheck();
    };
    const listening = subject.onAwaitingInput(onFound, { now: !fresh });
    return {
      check: () =>
        found !== undefined && (wanted === true || wanted === found.kind) ? { awaiting_input: found } : undefined,
      dispose: () => listening.dispose(),
    };
  },
  doing,
  changed_since: (since, { subject, fresh }) => {
    const rev = fresh ? Math.max(since, subject.screen.rev) : since;
    return latched(() => (subject.screen.rev > rev ? NOTHING_TO_SHOW : undefined));
  },
  output_since: (since, { subject, fresh }) => {
    const bytes = fresh ? Math.max(since, subject.outputBytes) : since;
    return latched(() => (subject.outputBytes > bytes ? NOTHING_TO_SHOW : undefined));
  },
  control: (wanted, { control: { as, holder } = UNHELD }) => {
    if (as === undefined && wanted !== 'free') {
      throw new T4aError('invalid_field', `"control": "${wanted}" needs a name: "as" of the request.`, {
        field: 'until',
        hint: 'On the command line: --as NAME, or T4A_AS.',
      });
    }
    // Each change of the holder is an event, after which the wait checks.
    return latched(() => (CONTROL[wanted](holder(), as) ? NOTHING_TO_SHOW : undefined));
  },
  cursor: ({ row, col }, context) =>
    whenSeen(context, () => {
      const { cursor } = context.subject.screen.snapshot();
      return (row ?? cursor.row) === cursor.row && (col ?? cursor.col) === cursor.col ? NOTHING_TO_SHOW : undefined;
    }),
};

const NOTHING_TO_SHOW: Evidence = {};

const UNHELD: ControlView = { as: undefined, holder: () => undefined };

type ControlWanted = NonNullable<Condition['control']>;

const CONTROL: Readonly<Record<ControlWanted, (holder: string | undefined, as: string | undefined) => boolean>> = {
  free: (holder, as) => holder === undefined || holder === as,
  mine: (holder, as) => holder === as,
  lost: (holder, as) => holder !== as,
};

function* findText(line: string, text: string, from: number): Work<Found | undefined> {
  const index = yield* indexOfText(line, text, Math.max(0, from - text.length + 1));
  return index === -1 ? undefined : { index, text };
}

function* findRegex(line: string, regex: Regex, from: number): Work<Found | undefined> {
  let found: Found | undefined;
  yield* regex.matches(line, ({ start, end }) => {
    // An empty match counts if the whole line is new.
    if (end <= from && !(from === 0 && end === 0)) return true;
    found = { index: start, text: line.slice(start, end) };
    return false;
  });
  return found;
}

/** Searches the whole screen, each time that it has changed. */
function searchScreen({ subject, fresh }: WaitContext, text: string): Searcher<readonly SnapshotRow[]> {
  const parsesBefore = subject.parses;
  let rev = -1;
  return {
    take() {
      // In a turn the screen before the input does not count: wait for at least one parse.
      if ((fresh && subject.parses === parsesBefore) || subject.screen.rev === rev) return undefined;
      const snapshot = subject.screen.snapshot();
      rev = snapshot.rev;
      return snapshot.lines;
    },
    steps: (rows) => (rows.length * subject.screen.snapshot().cols) / 8,
    *search(rows) {
      for (const line of logicalLines(rows)) if ((yield* indexOfText(line.text, text, 0)) !== -1) return undefined;
      return NOTHING_TO_SHOW;
    },
  };
}

/** Condition that waits for at least one parse in a turn: the screen before the input does not count. */
function whenSeen({ subject, fresh }: WaitContext, check: () => Evidence | undefined): ArmedCondition {
  const parsesBefore = subject.parses;
  return latched(() => (fresh && subject.parses === parsesBefore ? undefined : check()));
}

function quietFor(
  idleMs: number,
  { subject, clock, armedAtMs, fresh }: WaitContext,
  recheck: () => void,
): ArmedCondition {
  const remainingMs = () => Math.max(subject.lastBytesAtMs, fresh ? armedAtMs : -Infinity) + idleMs - clock.now();
  let timer: Disposable | undefined;
  const arm = (): void => {
    timer = clock.after(Math.max(0, remainingMs()), () => {
      // Bytes that arrived in between have set no timer of their own.
      if (remainingMs() > 0) arm();
      else recheck();
    });
  };
  arm();
  return {
    check: () => (remainingMs() <= 0 ? NOTHING_TO_SHOW : undefined),
    dispose: () => timer?.dispose(),
  };
}

function latched(check: () => Evidence | undefined): ArmedCondition {
  return { check, dispose: () => {} };
}
