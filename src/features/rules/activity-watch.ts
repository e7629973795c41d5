/**
 * Runs the rules of one terminal: looks at its screen soon after output was parsed, at most ten times a second (see pace.ts) and within
 * the budget of all terminals, and publishes what has changed. Looks are taken in one step; their reading is not.
 */
import type { HasParts } from '../../base/parts.js';
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Corrections } from '../../activity/corrections.js';
import { QUIET_MS, STANDS_MS } from '../../activity/due-looks.js';
import { Engine, type FrozenEngine } from '../../activity/engine.js';
import type { Entry, EntryChange } from '../../activity/entry.js';
import type { Look } from '../../activity/look.js';
import { Pace } from '../../activity/pace.js';
import type { Profile } from '../../activity/rule.js';
import { finish, type Work } from '../../search/work.js';
import type { WorkSchedule } from '../../search/work-schedule.js';
import type { EventBody } from '../../protocol/events.js';
import { logOf } from '../past/log-of.js';
import { entryScope, PERSISTED } from '../past/persisted.js';
import type { Screen } from '../../vt/screen.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import type { ActivityFile, FileBefore } from './activity-file.js';
import type { Budget } from './budget.js';
import { EntryLog, type FrozenLog } from './entry-log.js';
import { EntryVersions } from './entry-versions.js';
import { HalfDrawn } from './half-drawn.js';
import { reportLine } from '../../terminal/program-status.js';
import { type FrozenLooker, Looker } from './take-look.js';
import { wireEntry } from './wire-entry.js';

/** The part of a terminal that rules see. */
export interface WatchedTerminal extends HasParts {
  readonly id: string;
  readonly command: readonly string[];
  readonly alive: boolean;
  readonly screen: Screen;
  readonly feed: { add(observer: TerminalObserver): Disposable };
  publish(body: EventBody): void;
}

export interface WatchParts {
  readonly clock: Clock;
  readonly work: WorkSchedule;
  readonly budget: Budget;
}

/** Processor time at the end of the program, with the event loop held. */
const LAST_LOOKS_MS = 100;

export interface FrozenWatch {
  /** Id of the profile by which it reads. */
  readonly profile: string | undefined;
  readonly engine: FrozenEngine | undefined;
  readonly looker: FrozenLooker;
  readonly log: FrozenLog;
  readonly file: { readonly path: string; readonly before: FileBefore } | undefined;
  readonly found: readonly string[] | undefined;
  readonly offsets: Corrections['offsets'];
  readonly isDue: boolean;
  /** For its next look. */
  readonly isWaiting: boolean;
  readonly parsedBytes: number;
  readonly bytesAtInput: number | undefined;
  readonly skippedLines: number;
}

export class ActivityWatch implements Disposable {
  readonly log: EntryLog;
  /** Where its entries are kept beside the ring. */
  readonly file: ActivityFile | undefined;
  readonly #terminal: WatchedTerminal;
  readonly #parts: WatchParts;
  readonly #observing: Disposable;
  #engine: Engine | undefined;
  #timer: Disposable | undefined;
  #running: Disposable | undefined;
  /** The look that is being read. */
  #looking: Work<readonly EntryChange[]> | undefined;
  #dueMs = 0;
  #looker = new Looker();
  readonly #pace = new Pace();
  readonly #halfDrawn = new HalfDrawn();
  #isDue = false;
  /** Set while a terminal is read again: ids that were found. */
  #found: Set<string> | undefined;
  /** Parsed bytes at the last input, until the program has printed since. */
  #bytesAtInput: number | undefined;
  #skippedLines = 0;
  #versions = new EntryVersions();
  #finished = Promise.resolve();

