/**
 * One condition of a trigger, from appearance to appearance: armed as a `wait`, and armed anew after each time that it was
 * true, at the instant from which it may count again.
 */
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { EventBus } from '../../events/bus.js';
import { lineNumberAt } from '../../search/cursor-line.js';
import { startWait } from '../../events/waits/wait.js';
import type { Condition, ConditionKind, WaitReply } from '../../protocol/conditions.js';
import type { PublishedEvent, TerminalEvent } from '../../protocol/events.js';
import { MAX_TIMEOUT_MS } from '../../protocol/limits.js';
import type { TriggerCondition } from '../../protocol/triggers.js';
import type { CallConnection } from '../../rpc/service.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface Appearance {
  /** Text that matched, if the condition has one. */
  readonly text: string | null;
  /** Number of the line of that text, if the condition looks for one on the screen. */
  readonly line?: number | undefined;
  /** That it is, if its condition is one of events. */
  readonly event?: PublishedEvent | undefined;
  /** The connection that made the trigger is gone. */
  readonly isGone?: boolean;
}

/** What the newest open entry of that kind has captured; undefined if there is none. */
export type OpenEntry = (kind: string) => Readonly<Record<string, unknown>> | undefined;

export interface AppearanceOptions {
  readonly terminal: Terminal;
  readonly bus: EventBus;
  readonly as: string | undefined;
  /** That made the trigger. */
  readonly connection: CallConnection;
  readonly fresh: boolean;
  readonly openEntry: OpenEntry | undefined;
  readonly onAppear: (appearance: Appearance) => void;
  /** It cannot be true again, as it stands. */
  readonly onSpent: () => void;
  /** It can, after all: its program was started again. */
  readonly onRevived: () => void;
}

/** @throws T4aError bad_regex, unsupported, invalid_field */
export function watchAppearances(condition: TriggerCondition, options: AppearanceOptions): Disposable {
  const { published, entry, disconnected, after_ms: afterMs, ...waited } = condition;
  const { terminal, bus, onAppear, onSpent } = options;
  if (published !== undefined) {
    return bus.on((event) => {
      if (event.event === 'published' && event.name === published) onAppear({ text: event.data, event });
    });
  }
  if (entry !== undefined) return watchEntries(entry.kind, options);
  if (disconnected !== undefined) {
    return options.connection.onGone(() => {
      onAppear({ text: null, isGone: true });
      onSpent();
    });
  }
  if (afterMs !== undefined) {
    return terminal.clock.after(afterMs, () => {
      onAppear({ text: null });
      onSpent();
    });
  }
  return new WaitedCondition(waited, options);
}

/** Those that are open already are one appearance, as a text that is several times on the screen. */
function watchEntries(wanted: string, { terminal, fresh, openEntry, onAppear }: AppearanceOptions): Disposable {
  const open = fresh ? undefined : openEntry?.(wanted);
  const watching = terminal.feed.add({
    onEvent: (event) => {
      if (event.event !== 'entry' || event.op !== 'upsert') return;
      const { kind, version, data } = event.entry;
      if (kind === wanted && version === 1) onAppear({ text: firstLine(data['text']) });
    },
  });
  if (open !== undefined) onAppear({ text: firstLine(open['text']) });
  return watching;
}

function firstLine(text: unknown): string | null {
  return typeof text === 'string' ? (text.split('\n')[0] ?? '') : null;
}

/** Calls `again` once, when the condition may count again; absent: it never does. Fresh: what holds then does not count. */
type Rearm = (terminal: Terminal, condition: Condition, again: (fresh: boolean) => void) => Disposable | undefined;

const NOTHING: Disposable = { dispose: () => {} };

const atOnce: Rearm = (_, __, again) => {
  again(true);
  return NOTHING;
};
const never: Rearm = () => undefined;
const afterRestart: Rearm = (terminal, _, again) =>
  terminal.feed.add({ onEvent: ({ event }) => void (event === 'restarted' && again(true)) });
const afterInput: Rearm = (terminal, _, again) => terminal.feed.add({ onInput: () => again(true) });

