/**
 * What one terminal's program is doing, as it changes. Nothing is looked at, and no timer is set, before a program or its hook reports, a
 * rule finds it at work or waiting, or it reads a line or a password: what the marks of a shell alone say, its own events tell.
 */
import type { Disposable } from '../../base/lifetime.js';
import { Ring } from '../../base/ring.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { type Decision, decide, type Doing, type JudgedSignal } from '../../events/status/doing.js';
import { type DoingView, type HookRecord, shownDoing } from '../../events/status/doing-view.js';
import type { EventType, TerminalEvent } from '../../protocol/events.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import { openAsks } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { StatusReport } from '../../events/status/report.js';
import { type HookProcess, HookReports } from './hook-reports.js';
import { RuleSignals } from './rule-signals.js';
import { signalsOf } from './signals.js';

/** Between two events of one terminal. */
const EVENT_GAP_MS = 100;

/** Of each terminal, for `at`. */
const MAX_PAST = 64;
/** Signals that are kept of each. */
const MAX_PAST_SIGNALS = 16;

/** After these the answer may be another. */
const TURNS: ReadonlySet<EventType> = new Set([
  'reported',
  'progress',
  'command_started',
  'command_done',
  'activity',
  'idle',
  'exit',
  'restarted',
]);

export interface PastDoing {
  readonly ts: number;
  /** Of the event that told it. */
  readonly seq: number;
  readonly doing: Doing;
  readonly signals: readonly JudgedSignal[];
}

export class DoingWatch implements DoingView, TerminalObserver {
  readonly #terminal: Terminal;
  readonly #rules = new RuleSignals();
  #hooks: HookReports | undefined;
  #past: Ring<PastDoing> | undefined;
  #telling: Omit<PastDoing, 'seq' | 'ts'> | undefined;
  #shown: Doing | undefined;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #timer: Disposable | undefined;
  #reading: Disposable;
  /** While the program reads a line: input ends that. */
  #input: Disposable | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#reading = this.#followReading();
  }

  get shown(): Doing | undefined {
    return this.#shown;
  }

  /** Oldest first. */
  get past(): readonly PastDoing[] {
    return this.#past === undefined ? [] : [...this.#past];
  }

  now(reader?: AwaitingInput | null): Decision {
    const hooks = this.#hooks?.signals ?? [];
    const signals = [...signalsOf(this.#terminal, reader), ...hooks, ...(this.#terminal.alive ? this.#rules.all : [])];
    return decide(signals, this.#terminal.parts.clock.wallNow(), openAsks(this.#terminal));
  }

  report(report: StatusReport, process: HookProcess | undefined, ttlMs: number): void {
    this.#hooks ??= new HookReports(this.#terminal.parts.clock, () => this.#look());
    this.#hooks.apply(report, process, ttlMs);
    this.#look();
  }

  reportOf(id: string): HookRecord | undefined {
    return this.#hooks?.get(id);
  }

  get hookReport(): HookRecord | undefined {
    return this.#hooks?.mostUrgent;
  }

  readonly onEvent = (event: TerminalEvent): void => {
    if (event.event === 'removed') return this.#dispose();
    if (event.event === 'doing') return this.#keep(event);
    if (event.event === 'entry') {
      if (this.#rules.take(event.op, event.entry, event.ts)) this.#look();
      return;
    }
    if (event.event === 'restarted') {
      this.#rules.clear();
      this.#hooks?.clear();
      this.#reading.dispose();
      this.#reading = this.#followReading();
    }
    if (event.event === 'exit') this.#hooks?.onExit();
    if (event.event === 'reported' || event.event === 'progress') this.#look();
    else if (this.#shown !== undefined && TURNS.has(event.event)) this.#look();
  };

  #followReading(): Disposable {
    return this.#terminal.detectors.onReading(({ certain, kind }) => {
      if ((certain && kind !== 'raw') || this.#shown !== undefined) this.#look();
    });
  }

  #look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { clock } = this.#terminal.parts;
    const decision = this.now();
    const { doing, changesAt } = decision;
    const isOther = doing.is !== this.#shown?.is || doing.kind !== this.#shown.kind;
    const leftMs = isOther ? this.#toldAtMs + EVENT_GAP_MS - clock.now() : 0;
    if (leftMs > 0) return this.#lookAfter(leftMs);
    if (isOther && (this.#shown !== undefined || isClaimed(doing))) this.#tell(decision);
    else if (this.#shown !== undefined) this.#shown = doing;
    this.#followInput(doing);
    if (changesAt !== undefined && (this.#shown !== undefined || hasQuestion(decision))) {
      this.#lookAfter(changesAt - clock.wallNow());
    }
  }

  #lookAfter(ms: number): void {
    this.#timer = this.#terminal.parts.clock.after(Math.max(1, ms), () => this.#look());
  }

  #tell({ doing, signals }: Decision): void {
    const was = this.#shown?.is ?? null;
    const { clock } = this.#terminal.parts;
    this.#shown = doing;
    this.#toldAtMs = clock.now();
    this.#telling = { doing, signals: signals.slice(0, MAX_PAST_SIGNALS) };
    this.#terminal.publish({ event: 'doing', terminal: this.#terminal.id, ...shownDoing(doing), was });
  }

  #keep({ seq, ts }: TerminalEvent): void {
    if (this.#telling === undefined) return;
    this.#past ??= new Ring(MAX_PAST);
    this.#past.push({ ...this.#telling, seq, ts });
    this.#telling = undefined;
  }

  #followInput({ source, is }: Doing): void {
    const isAsked = source === 'kernel' && is === 'waiting';
    if (isAsked === (this.#input !== undefined)) return;
    this.#input?.dispose();
    this.#input = isAsked ? this.#terminal.feed.add({ onInput: () => this.#look() }) : undefined;
  }

  #dispose(): void {
    this.#timer?.dispose();
    this.#hooks?.dispose();
    this.#reading.dispose();
    this.#input?.dispose();
  }
}

/** Not a guess, and not the shell's. */
function isClaimed({ source, is }: Doing): boolean {
  if (source === 'kernel') return is === 'waiting';
  return source !== null && source !== 'shell';
}

/** That will count in a moment. */
function hasQuestion({ signals }: Decision): boolean {
  return signals.some(({ signal }) => signal.is === 'waiting' && signal.stale === undefined);
}
