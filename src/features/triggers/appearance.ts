/**
 * One condition of a trigger, from appearance to appearance: armed as a `wait`, and armed anew after each time that it was
 * true, at the instant from which it may count again.
 */
import type { Clock } from '../../base/clock.js';
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
  /** Of the same condition in another process, to go on from. */
  readonly frozen?: FrozenWatching | undefined;
}

/** Where a condition is, between two appearances. */
export type FrozenWatching =
  /** `fresh`: only what came since counts. */
  | { readonly at: 'armed'; readonly fresh: boolean; readonly armedAgoMs: number }
  /** It was true, and waits for what arms it anew. */
  | { readonly at: 'seen' }
  | { readonly at: 'until_restart' }
  | { readonly at: 'timer'; readonly leftMs: number }
  /** The connection that made the trigger. */
  | { readonly at: 'connected' }
  | { readonly at: 'spent' };

export interface Watching extends Disposable {
  freeze(): FrozenWatching;
}

/** @throws T4aError bad_regex, unsupported, invalid_field */
export function watchAppearances(condition: TriggerCondition, options: AppearanceOptions): Watching {
  const { published, entry, disconnected, after_ms: afterMs, ...waited } = condition;
  const { bus, onAppear } = options;
  if (published !== undefined) {
    const watching = bus.on((event) => {
      if (event.event === 'published' && event.name === published) onAppear({ text: event.data, event });
    });
    return standing(watching);
  }
  if (entry !== undefined) return standing(watchEntries(entry.kind, options));
  if (disconnected !== undefined) return new Once(options, 'disconnected');
  if (afterMs !== undefined) return new Once(options, afterMs);
  return new WaitedCondition(waited, options);
}

/** It counts whenever it comes. */
function standing(watching: Disposable): Watching {
  return { dispose: () => watching.dispose(), freeze: () => ({ at: 'armed', fresh: true, armedAgoMs: 0 }) };
}

/** A condition that is true once. */
class Once implements Watching {
  readonly #clock: Clock;
  readonly #dueMs: number | undefined;
  readonly #waiting: Disposable | undefined;
  #isSpent = false;

  constructor(
    { terminal: { clock }, connection, frozen, onAppear, onSpent }: AppearanceOptions,
    after: number | 'disconnected',
  ) {
    this.#clock = clock;
    const appear = (appearance: Appearance): void => {
      this.#isSpent = true;
      onAppear(appearance);
      onSpent();
    };
    if (frozen?.at === 'spent') {
      this.#isSpent = true;
      onSpent();
    } else if (after === 'disconnected') {
      this.#waiting = connection.onGone(() => appear({ text: null, isGone: true }));
    } else {
      const leftMs = frozen?.at === 'timer' ? frozen.leftMs : after;
      this.#dueMs = clock.now() + leftMs;
      this.#waiting = clock.after(leftMs, () => appear({ text: null }));
    }
  }

  freeze(): FrozenWatching {
    if (this.#isSpent) return { at: 'spent' };
    if (this.#dueMs === undefined) return { at: 'connected' };
    return { at: 'timer', leftMs: Math.max(0, this.#dueMs - this.#clock.now()) };
  }

  dispose(): void {
    this.#waiting?.dispose();
  }
}

/** Those that are open already are one appearance, as a text that is several times on the screen. */
function watchEntries(wanted: string, { terminal, fresh, openEntry, onAppear, frozen }: AppearanceOptions): Disposable {
  const open = fresh || frozen !== undefined ? undefined : openEntry?.(wanted);
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

/** What was typed is known to the process alone in which it was: there, what stands on the screen was passed over. */
const READ_ANEW: ReadonlySet<ConditionKind> = new Set(['text', 'regex']);

class WaitedCondition implements Watching {
  readonly #condition: Condition;
  readonly #kind: ConditionKind;
  readonly #options: AppearanceOptions;
  /** Of the present wait, or of what it is armed anew by. */
  #scope = new DisposableScope();
  #disposed = false;
  #at: 'armed' | 'seen' | 'until_restart' | 'spent' = 'armed';
  #isFresh = true;
  #armedAtMs = 0;

  constructor(condition: Condition, options: AppearanceOptions) {
    this.#condition = condition;
    this.#kind = (Object.keys(condition) as ConditionKind[]).find((kind) => condition[kind] !== undefined) ?? 'text';
    this.#options = options;
    const { frozen, fresh, onSpent } = options;
    if (frozen?.at === 'until_restart') this.#untilRestart();
    else if (frozen?.at === 'seen') this.#rearm();
    else if (frozen?.at === 'armed') this.#arm(frozen.fresh || READ_ANEW.has(this.#kind), frozen.armedAgoMs);
    else if (frozen === undefined) this.#arm(fresh);
    else {
      this.#at = 'spent';
      onSpent();
    }
  }

  freeze(): FrozenWatching {
    if (this.#at !== 'armed') return { at: this.#at };
    const armedAgoMs = this.#options.terminal.clock.now() - this.#armedAtMs;
    return { at: 'armed', fresh: this.#isFresh, armedAgoMs };
  }

  dispose(): void {
    this.#disposed = true;
    this.#scope.dispose();
  }

  #arm(fresh: boolean, armedAgoMs = 0): void {
    if (this.#disposed) return;
    this.#scope.dispose();
    this.#scope = new DisposableScope();
    const { terminal, as } = this.#options;
    this.#at = 'armed';
    this.#isFresh = fresh;
    this.#armedAtMs = terminal.clock.now() - armedAgoMs;
    const scope = this.#scope;
    scope.add(
      startWait({
        subject: terminal.detectors,
        clock: terminal.clock,
        params: { until: [this.#condition], timeout_ms: MAX_TIMEOUT_MS, tail: 0 },
        control: { as, holder: () => terminal.input.gate?.holderFor({ as }) },
        passesOverTyped: true,
        armedAgoMs,
        ...(fresh ? { turn: { input: '' } } : {}),
        signal: new AbortController().signal,
        onOutcome: (reply) => this.#onOutcome(reply),
      }),
    );
  }

  /** With a further start of the program it may be true again. */
  #untilRestart(): void {
    const { terminal, onSpent, onRevived } = this.#options;
    this.#at = 'until_restart';
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
    this.#rearm();
  }

  #rearm(): void {
    if (this.#disposed) return;
    this.#at = 'seen';
    const scope = new DisposableScope();
    let armed = false;
    const again = (fresh: boolean): void => {
      if (armed) return;
      armed = true;
      scope.dispose();
      this.#arm(fresh);
    };
    const rearming = REARM[this.#kind](this.#options.terminal, this.#condition, again);
    if (rearming === undefined) {
      this.#at = 'spent';
      this.#options.onSpent();
    } else if (armed) rearming.dispose();
    else {
      scope.add(rearming);
      this.#scope = scope;
    }
  }
}
