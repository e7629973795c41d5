/** A terminal without a program: a screen to draw on, and everything else that a wait asks for. */
import { FakeClock } from '../../src/base/clock.js';
import { Emitter } from '../../src/base/emitter.js';
import type { AwaitingInput } from '../../src/events/awaiting-input.js';
import { WorkSchedule } from '../../src/search/work-schedule.js';
import { SettledDetector } from '../../src/events/settled.js';
import { startWait } from '../../src/events/waits/wait.js';
import type { WaitSubject } from '../../src/events/waits/subject.js';
import { type WaitReply, waitShape } from '../../src/protocol/conditions.js';
import type { TerminalEvent } from '../../src/protocol/events.js';
import { z } from 'zod';
import { FakeScreen } from './screens.js';

/** As terminals of one daemon have it: the searches of all subjects share their slices. */
const sharedWork = new WorkSchedule();

export class FakeSubject implements WaitSubject {
  readonly clock = new FakeClock();
  readonly screen: FakeScreen;
  readonly work = sharedWork;
  readonly parsed = new Emitter<void>();
  readonly events = new Emitter<TerminalEvent>();
  readonly input = new Emitter<AwaitingInput>();
  readonly shellWaiting = new Emitter<number | null>();
  readonly #settled: SettledDetector;
  parses = 0;
  outputBytes = 0;
  lastBytesAtMs = 0;
  ended = false;
  exit: WaitSubject['exit'] = { code: null, signal: null };
  commandMarks = 0;
  commandEnds = 0;
  refusedSince = 0;
  linesEntered = 0;
  holdsText = false;
  marksCommands: WaitSubject['marksCommands'] = 'all';
  readonly unfinished = new Emitter<boolean>();
  readonly questions = new Emitter<AwaitingInput>();
  commandsDone = false;
  lastCommand: WaitSubject['lastCommand'] = { code: null, command: null };
  tellsAwaitingInput = true;
  awaitingInput: AwaitingInput | undefined;

  constructor(cols = 40, rows = 5) {
    this.screen = new FakeScreen(cols, rows);
    this.#settled = new SettledDetector({
      clock: this.clock,
      takeFrame: () => this.screen.frame(),
      synchronizedOutput: () => false,
    });
  }

  onParsed(listener: () => void) {
    return this.parsed.on(listener);
  }

  onEvent(listener: (event: TerminalEvent) => void) {
    return this.events.on(listener);
  }

  /** A look that is taken now finds its answer a little later. */
  onAwaitingInput(listener: (found: AwaitingInput) => void, { now }: { now: boolean }) {
    if (now) this.clock.after(0, () => this.awaitingInput !== undefined && listener(this.awaitingInput));
    return this.input.on(listener);
  }

  onShellWaiting(listener: (code: number | null) => void) {
    return this.shellWaiting.on(listener);
  }

  onUnfinished(listener: (isRefused: boolean) => void) {
    return this.unfinished.on(listener);
  }

  onQuestion(listener: (found: AwaitingInput) => void) {
    return this.questions.on(listener);
  }

  watchSettled: WaitSubject['watchSettled'] = (...args) => this.#settled.watch(...args);

  /** The program prints: `drawing` is what comes of it. */
  prints(drawing: (screen: FakeScreen) => void = () => {}): void {
    const { rev } = this.screen;
    this.lastBytesAtMs = this.clock.now();
    drawing(this.screen);
    this.parses++;
    if (this.screen.rev !== rev) this.#settled.onScreenChanged();
    this.parsed.emit();
  }

  publishes(event: 'bell' | 'activity'): void {
    const envelope = { terminal: 't1', seq: 1, ts: 0, rev: this.screen.rev };
    this.events.emit(event === 'bell' ? { event, count: 1, ...envelope } : { event, ...envelope });
  }

  exits(): void {
    this.ended = true;
    this.exit = { code: 0, signal: null };
    this.events.emit({ event: 'exit', terminal: 't1', code: 0, signal: null, seq: 2, ts: 0, rev: this.screen.rev });
  }

  /** Starts a wait with fields as a caller writes them; what it comes to is pushed to the list returned. */
  waits(
    fields: z.input<z.ZodObject<typeof waitShape>>,
    turn?: { input: string; acts?: boolean },
    signal = new AbortController().signal,
  ) {
    const outcomes: WaitReply[] = [];
    startWait({
      subject: this,
      clock: this.clock,
      params: z.strictObject(waitShape).parse(fields),
      signal,
      onOutcome: (reply) => outcomes.push(reply),
      ...(turn === undefined ? {} : { turn }),
    });
    return outcomes;
  }
}
