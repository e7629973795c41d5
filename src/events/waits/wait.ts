/**
 * One wait on one terminal: conditions that end it as matched or failed, a deadline, and a caller that may disconnect.
 *
 * Checked after each parse, each event and each timer of a condition, never by polling. The first cause wins; among
 * causes of the same instant failures go first, then the order of the request. The outcome is reported synchronously,
 * so that the listener can read the very screen that it belongs to; if a condition that goes first takes long to search
 * the screen, once it has finished. The deadline is never delayed.
 */
import type { Clock } from '../../base/clock.js';
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { WaitParams, WaitReply } from '../../protocol/conditions.js';
import { T4aError } from '../../protocol/errors.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { AwaitingInput } from '../awaiting-input.js';
import { logicalLine } from '../../vt/rows/logical-line.js';
import { type ArmedCondition, type Evidence, UNDECIDED } from './armed-condition.js';
import { armCondition } from './conditions.js';
import { programEnd } from './ends.js';
import type { ControlView, PublishedSource, WaitContext, WaitSubject } from './subject.js';

export interface WaitOptions {
  readonly subject: WaitSubject;
  readonly clock: Clock;
  readonly params: WaitParams;
  /** The input that is about to be sent: only later changes count. Absent: conditions that are true already count. */
  readonly turn?: { readonly input: string; readonly acts?: boolean };
  /** Milliseconds since a wait of another process was armed from which this one goes on. */
  readonly armedAgoMs?: number;
  /** The terminal was made by the request that waits: its blank screen is not settled at once. */
  readonly isFirst?: boolean;
  /** Whether typed text meets no condition, even if it stood there before. */
  readonly passesOverTyped?: boolean;
  /** Events before the arming that count as well. */
  readonly published?: readonly TerminalEvent[];
  /** Absent: nobody ever has control. */
  readonly control?: ControlView;
  readonly bus?: PublishedSource;
  /** Aborted when the caller has disconnected: nothing is reported any more. */
  readonly signal: AbortSignal;
  readonly onOutcome: (reply: WaitReply) => void;
}

/**
 * Arms the conditions. Without a turn the outcome may be reported before this returns.
 * @throws T4aError invalid_field, unsupported
 */
export function startWait(options: WaitOptions): Disposable {
  const wait = new Wait(options);
  wait.begin();
  return wait;
}

type Ending = Pick<WaitReply, 'outcome' | 'index'> & Evidence;

interface Armed {
  readonly outcome: 'failed' | 'matched';
  /** Index in `fail` or in `until`. */
  readonly index: number;
  readonly condition: ArmedCondition;
}

/** The ending that takes effect unless an undecided condition that goes first is true. */
interface Held {
  readonly ending: Ending;
  readonly undecided: readonly Armed[];
}

class Wait implements Disposable {
  readonly #subject: WaitSubject;
  readonly #clock: Clock;
  readonly #params: WaitParams;
  readonly #turn: WaitOptions['turn'];
  readonly #isFirst: boolean;
  readonly #passesOverTyped: boolean;
  readonly #published: readonly TerminalEvent[];
  readonly #control: ControlView | undefined;
  readonly #bus: PublishedSource | undefined;
  readonly #signal: AbortSignal;
  readonly #onOutcome: (reply: WaitReply) => void;
  readonly #startedMs: number;
  readonly #scope = new DisposableScope();
  /** Conditions in the order of checking. */
  #conditions: readonly Armed[] = [];
  #held: Held | undefined;
  #armed = false;

  constructor({
    subject,
    clock,
    params,
    turn,
    isFirst = false,
    passesOverTyped = turn !== undefined,
    published = [],
    control,
    bus,
    signal,
    onOutcome,
    armedAgoMs = 0,
  }: WaitOptions) {
    this.#subject = subject;
    this.#clock = clock;
    this.#params = params;
    this.#turn = turn;
    this.#isFirst = isFirst;
    this.#passesOverTyped = passesOverTyped;
    this.#published = published;
    this.#control = control;
    this.#bus = bus;
    this.#signal = signal;
    this.#onOutcome = onOutcome;
    this.#startedMs = clock.now() - armedAgoMs;
  }