const REARM: Readonly<Record<ConditionKind, Rearm>> = {
  text: atOnce,
  regex: atOnce,
  event: atOnce,
  published: atOnce,
  gone: (terminal, { gone = '' }, again) =>
    startWait({
      subject: terminal.detectors,
      clock: terminal.clock,
      params: { until: [{ text: gone }], timeout_ms: MAX_TIMEOUT_MS, tail: 0 },
      turn: { input: '' },
      // What is to be gone need be no output.
      passesOverTyped: false,
      signal: new AbortController().signal,
      onOutcome: ({ outcome }) => void (outcome === 'matched' && again(false)),
    }),
  idle_ms: (terminal, _, again) => terminal.feed.add({ onBytes: () => again(false) }),
  settled_ms: afterInput,
  done: afterInput,
  awaiting_input: afterInput,
  exit: afterRestart,
  changed_since: never,
  output_since: never,
  cursor: (terminal, { cursor: { row, col } = {} }, again) =>
    terminal.feed.add({
      onParsed: () => {
        const { cursor } = terminal.screen.snapshot();
        if ((row ?? cursor.row) !== cursor.row || (col ?? cursor.col) !== cursor.col) again(false);
      },
    }),
  doing: (terminal, _, again) =>
    terminal.feed.add({ onEvent: (event) => void (event.event === 'doing' && again(!isAnotherQuestion(event))) }),
  control: (terminal, _, again) =>
    terminal.feed.add({ onEvent: ({ event }) => void (event === 'control' && again(false)) }),
};

/** It waited before, and waits for the answer to a question in the place of that one. */
function isAnotherQuestion({ is, was, source }: Extract<TerminalEvent, { readonly event: 'doing' }>): boolean {
  return is === was && is === 'waiting' && source === 'rules';
}

class WaitedCondition implements Disposable {
  readonly #condition: Condition;
  readonly #kind: ConditionKind;
  readonly #options: AppearanceOptions;
  /** Of the present wait, or of what it is armed anew by. */
  #scope = new DisposableScope();
  #disposed = false;

  constructor(condition: Condition, options: AppearanceOptions) {
    this.#condition = condition;
    this.#kind = (Object.keys(condition) as ConditionKind[]).find((kind) => condition[kind] !== undefined) ?? 'text';
    this.#options = options;
    this.#arm(options.fresh);
  }

  dispose(): void {
    this.#disposed = true;
    this.#scope.dispose();
  }

  #arm(fresh: boolean): void {
    if (this.#disposed) return;
    this.#scope.dispose();
    this.#scope = new DisposableScope();
    const { terminal, as } = this.#options;
    const scope = this.#scope;
    scope.add(
      startWait({
        subject: terminal.detectors,
        clock: terminal.clock,
        params: { until: [this.#condition], timeout_ms: MAX_TIMEOUT_MS, tail: 0 },
        control: { as, holder: () => terminal.input.gate?.holderFor({ as }) },
        passesOverTyped: true,
        ...(fresh ? { turn: { input: '' } } : {}),
        signal: new AbortController().signal,
        onOutcome: (reply) => this.#onOutcome(reply),
      }),
    );
  }

  /** With a further start of the program it may be true again. */
  #untilRestart(): void {
    const { terminal, onSpent, onRevived } = this.#options;
    onSpent();
    const scope = (this.#scope = new DisposableScope());
    scope.add(
      terminal.feed.add({
        onEvent: ({ event }) => {
          if (event !== 'restarted' || scope.disposed) return;
          onRevived();
          this.#arm(true);
        },
      }),
    );
  }

  #onOutcome({ outcome, match, event }: WaitReply): void {
    if (this.#disposed) return;
    if (outcome === 'exited') return this.#untilRestart();
    if (outcome === 'timeout') return this.#arm(true);
    // The reply has a copy of the event, with the same fields.
    this.#options.onAppear({
      text: match?.text ?? null,
      line: match && lineNumberAt(this.#options.terminal.screen, match.row),
      event: event as PublishedEvent | undefined,
    });
    if (this.#disposed) return;
    const scope = new DisposableScope();
    let armed = false;
    const again = (fresh: boolean): void => {
      if (armed) return;
      armed = true;
      scope.dispose();
      this.#arm(fresh);
    };
    const rearming = REARM[this.#kind](this.#options.terminal, this.#condition, again);
    if (rearming === undefined) this.#options.onSpent();
    else if (armed) rearming.dispose();
    else {
      scope.add(rearming);
      this.#scope = scope;
    }
  }
}
