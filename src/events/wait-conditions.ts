/**
 * Conditions of a wait, each a small state machine: armed once, asked after everything that could have made it true.
 * A table from the wire's names to their makers.
 */
import type { RE2JS } from 're2js';
import type { Disposable } from '../base/lifetime.js';
import { type Condition, CONDITION_KINDS, type ConditionKind, type WaitReply } from '../protocol/conditions.js';
import { T4aError, quote } from '../protocol/errors.js';
import type { AwaitingInput } from './awaiting-input.js';
import { cellsOf, logicalLines } from '../vt/logical-line.js';
import { LineScan } from './line-scan.js';
import { re2 } from './re2.js';
import type { WaitContext } from './wait-subject.js';

/** What a condition can show for itself. */
export type Evidence = Pick<WaitReply, 'match' | 'code' | 'event' | 'awaiting_input' | 'ignored'>;

export interface ArmedCondition extends Disposable {
  /** Evidence once it is true, or was so at some time since it was armed where that is what counts. */
  check(): Evidence | undefined;
}

type Maker<Kind extends ConditionKind> = (
  value: NonNullable<Condition[Kind]>,
  context: WaitContext,
  /** To be called when `check` may have become true by something else than a parse or an event. */
  stir: () => void,
) => ArmedCondition;

/** @throws T4aError bad_regex, unsupported */
export function armCondition(condition: Condition, context: WaitContext, stir: () => void): ArmedCondition {
  const kind = CONDITION_KINDS.find((one) => condition[one] !== undefined);
  if (kind === undefined) throw new T4aError('invalid_field', 'A condition is empty.', { field: 'until' });
  const make = MAKERS[kind] as Maker<ConditionKind>;
  return make(condition[kind] as never, context, stir);
}

const MAKERS: { readonly [Kind in ConditionKind]: Maker<Kind> } = {
  text: (text, context) => searchLines(context, (line, from) => findText(line, text, from)),
  regex: (source, context) => {
    const regex = compileRegex(source);
    return searchLines(context, (line, from) => findRegex(line, regex, from));
  },
  gone: (text, context) => whenSeen(context, () => (isOnScreen(context, text) ? undefined : NOTHING_TO_SHOW)),
  idle_ms: (idleMs, context, stir) => quietFor(idleMs, context, stir),
  settled_ms: (settledMs, { subject, armedAtMs, fresh }, stir) => {
    let evidence: Evidence | undefined;
    // Told at once where it is true already; the wait asks by itself after arming.
    const watching = subject.watchSettled(settledMs, fresh ? armedAtMs : -Infinity, ({ ignored }) => {
      evidence = { ignored: [...ignored] };
      stir();
    });
    return { check: () => evidence, dispose: () => watching.dispose() };
  },
  done: (_, { subject, fresh }, stir) => {
    const marksBefore = subject.commandMarks;
    let seen: Evidence | undefined;
    const onWaiting = (code: number | null): void => {
      seen = { code };
      stir();
    };
    const listening = subject.onShellWaiting(onWaiting, { now: !fresh });
    const check = (): Evidence | undefined => {
      if (!subject.commandsDone || (fresh && subject.commandMarks === marksBefore)) return seen;
      return { code: subject.lastCommandCode };
    };
    return { check, dispose: () => listening.dispose() };
  },
  exit: (_, { subject }) => latched(() => (subject.ended ? NOTHING_TO_SHOW : undefined)),
  event: (type, { subject }) => {
    let evidence: Evidence | undefined;
    const listening = subject.onEvent((event) => {
      if (event.event === type) evidence ??= { event: { ...event } };
    });
    return { check: () => evidence, dispose: () => listening.dispose() };
  },
  awaiting_input: (wanted, { subject, fresh }, stir) => {
    if (!subject.tellsAwaitingInput) {
      throw new T4aError('unsupported', 'Nobody can tell here what a program waits for: there is no /proc.', {
        field: 'until',
        hint: 'Wait for "settled_ms" or for the "text" of the prompt.',
      });
    }
    let found: AwaitingInput | undefined;
    const onFound = (next: AwaitingInput): void => {
      found = next;
      stir();
    };
    const listening = subject.onAwaitingInput(onFound, { now: !fresh });
    return {
      check: () =>
        found !== undefined && (wanted === true || wanted === found.kind) ? { awaiting_input: found } : undefined,
      dispose: () => listening.dispose(),
    };
  },
  changed_since: (rev, { subject }) => latched(() => (subject.screen.rev > rev ? NOTHING_TO_SHOW : undefined)),
  cursor: ({ row, col }, context) =>
    whenSeen(context, () => {
      const { cursor } = context.subject.screen.snapshot();
      return (row ?? cursor.row) === cursor.row && (col ?? cursor.col) === cursor.col ? NOTHING_TO_SHOW : undefined;
    }),
};

