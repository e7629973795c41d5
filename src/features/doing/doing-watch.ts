/**
 * What one terminal's program is doing, as it changes. Nothing is looked at, and no timer is set, before a program or its hook reports, a
 * rule finds it at work or waiting, or it reads a line or a password: what the marks of a shell alone say, its own events tell.
 */
import type { Disposable } from '../../base/lifetime.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { type Decision, decide, type Doing, type Signal } from '../../events/status/doing.js';
import { type DoingView, type HookRecord, shownDoing } from '../../events/status/doing-view.js';
import type { EventType, TerminalEvent } from '../../protocol/events.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import {
  freezeStatus,
  type FrozenStatus,
  restoreStatus,
  statusChanges,
  type WeighedRecord,
  weighedRecords,
} from '../../terminal/program-status.js';
import { openAsks } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { StatusReport } from '../../events/status/report.js';
import { logOf } from '../past/log-of.js';
import { FactLog, type SourcedRecord } from './facts.js';
import { type FrozenHooks, type HookProcess, HookReports } from './hook-reports.js';
import { RuleSignals } from './rule-signals.js';
import { signalsOf } from './signals.js';

/** Between two events of one terminal. */
const EVENT_GAP_MS = 100;

/** Between two notes of what a program says, for the past. */
const NOTE_GAP_MS = 50;

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

export interface Sample extends Decision {
  readonly records: readonly SourcedRecord[];
  readonly asks: number;
}

export interface FrozenDoing {
  readonly status: FrozenStatus | undefined;
  readonly hooks: FrozenHooks | undefined;
  readonly rules: ReadonlyMap<string, Signal>;
  readonly shown: Doing | undefined;
  /** In the history. */
  readonly hasFacts: boolean;
  readonly followsSlices: boolean;
  readonly notedChanges: number;
}

