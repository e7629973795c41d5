/**
 * Runs the rules of one terminal: looks at its screen soon after output was parsed, at most ten times a second and within
 * the budget of all terminals, and publishes what has changed. Looks are taken in one step; their reading is not.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import { Engine } from '../../activity/engine.js';
import type { Entry, EntryChange } from '../../activity/entry.js';
import type { Profile } from '../../activity/rule.js';
import { finish, type Work } from '../../events/search/work.js';
import type { WorkSchedule } from '../../events/search/work-schedule.js';
import type { EventBody } from '../../protocol/events.js';
import type { Screen } from '../../vt/screen.js';
import type { TerminalObserver } from '../terminal/feed.js';
import type { ActivityFile } from './activity-file.js';
import type { Budget } from './budget.js';
import { EntryLog } from './entry-log.js';
import { takeLook } from './take-look.js';
import { wireEntry } from './wire-entry.js';

/** The part of a terminal that rules see. */
export interface WatchedTerminal {
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

/** Between output and its look: programs draw in several writes. */
const QUIET_MS = 50;
const MIN_INTERVAL_MS = 100;
/** For the look that finds that nothing has changed. */
const STANDS_MS = 250;
const LINES_A_LOOK = 500;
/** Unread lines; of more, the oldest are skipped. */
const MAX_BACKLOG = 5000;
/** Processor time at the end of the program, with the event loop held. */
const LAST_LOOKS_MS = 100;

export class ActivityWatch implements Disposable {
  readonly log = new EntryLog();
  /** Where its entries are kept beside the ring. */
  readonly file: ActivityFile | undefined;
  readonly #terminal: WatchedTerminal;
  readonly #parts: WatchParts;
  readonly #observing: Disposable;
  #engine: Engine | undefined;
  #timer: Disposable | undefined;
  #running: Disposable | undefined;
  #lastLookMs = -Infinity;
  #dueMs = 0;
  #cols: number;
  #isDue = false;
  /** Set while a terminal is read again: ids that were found. */
  #found: Set<string> | undefined;
  #skippedLines = 0;
  #finished = Promise.resolve();

  constructor(terminal: WatchedTerminal, parts: WatchParts, file?: ActivityFile) {
    this.file = file;
    this.#terminal = terminal;
    this.#parts = parts;
    this.#cols = terminal.screen.cols;
    this.#observing = terminal.feed.add({
      onParsed: () => this.#schedule(QUIET_MS),
      onResize: () => this.#schedule(QUIET_MS),
      onExit: () => this.#finish(),
    });
  }

  get profile(): Profile | undefined {
    return this.#engine?.profile;
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
    const { id, alive } = this.#terminal;
    if (profile === undefined) {
      if (this.#engine !== undefined) this.#publish(this.#engine.end());
      this.#engine = undefined;
      return;
    }
    this.#found = new Set();
    this.#engine = new Engine(profile, id, 0, (entryId) => this.#earlier(entryId));
    this.#isDue = true;
    if (alive) this.#look();
    else this.#finish();
  }

  /** Reads the screen as it is, at once. */
  lookNow(): void {
    const engine = this.#engine;
    if (engine === undefined || !this.#terminal.alive) return;
    this.#stop();
    do this.#publish(finish(engine.look(this.#take(engine))));
    while (engine.isBehind);
    this.#lastLookMs = this.#parts.clock.now();
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
  }

  #schedule(delayMs: number): void {
    if (this.#engine === undefined) return;
    this.#isDue = true;
    this.#wait(delayMs);
  }

  #wait(delayMs: number): void {
    if (this.#running !== undefined) return;
    const { clock, budget } = this.#parts;
    const restMs = this.#lastLookMs + MIN_INTERVAL_MS - clock.now();
    const waitMs = Math.max(delayMs, restMs, budget.delayMs);
    if (this.#timer !== undefined && this.#dueMs <= clock.now() + waitMs) return;
    this.#timer?.dispose();
    this.#dueMs = clock.now() + waitMs;
    this.#timer = clock.after(waitMs, () => {
      this.#timer = undefined;
      this.#look();
    });
  }

  #look(): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    const { clock, work, budget } = this.#parts;
    this.#lastLookMs = clock.now();
    this.#isDue = false;
    const looking = budget.spend(engine.look(this.#take(engine)));
    let hasEnded = false;
    const running = work.run(looking, (result) => {
      hasEnded = true;
      this.#running = undefined;
      if (engine !== this.#engine) return;
      this.#publish(result());
      this.#goOn(engine);
    });
    if (!hasEnded) this.#running = running;
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

  #take(engine: Engine) {
    const { screen } = this.#terminal;
    const { clock } = this.#parts;
    const unread = screen.firstLineNumber + screen.normalScrollbackLines - engine.from;
    const kept = screen.normalScrollbackLines;
    if (unread > Math.min(MAX_BACKLOG, kept)) {
      const skipped = unread - Math.min(MAX_BACKLOG, kept);
      this.#skippedLines += this.#found === undefined ? skipped : 0;
      engine.skipTo(engine.from + skipped);
    }
    const renumbered = this.#cols !== screen.cols;
    this.#cols = screen.cols;
    return takeLook(screen, { from: engine.from, maxLines: LINES_A_LOOK, ts: clock.wallNow(), renumbered });
  }

  /** At once, so that the entries of a terminal come before its `exit`; what takes longer, afterwards in slices. */
  #finish(): void {
    this.#stop();
    const engine = this.#engine;
    if (engine === undefined) return;
    const looking = this.#lastLooks(engine);
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

  *#lastLooks(engine: Engine): Work<void> {
    do this.#publish(yield* engine.look({ ...this.#take(engine), unfinished: false, cursor: Infinity }));
    while (engine.isBehind);
    this.#publish(engine.end());
    this.#correct();
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
    for (const change of changes) {
      const n = this.log.add(change);
      this.file?.append({ ...change, n });
      this.#terminal.publish({
        event: 'entry',
        terminal: this.#terminal.id,
        op: change.op,
        entry: wireEntry(change.entry),
      });
    }
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