  constructor(terminal: WatchedTerminal, parts: WatchParts, file?: ActivityFile, log = new EntryLog()) {
    this.file = file;
    this.log = log;
    this.#terminal = terminal;
    this.#parts = parts;
    this.#observing = terminal.feed.add({
      onParsed: () => this.#schedule(QUIET_MS),
      onInput: () => void (this.#bytesAtInput = terminal.screen.parsedBytes),
      onResize: () => this.#schedule(QUIET_MS),
      onExit: () => this.#finish(),
    });
  }

  /** What its program printed last is being read still, in slices. */
  get isEnding(): boolean {
    return this.#running !== undefined && this.#looking === undefined;
  }

  /** Ends the look that is under way. */
  endLook(): void {
    const looking = this.#looking;
    const engine = this.#engine;
    if (looking === undefined || engine === undefined) return;
    this.#running?.dispose();
    this.#running = undefined;
    this.#looking = undefined;
    const changes = finish(looking);
    this.#pace.found(changes.length);
    this.#publish(changes);
    this.#goOn(engine);
  }

  /** No look is under way. */
  freeze(): FrozenWatch {
    return {
      profile: this.#engine?.profile.id,
      engine: this.#engine?.freeze(),
      looker: this.#looker.freeze(),
      log: this.log.freeze(),
      file: this.file && { path: this.file.path, before: this.file.freeze() },
      found: this.#found && [...this.#found],
      offsets: this.#versions.offsets,
      isDue: this.#isDue,
      isWaiting: this.#timer !== undefined,
      parsedBytes: this.#parsedBytes,
      bytesAtInput: this.#bytesAtInput,
      skippedLines: this.#skippedLines,
    };
  }

  /** @param profile that it had; with other rules than before, all is read again once this daemon has taken over */
  restore(frozen: FrozenWatch, profile: Profile | undefined, isSame: boolean): void {
    this.#bytesAtInput = frozen.bytesAtInput;
    this.#skippedLines = frozen.skippedLines;
    if (profile === undefined || frozen.engine === undefined) return;
    if (!isSame) {
      this.#timer = this.#parts.clock.after(0, () => {
        this.#timer = undefined;
        this.use(profile);
      });
      return;
    }
    this.#found = frozen.found && new Set(frozen.found);
    this.#engine = new Engine(profile, entryScope(this.#terminal), 0, (entryId) => this.#earlier(entryId));
    this.#engine.restore(frozen.engine);
    this.#looker.restore(frozen.looker);
    this.#versions = new EntryVersions(frozen.offsets);
    this.#isDue = frozen.isDue;
    this.#parsedBytes = frozen.parsedBytes;
    if (frozen.isWaiting) this.#wait(QUIET_MS);
  }

  get profile(): Profile | undefined {
    return this.#engine?.profile;
  }

  /** Input has come that the open entries may not have survived: the program has printed nothing since. */
  get isAnswered(): boolean {
    return this.#bytesAtInput !== undefined;
  }

  /** Resolves once the last output of an ended program is read. */
  finished(): Promise<void> {
    return this.#finished;
  }

  get skippedLines(): number {
    return this.#skippedLines;
  }

  /** Reads by these rules from now on, and corrects what others have found. Undefined: by none. */
  use(profile: Profile | undefined): void {
    this.#stop();
    const { alive } = this.#terminal;
    if (profile === undefined) {
      if (this.#engine !== undefined) this.#publish(this.#engine.end());
      this.#engine = undefined;
      return;
    }
    this.#found = new Set();
    this.#looker = new Looker();
    this.#versions = new EntryVersions();
    this.#engine = new Engine(profile, entryScope(this.#terminal), 0, (entryId) => this.#earlier(entryId));
    this.file?.use(profile.id);
    this.#isDue = true;
    if (alive) this.#look();
    else this.#finish();
  }

  /** Goes on with rules that have read the past, up to now, and corrects what others have found. */
  adopt(
    { engine, looker }: { readonly engine: Engine; readonly looker: Looker },
    { changes, offsets }: Corrections,
  ): void {
    this.#stop();
    this.#found = undefined;
    this.#engine = engine;
    this.#looker = looker;
    this.#versions = new EntryVersions();
    this.file?.use(engine.profile.id);
    this.#publish(changes);
    this.#versions = new EntryVersions(offsets);
    if (this.#terminal.alive) this.#schedule(QUIET_MS);
  }

  /** Reads the screen as it is, at once. */
  lookNow(): void {
    const engine = this.#engine;
    if (engine === undefined || !this.#terminal.alive) return;
    const before = this.#looking;
    this.#stop();
    if (before !== undefined) this.#publish(finish(before));
    do this.#publish(finish(engine.look(this.#take(engine))));
    while (engine.isBehind);
    this.#pace.looks(this.#parts.clock.now());
    this.#isDue = false;
    this.#goOn(engine);
  }

  dispose(): void {
    this.#stop();
    this.#observing.dispose();
  }

  #earlier(id: string): Entry | undefined {
    this.#found?.add(id);
    return this.log.get(id);
  }

  #stop(): void {
    this.#timer?.dispose();
    this.#running?.dispose();
    this.#timer = undefined;
    this.#running = undefined;
    this.#looking = undefined;
  }

  #schedule(delayMs: number): void {
    if (this.#engine === undefined) return;
    this.#isDue = true;
    this.#wait(delayMs);
  }

  #wait(delayMs: number): void {
    if (this.#running !== undefined) return;
    const { clock, budget } = this.#parts;
    const now = clock.now();
    // Output comes far more often than looks.
    if (this.#timer !== undefined && this.#dueMs <= now + delayMs) return;
    const waitMs = Math.max(delayMs, this.#pace.restMs(now), budget.delayMs);
    if (this.#timer !== undefined && this.#dueMs <= now + waitMs) return;
    this.#timer?.dispose();
    this.#dueMs = now + waitMs;
    this.#timer = clock.after(waitMs, () => {
      this.#timer = undefined;
      if (this.#halfDrawn.holds(this.#terminal.screen, clock.now())) this.#wait(QUIET_MS);
      else this.#look();
    });
  }

  #look(): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    const { clock, work, budget } = this.#parts;
    this.#pace.looks(clock.now());
    this.#isDue = false;
    const looking = budget.spend(engine.look(this.#take(engine)));
    let hasEnded = false;
    const running = work.run(looking, (result) => {
      hasEnded = true;
      this.#running = undefined;
      this.#looking = undefined;
      if (engine !== this.#engine) return;
      const changes = result();
      this.#pace.found(changes.length);
      this.#publish(changes);
      this.#goOn(engine);
    });
    if (hasEnded) return;
    this.#running = running;
    this.#looking = looking;
  }

  #goOn(engine: Engine): void {
    if (engine.isBehind) return this.#wait(0);
    this.#correct();
    if (this.#isDue) this.#wait(QUIET_MS);
    else if (engine.hasOpen && !this.#stands) this.#wait(STANDS_MS);
  }

  /** Nothing was printed between the last two looks. */
  get #stands(): boolean {
    const { parsedBytes } = this.#terminal.screen;
    const before = this.#parsedBytes;
    this.#parsedBytes = parsedBytes;
    return before === parsedBytes;
  }

  #parsedBytes = -1;

  /** The log has each look, so that other rules can be asked what they would have found. */
  #take(engine: Engine, isLast = false): Look {
    this.#terminal.part(PERSISTED).value?.look(isLast);
    const ts = logOf(this.#terminal)?.look(isLast) ?? this.#parts.clock.wallNow();
    const before = this.#looker.skippedLines;
    const look = this.#looker.take(this.#terminal.screen, engine, { ts, isLast, report: reportLine(this.#terminal) });
    // What is read again came in time before.
    if (this.#found === undefined) this.#skippedLines += this.#looker.skippedLines - before;
    return look;
  }

  /** At once, so that the entries of a terminal come before its `exit`; what takes longer, afterwards in slices. */
  #finish(): void {
    const before = this.#looking;
    this.#stop();
    const engine = this.#engine;
    if (engine === undefined) return;
    const looking = this.#lastLooks(engine, before);
    const cpu = process.cpuUsage();
    let next = looking.next();
    while (next.done !== true && cpuMsSince(cpu) < LAST_LOOKS_MS) next = looking.next();
    if (next.done === true) return;
    this.#finished = new Promise((resolve) => {
      const running = this.#parts.work.run(looking, (result) => {
        this.#running = undefined;
        resolve();
        result();
      });
      this.#running = {
        dispose: () => {
          running.dispose();
          resolve();
        },
      };
    });
  }

  *#lastLooks(engine: Engine, before: Work<readonly EntryChange[]> | undefined): Work<void> {
    if (before !== undefined) this.#publish(yield* before);
    do this.#publish(yield* engine.look(this.#take(engine, true)));
    while (engine.isBehind);
    this.#publish(engine.end());
    this.#correct();
    this.file?.end();
  }

  /** All lines that are kept were read by the rules of now: what is on one of them and was not found is none. */
  #correct(): void {
    const found = this.#found;
    this.#found = undefined;
    if (found === undefined) return;
    const { firstLineNumber: first, altScreen } = this.#terminal.screen;
    const changes = this.log.all().flatMap((entry): EntryChange[] => {
      if (found.has(entry.id)) return [];
      const isMistaken = !altScreen && entry.line !== null && entry.line >= first;
      const closed = { ...entry, open: false };
      if (isMistaken) return [{ op: 'delete', entry: closed }];
      return entry.open ? [{ op: 'finalize', entry: closed }] : [];
    });
    this.#publish(changes);
  }

  #publish(changes: readonly EntryChange[]): void {
    for (const { op, entry: found } of changes) {
      const entry = this.#versions.of(found);
      const n = this.log.add({ op, entry });
      this.file?.append({ op, entry, n });
      this.#terminal.publish({ event: 'entry', terminal: this.#terminal.id, op, entry: wireEntry(entry) });
    }
    this.#renew(changes);
  }

  /** A question that stands after an input, and after what was printed since, may be another one in the same words: its version is another. */
  #renew(changes: readonly EntryChange[]): void {
    if (this.#bytesAtInput === undefined || this.#bytesAtInput === this.#terminal.screen.parsedBytes) return;
    this.#bytesAtInput = undefined;
    const renewed = this.#versions.renew(this.log.all(), changes);
    if (renewed.length > 0) this.#publish(renewed);
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