export class DoingWatch implements DoingView, TerminalObserver {
  readonly #terminal: Terminal;
  readonly #rules = new RuleSignals();
  #hooks: HookReports | undefined;
  /** For `at`. Begun with the first answer that is told, or the first report. */
  #facts: FactLog | undefined;
  /** Since the first report of a program. */
  #slices: Disposable | undefined;
  #notedChanges = 0;
  #noteTimer: Disposable | undefined;
  #shown: Doing | undefined;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #timer: Disposable | undefined;
  #isOver = false;
  #reading: Disposable;
  /** While the program reads a line: input ends that. */
  #input: Disposable | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#reading = this.#followReading();
  }

  freeze(): FrozenDoing {
    return {
      status: freezeStatus(this.#terminal),
      hooks: this.#hooks?.freeze(),
      rules: this.#rules.freeze(),
      shown: this.#shown,
      hasFacts: this.#facts !== undefined,
      followsSlices: this.#slices !== undefined,
      notedChanges: this.#notedChanges,
    };
  }

  restore({ status, hooks, rules, shown, hasFacts, followsSlices, notedChanges }: FrozenDoing): void {
    if (status !== undefined) restoreStatus(this.#terminal, status);
    if (hooks !== undefined) {
      this.#hooks = new HookReports(this.#terminal.clock, () => this.#look());
      this.#hooks.restore(hooks);
    }
    this.#rules.restore(rules);
    this.#shown = shown;
    this.#notedChanges = notedChanges;
    if (followsSlices) this.#followSlices();
    const log = hasFacts ? logOf(this.#terminal) : undefined;
    // What it notes first is all of it.
    if (log !== undefined) this.#facts = new FactLog(log);
    if (hasFacts || shown !== undefined || rules.size > 0 || followsSlices) this.#lookAfter(0);
  }

  get shown(): Doing | undefined {
    return this.#shown;
  }

  now(reader?: AwaitingInput | null): Decision {
    return this.sample(reader);
  }

  /** What it says will be what the past says of now. */
  sample(reader?: AwaitingInput | null): Sample {
    const terminal = this.#terminal;
    const claims = weighedRecords(terminal);
    const own = signalsOf(terminal, claims, reader);
    const hooks = this.#hooks?.signals ?? [];
    const rules = terminal.alive ? this.#rules.all : [];
    const asks = openAsks(terminal);
    const records = [...sourced(claims, '7501'), ...this.#hookRecords()];
    this.#facts?.note({ records, signals: [...own.filter(({ source }) => source !== '7501'), ...rules], asks });
    return { ...decide([...own, ...hooks, ...rules], terminal.clock.wallNow(), asks), records, asks };
  }

  report(report: StatusReport, process: HookProcess | undefined, ttlMs: number, client: object): void {
    this.#hooks ??= new HookReports(this.#terminal.clock, () => this.#look());
    this.#hooks.apply(report, process, ttlMs, client);
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
    if (event.event === 'doing') return;
    if (event.event === 'entry') {
      if (!this.#rules.take(event.op, event.entry, event.ts)) return;
      if (event.op === 'upsert') return this.#look();
      // The same look may have found another question in its place.
      queueMicrotask(() => void (this.#isOver || this.#look()));
      return;
    }
    if (event.event === 'restarted') {
      this.#rules.clear();
      this.#hooks?.clear();
      this.#reading.dispose();
      this.#reading = this.#followReading();
    }
    if (event.event === 'exit') this.#hooks?.onExit();
    if (event.event === 'reported') this.#followSlices();
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
    const { clock } = this.#terminal;
    const decision = this.#sampleForPast();
    const { doing, changesAt } = decision;
    const isOther = this.#shown === undefined || isAnother(doing, this.#shown);
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
    this.#timer = this.#terminal.clock.after(Math.max(1, ms), () => this.#look());
  }

  #tell({ doing }: Decision): void {
    const was = this.#shown?.is ?? null;
    this.#shown = doing;
    this.#toldAtMs = this.#terminal.clock.now();
    this.#terminal.publish({ event: 'doing', terminal: this.#terminal.id, ...shownDoing(doing), was });
  }

  #sampleForPast(): Sample {
    const sample = this.sample();
    const isFirst = isClaimed(sample.doing) || this.#slices !== undefined;
    const log = this.#facts === undefined && isFirst ? logOf(this.#terminal) : undefined;
    if (log === undefined) return sample;
    this.#facts = new FactLog(log);
    return this.sample();
  }

  /** Most of what a program says is no other answer, and no event: the past has it all the same. */
  #followSlices(): void {
    this.#slices ??= this.#terminal.feed.add({
      onParsed: () => {
        if (this.#noteTimer !== undefined || statusChanges(this.#terminal) === this.#notedChanges) return;
        this.#noteRecords();
        this.#noteTimer = this.#terminal.clock.after(NOTE_GAP_MS, () => {
          this.#noteTimer = undefined;
          if (statusChanges(this.#terminal) !== this.#notedChanges) this.#noteRecords();
        });
      },
    });
  }

  #noteRecords(): void {
    this.#notedChanges = statusChanges(this.#terminal);
    this.#facts?.noteRecords([...sourced(weighedRecords(this.#terminal), '7501'), ...this.#hookRecords()]);
  }

  #hookRecords(): SourcedRecord[] {
    return (this.#hooks?.records ?? []).map((record) => ({ source: 'report', record, stale: undefined }));
  }

  #followInput({ source, is }: Doing): void {
    const isAsked = source === 'kernel' && is === 'waiting';
    if (isAsked === (this.#input !== undefined)) return;
    this.#input?.dispose();
    this.#input = isAsked ? this.#terminal.feed.add({ onInput: () => this.#look() }) : undefined;
  }

  #dispose(): void {
    this.#isOver = true;
    this.#timer?.dispose();
    this.#noteTimer?.dispose();
    this.#slices?.dispose();
    this.#hooks?.dispose();
    this.#reading.dispose();
    this.#input?.dispose();
  }
}

function sourced(weighed: readonly WeighedRecord[], source: '7501'): SourcedRecord[] {
  return weighed.map(({ record, stale }) => ({ source, record, stale }));
}

/** A question in the place of another, too: whoever answers must see it. */
function isAnother(doing: Doing, shown: Doing): boolean {
  if (doing.is !== shown.is || doing.kind !== shown.kind) return true;
  return doing.is === 'waiting' && doing.source === 'rules' && shown.source === 'rules' && doing.since !== shown.since;
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
