/**
 * One wait on one terminal: conditions that end it well, conditions that end it badly, a deadline, a caller that may go.
 *
 * Looked at after each parse, each event and each timer of a condition, never by polling. The first cause wins; among
 * causes of the same instant failures go first, then the order of the request. The outcome is told synchronously, so
 * that whoever hears it can look at the very screen that it is about; where a condition that goes first takes long to look
 * at the screen, once it has. The deadline waits for nobody.
 */
import type { Clock } from '../../base/clock.js';
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { WaitParams, WaitReply } from '../../protocol/conditions.js';
import { T4aError } from '../../protocol/errors.js';
import { logicalLine } from '../../vt/rows/logical-line.js';
import { type ArmedCondition, type Evidence, UNDECIDED } from './armed-condition.js';
import { armCondition } from './conditions.js';
import type { WaitContext, WaitSubject } from './subject.js';

export interface WaitOptions {
  readonly subject: WaitSubject;
  readonly clock: Clock;
  readonly params: WaitParams;
  /** The input that is about to be sent: only what comes after it counts. Absent: what is true already counts. */
  readonly turn?: { readonly input: string };
  /** The caller has gone: nothing is told any more. */
  readonly signal: AbortSignal;
  readonly onOutcome: (reply: WaitReply) => void;
}

/**
 * Arms the conditions. Without a turn the outcome may be told before this returns.
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
  /** Among its like. */
  readonly index: number;
  readonly condition: ArmedCondition;
}

/** What ends the wait unless one of those that go first does. */
interface Held {
  readonly ending: Ending;
  readonly undecided: readonly Armed[];
}

class Wait implements Disposable {
  readonly #subject: WaitSubject;
  readonly #clock: Clock;
  readonly #params: WaitParams;
  readonly #turn: WaitOptions['turn'];
  readonly #signal: AbortSignal;
  readonly #onOutcome: (reply: WaitReply) => void;
  readonly #startedMs: number;
  readonly #scope = new DisposableScope();
  /** In the order in which they are asked. */
  #conditions: readonly Armed[] = [];
  #held: Held | undefined;
  #armed = false;

  constructor({ subject, clock, params, turn, signal, onOutcome }: WaitOptions) {
    this.#subject = subject;
    this.#clock = clock;
    this.#params = params;
    this.#turn = turn;
    this.#signal = signal;
    this.#onOutcome = onOutcome;
    this.#startedMs = clock.now();
  }

  begin(): void {
    if (this.#signal.aborted) return;
    assertNoContradiction(this.#params);
    try {
      this.#arm();
    } catch (error) {
      this.#scope.dispose();
      throw error;
    }
    this.#armed = true;
    this.#look();
  }

  dispose(): void {
    this.#scope.dispose();
  }

  #arm(): void {
    const context: WaitContext = {
      subject: this.#subject,
      clock: this.#clock,
      armedAtMs: this.#startedMs,
      fresh: this.#turn !== undefined,
      echo: this.#turn?.input ?? '',
    };
    const arm =
      (outcome: Armed['outcome']) =>
      (condition: WaitParams['until'][number], index: number): Armed => {
        return { outcome, index, condition: this.#scope.add(armCondition(condition, context, this.#look)) };
      };
    const { fail = [], until } = this.#params;
    this.#conditions = [...fail.map(arm('failed')), ...until.map(arm('matched'))];
    this.#scope.add(this.#subject.onParsed(this.#look));
    this.#scope.add(this.#subject.onEvent(this.#look));
    this.#scope.add(this.#clock.after(this.#params.timeout_ms, () => this.#end({ outcome: 'timeout' })));
    const abort = (): void => this.#scope.dispose();
    this.#signal.addEventListener('abort', abort, { once: true });
    this.#scope.defer(() => this.#signal.removeEventListener('abort', abort));
  }

  readonly #look = (): void => {
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
    if (this.#held !== undefined) this.#reach(this.#held.ending, undecided);
    else if (this.#subject.ended) this.#reach({ outcome: 'exited' }, undecided);
  };

  /** @param undecided conditions that go first, and may turn out to have been true before */
  #reach(ending: Ending, undecided: readonly Armed[]): void {
    if (undecided.length === 0) return this.#end(ending);
    for (const { condition } of undecided) condition.close?.();
    this.#held = { ending, undecided };
  }

  #end(ending: Ending): void {
    this.#scope.dispose();
    this.#onOutcome({
      ...ending,
      elapsed_ms: Math.round(this.#clock.now() - this.#startedMs),
      rev: this.#subject.screen.rev,
      tail: lastLines(this.#subject, this.#params.tail),
    });
  }
}

/** What ends a wait well and badly at once can only end it badly. */
function assertNoContradiction({ until, fail = [] }: WaitParams): void {
  const wanted = new Set(until.map((condition) => JSON.stringify(condition)));
  const both = fail.map((condition) => JSON.stringify(condition)).find((condition) => wanted.has(condition));
  if (both === undefined) return;
  throw new T4aError('invalid_field', `${both} is both in "until" and in "fail".`, {
    field: 'fail',
    hint: 'Decide which of the two it is.',
  });
}

/** Rows as they stand on the screen, from the last one that is not blank upwards; the first is not blank either. */
function lastLines({ screen }: WaitSubject, most: number): string[] {
  const lines = screen.snapshot().lines.map((row) => logicalLine([row]).text.trimEnd());
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const tail = lines.slice(Math.max(0, end - most), end);
  return tail.slice(tail.findIndex((line) => line !== ''));
}