  begin(): void {
    if (this.#signal.aborted) return;
    assertNoContradiction(this.#params);
    assertLooksForText(this.#params);
    try {
      this.#arm();
    } catch (error) {
      this.#scope.dispose();
      throw error;
    }
    this.#armed = true;
    this.#check();
  }

  dispose(): void {
    this.#scope.dispose();
  }

  #arm(): void {
    const { fail = [], until, at_cursor: atCursor = false } = this.#params;
    const context: WaitContext = {
      subject: this.#subject,
      clock: this.#clock,
      armedAtMs: this.#startedMs,
      fresh: this.#turn !== undefined,
      acts: this.#turn?.acts ?? this.#turn !== undefined,
      echo: this.#turn?.input ?? '',
      isFirst: this.#isFirst,
      passesOverTyped: this.#passesOverTyped,
      published: this.#published,
      control: this.#control,
      bus: this.#bus,
    };
    const arm =
      (outcome: Armed['outcome'], own: WaitContext) =>
      (condition: WaitParams['until'][number], index: number): Armed => {
        return { outcome, index, condition: this.#scope.add(armCondition(condition, own, this.#check)) };
      };
    this.#conditions = [...fail.map(arm('failed', context)), ...until.map(arm('matched', { ...context, atCursor }))];
    this.#scope.add(this.#subject.onParsed(this.#check));
    this.#scope.add(this.#subject.onEvent(this.#check));
    this.#scope.add(this.#clock.after(this.#params.timeout_ms, () => this.#end({ outcome: 'timeout' })));
    if (until.every(isEnd)) this.#scope.add(this.#subject.onQuestion(this.#onQuestion));
    const abort = (): void => this.#scope.dispose();
    this.#signal.addEventListener('abort', abort, { once: true });
    this.#scope.defer(() => this.#signal.removeEventListener('abort', abort));
  }

  /** The program whose end is waited for asks somebody. */
  readonly #onQuestion = (awaiting_input: AwaitingInput): void => {
    if (this.#armed && !this.#scope.disposed) this.#end({ outcome: 'awaiting_input', awaiting_input });
  };

  readonly #check = (): void => {
    if (!this.#armed || this.#scope.disposed) return;
    const undecided: Armed[] = [];
    const asked = this.#held === undefined ? this.#conditions : this.#held.undecided;
    for (const armed of asked) {
      const evidence = armed.condition.check();
      if (evidence === UNDECIDED) undecided.push(armed);
      else if (evidence !== undefined) {
        return this.#reach({ outcome: armed.outcome, index: armed.index, ...evidence }, undecided);
      }
    }
    const warning = this.#conditions.map(({ condition }) => condition.inVain?.()).find((why) => why !== undefined);
    if (this.#held === undefined && warning !== undefined) return this.#reach({ ...NOTHING_RAN, warning }, undecided);
    if (this.#held !== undefined) this.#reach(this.#held.ending, undecided);
    else if (this.#subject.ended) this.#reach({ outcome: 'exited', ...programEnd(this.#subject) }, undecided);
  };

  /** @param undecided conditions that go first, and may turn out to have been true before */
  #reach(ending: Ending, undecided: readonly Armed[]): void {
    if (undecided.length === 0) return this.#end(ending);
    for (const { condition } of undecided) condition.close?.();
    this.#held = { ending, undecided };
  }

  #end(ending: Ending): void {
    const warning = ending.warning ?? this.#lack(ending);
    this.#scope.dispose();
    this.#onOutcome({
      ...ending,
      ...(warning === undefined ? {} : { warning }),
      elapsed_ms: Math.round(this.#clock.now() - this.#startedMs),
      rev: this.#subject.screen.rev,
      tail: lastLines(this.#subject, this.#params.tail),
    });
  }

  #lack({ outcome }: Ending): string | undefined {
    if (outcome === 'matched' || outcome === 'failed') return undefined;
    const awaited = this.#conditions.filter((armed) => armed.outcome === 'matched');
    return awaited.map(({ condition }) => condition.lack?.()).find((lack) => lack !== undefined);
  }
}

/** Result of `type` without Enter, and of a line that the shell did not run. */
const NOTHING_RAN = { outcome: 'nothing_ran', nothing_ran: true, exit_code: null, signal: null } as const;

function isEnd({ exit, done }: WaitParams['until'][number]): boolean {
  return exit !== undefined || done !== undefined;
}

/** A condition in both lists could only end the wait as failed. */
function assertNoContradiction({ until, fail = [] }: WaitParams): void {
  const wanted = new Set(until.map((condition) => JSON.stringify(condition)));
  const both = fail.map((condition) => JSON.stringify(condition)).find((condition) => wanted.has(condition));
  if (both === undefined) return;
  throw new T4aError('invalid_field', `${both} is both in "until" and in "fail".`, {
    field: 'fail',
    hint: 'Decide which of the two it is.',
  });
}

function assertLooksForText({ until, at_cursor: atCursor = false }: WaitParams): void {
  if (!atCursor || until.some(({ text, regex }) => text !== undefined || regex !== undefined)) return;
  throw new T4aError('invalid_field', '"at_cursor" goes with the conditions "text" and "regex" of "until".', {
    field: 'at_cursor',
    hint: 'Leave it out.',
  });
}

/** Rows of the screen up to the last one that is not blank; the first returned row is not blank either. */
function lastLines({ screen }: WaitSubject, most: number): string[] {
  const lines = screen.snapshot().lines.map((row) => logicalLine([row]).text.trimEnd());
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const tail = lines.slice(Math.max(0, end - most), end);
  return tail.slice(tail.findIndex((line) => line !== ''));
}