const NOTHING_TO_SHOW: Evidence = {};

/** Instructions of a compiled pattern: matching takes time in proportion to them. */
const MAX_REGEX_PROGRAM = 2000;

export function compileRegex(source: string): RE2JS {
  const refuse = (why: string): T4aError =>
    new T4aError('bad_regex', `"regex" is ${quote(source)}: ${why}.`, {
      field: 'regex',
      hint: 'RE2 syntax: no look-around, no back-references. https://github.com/google/re2/wiki/Syntax',
    });
  let regex: RE2JS;
  try {
    regex = re2().compile(source);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (regex.programSize() > MAX_REGEX_PROGRAM) throw refuse('too large when its repetitions are written out');
  return regex;
}

interface Found {
  readonly index: number;
  readonly text: string;
}

/** A match that reaches beyond the index `from`: what is before is known already. */
type Find = (line: string, from: number) => Found | undefined;

function searchLines(context: WaitContext, find: Find): ArmedCondition {
  const scan = new LineScan(context.subject.screen, context.fresh ? context.echo : undefined);
  return latched(() => {
    for (const { line, row, knownLength } of scan.changed()) {
      const found = find(line.text, knownLength);
      if (found === undefined) continue;
      const [place = NOWHERE] = cellsOf(line, found.index, found.index + 1);
      return { match: { row: row + place.row, col: place.col, text: found.text } };
    }
    return undefined;
  });
}

/** Of a match of nothing at the end of an empty line. */
const NOWHERE = { row: 0, col: 0 };

function findText(line: string, text: string, from: number): Found | undefined {
  const index = line.indexOf(text, Math.max(0, from - text.length + 1));
  return index === -1 ? undefined : { index, text };
}

function findRegex(line: string, regex: RE2JS, from: number): Found | undefined {
  const matcher = regex.matcher(line);
  while (matcher.find()) {
    // A match of nothing counts where all of the line is new.
    if (matcher.end() > from || (from === 0 && matcher.end() === 0))
      return { index: matcher.start(), text: matcher.group() ?? '' };
  }
  return undefined;
}

function isOnScreen({ subject }: WaitContext, text: string): boolean {
  return logicalLines(subject.screen.snapshot().lines).some((line) => line.text.includes(text));
}

/** In a turn the screen of before the input says nothing: it must have been parsed to once. */
function whenSeen({ subject, fresh }: WaitContext, check: () => Evidence | undefined): ArmedCondition {
  const parsesBefore = subject.parses;
  return latched(() => (fresh && subject.parses === parsesBefore ? undefined : check()));
}

function quietFor(idleMs: number, { subject, clock, armedAtMs, fresh }: WaitContext, stir: () => void): ArmedCondition {
  const remainingMs = () => Math.max(subject.lastBytesAtMs, fresh ? armedAtMs : -Infinity) + idleMs - clock.now();
  let timer: Disposable | undefined;
  const arm = (): void => {
    timer = clock.after(Math.max(0, remainingMs()), () => {
      // Bytes that came meanwhile have set no timer of their own.
      if (remainingMs() > 0) arm();
      else stir();
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
