/**
 * Keeps the daemon below its memory limit, whatever programs print. Under pressure it drops caches first, then
 * scrollback of the terminal that prints and holds most; close to the limit it pauses that terminal's output until
 * there is room, and removes a terminal that alone holds more than half. Each step is published as `memory`, with a
 * `warning` that names the terminal.
 *
 * It measures the resident set, with the room of the engine's young generation, which any work fills. Freed memory leaves
 * it with the next garbage collection, so one runs between two cuts.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Log } from '../../base/log.js';
import type { DaemonEventBody, MEMORY_STATES } from '../../protocol/events.js';
import { HIGH, type MemoryFigures, memoryShare } from './memory.js';
import { byWeight, type MemoryHolder } from './memory-holder.js';

export interface MemoryGovernorOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: () => MemoryFigures;
  /** Bytes by which the resident set may still grow without anything being kept: see `youngRoom` of memory.ts. */
  readonly youngRoom: () => number;
  readonly holders: () => readonly MemoryHolder[];
  readonly dropCaches: () => void;
  readonly collectGarbage: () => void;
  readonly announce: (body: DaemonEventBody) => void;
  readonly remove: (holder: MemoryHolder) => void;
}

export type MemoryState = (typeof MEMORY_STATES)[number];

/** Counts since the start; `paused` is the current number. */
export interface MemorySteps {
  caches_dropped: number;
  scrollback_lines_dropped: number;
  terminals_paused: number;
  terminals_removed: number;
}

/** Shares of the limit. Pressure ends below the first. */
const EASED = 0.7;
const CUT = 0.8;
const RESUME = 0.85;
const PAUSE = 0.9;
/** From here on terminals that hold little are paused, too. */
const PAUSE_ALL = 0.95;
/**
 * If the process and its terminals hold less than this share of the limit, the rest of the resident set is garbage and
 * free blocks of the C library, which are reused.
 */
const HELD_WITH_ROOM = 0.6;

/** Code, libraries, stacks and fonts: resident without any terminal. */
const OWN_BYTES = 64 * 1024 * 1024;

/** Growth of the share since the last pause; beyond it, close to the limit, output pauses in spite of free blocks. */
const GROWN_WHILE_RUNNING = 0.002;
/** Growth since the last collection that makes another one worthwhile. */
const GROWN = 0.02;
/** Share that one cut is meant to free. */
const CUT_AIM = 0.1;
/** A terminal that does not print and holds less than this keeps its scrollback: cutting it would free too little. */
const BYSTANDER = 0.01;
/**
 * While terminals hold little, others have filled the memory. Then one that has printed less than this share of the limit since
 * the last measurement (4 KB of 400 MB) keeps its scrollback.
 */
const TRICKLE = 0.000_01;

/** While output is parsed, memory is measured at this interval, or once the scrollback has grown by this much. */
const OUTPUT_MEASURE_MS = 10;
const OUTPUT_MEASURE_BYTES = 2 * 1024 * 1024;
const IDLE_MEASURE_MS = 5000;
const PRESSED_MEASURE_MS = 100;
/** A collection costs tens of milliseconds. */
const COLLECT_MS = 250;

export class MemoryGovernor implements Disposable {
  readonly steps: MemorySteps = {
    caches_dropped: 0,
    scrollback_lines_dropped: 0,
    terminals_paused: 0,
    terminals_removed: 0,
  };
  readonly #options: MemoryGovernorOptions;
  #state: MemoryState = 'ok';
  #timer: Disposable | undefined;
  #measuredAtMs = 0;
  /** Since the last measurement. */
  #addedBytes = 0;
  #collectedAtMs = Number.NEGATIVE_INFINITY;
  #shareAtCollect = 0;
  /** Growth close to the limit counts from here: the share at the last pause, or at the last measurement below PAUSE_ALL. */
  #shareAtPause = 0;
  /** The memory of a cut is still resident. */
  #hasCut = false;
  readonly #removed = new WeakSet<MemoryHolder>();
  /** Parsed bytes of each terminal at the last measurement. */
  #printed = new Map<MemoryHolder, number>();
  /** Since the measurement before that. */
  #printedLately = new Map<MemoryHolder, number>();

  constructor(options: MemoryGovernorOptions) {
    this.#options = options;
    this.#arm();
  }

  /** The last step; `ok` without pressure. */
  get state(): MemoryState {
    return this.#state;
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** Call it whenever output has been parsed, or a client has made the process hold much. @param addedBytes estimate of the growth */
  grown(addedBytes: number): void {
    this.#addedBytes += addedBytes;
    const isDue = this.#options.clock.now() - this.#measuredAtMs >= OUTPUT_MEASURE_MS;
    if (isDue || this.#addedBytes >= OUTPUT_MEASURE_BYTES) this.#measure();
  }

  /** Frees what can be freed, before a request is refused for lack of memory. */
  relieve(): void {
    if (this.#options.clock.now() - this.#collectedAtMs < COLLECT_MS) return;
    this.#dropCaches();
    this.#collect();
  }

  /**
   * Whether most of the resident set is freed memory that was not given back to the system: it holds up no new terminal. The
   * figures are those after {@link relieve}.
   */
  get isMostlyFree(): boolean {
    const { heap_used: heapUsed, heap_limit: heapLimit, buffers, limit } = this.#options.figures();
    if (limit < 2 * OWN_BYTES || heapUsed >= EASED * heapLimit) return false;
    return heapUsed + buffers + OWN_BYTES < HELD_WITH_ROOM * limit;
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(this.#state === 'ok' ? IDLE_MEASURE_MS : PRESSED_MEASURE_MS, () => {
      this.#measure();
      this.#arm();
    });
  }

  #measure(): void {
    this.#measuredAtMs = this.#options.clock.now();
    this.#addedBytes = 0;
    if (this.#share() < HIGH) return this.#ease();
    if (this.#state === 'ok') return this.#pressed();
    const share = this.#share();
    // Growth is allowed up to there, and adds up from there on.
    if (share < PAUSE_ALL) this.#shareAtPause = share;
    const hasGrown = share > this.#shareAtPause + GROWN_WHILE_RUNNING;
    const printers = this.#printers();
    this.#shareAtCollect = Math.min(this.#shareAtCollect, share);
    // Collected memory leaves the resident set a little later: the next measurement sees it.
    const hasCollected = (this.#hasCut || share > this.#shareAtCollect + GROWN) && this.#collect();
    const hasFreeBlocks = share >= CUT && this.#hasFreeBlocks();
    if (share >= (hasFreeBlocks ? PAUSE : CUT) && !this.#hasCut && !hasCollected) {
      this.#cut(hasFreeBlocks ? this.#floods(printers) : printers, hasFreeBlocks);
    }
    if (share >= PAUSE && (!hasFreeBlocks || hasGrown)) this.#pause(printers, share);
    else if (share < RESUME || hasFreeBlocks) this.#resume(1);
  }

  #share(): number {
    const figures = this.#options.figures();
    return memoryShare({ ...figures, rss: figures.rss + this.#options.youngRoom() });
  }

  /** Whether so little is held that most of the resident set can be reused. Takes 2 µs a terminal. */
  #hasFreeBlocks(): boolean {
    const { limit } = this.#options.figures();
    // A limit that small cannot be kept, and output must not wait for ever.
    const ownBytes = limit < 2 * OWN_BYTES ? 0 : OWN_BYTES;
    const heldBytes = this.#options.holders().reduce((sum, holder) => sum + holder.weigh(), ownBytes);
    return heldBytes < HELD_WITH_ROOM * limit;
  }

  #ease(): void {
    if (this.#state === 'ok') return;
    this.#resume(Number.POSITIVE_INFINITY);
    if (this.#share() >= EASED) return;
    this.#hasCut = false;
    this.#shareAtCollect = 0;
    this.#printed.clear();
    this.#enter('ok');
  }

  #pressed(): void {
    this.#enter('high');
    this.#dropCaches();
    this.#collect();
    this.#printers();
    this.#timer?.dispose();
    this.#arm();
  }

  #dropCaches(): void {
    this.#options.dropCaches();
    this.steps.caches_dropped++;
    if (this.#state !== 'ok') this.#enter('caches_dropped');
  }

  /** Returns false if the last collection was a moment ago. */
  #collect(): boolean {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#collectedAtMs < COLLECT_MS) return false;
    this.#collectedAtMs = nowMs;
    this.#hasCut = false;
    this.#options.collectGarbage();
    this.#shareAtCollect = this.#share();
    return true;
  }

  /** Terminals that have printed since the last measurement; none at the first. */
  #printers(): ReadonlySet<MemoryHolder> {
    const holders = this.#options.holders();
    this.#printedLately = new Map(
      holders.map((one) => [one, one.parsedBytes - (this.#printed.get(one) ?? one.parsedBytes)]),
    );
    this.#printed = new Map(holders.map((holder) => [holder, holder.parsedBytes]));
    return new Set(holders.filter((one) => this.#printedLately.get(one) !== 0));
  }

  #floods(printers: ReadonlySet<MemoryHolder>): ReadonlySet<MemoryHolder> {
    const least = TRICKLE * this.#options.figures().limit;
    return new Set([...printers].filter((one) => (this.#printedLately.get(one) ?? 0) > least));
  }

  /** Cuts printing terminals first: a silent one has not caused the growth. */
  #cut(printers: ReadonlySet<MemoryHolder>, sparesOthers: boolean): void {
    const { limit } = this.#options.figures();
    const aim = CUT_AIM * limit;
    const silent = sparesOthers ? [] : this.#options.holders().filter((holder) => !printers.has(holder));
    const others = byWeight(silent);
    let freed = 0;
    for (const { holder, bytes } of [...byWeight(printers), ...others.filter((one) => one.bytes > BYSTANDER * limit)]) {
      if (freed >= aim) break;
      const lines = holder.halveScrollback();
      if (lines === 0) continue;
      freed += bytes - holder.weigh();
      this.steps.scrollback_lines_dropped += lines;
      this.#enter('scrollback_dropped');
      this.#warn(
        holder,
        `its scrollback lost its oldest ${lines} lines and will hold no more than ${holder.scrollbackLimit}`,
      );
    }
    this.#hasCut = freed > 0;
  }

  #pause(printers: ReadonlySet<MemoryHolder>, share: number): void {
    this.#shareAtPause = share;
    const least = share >= PAUSE_ALL ? 0 : BYSTANDER * this.#options.figures().limit;
    for (const { holder, bytes } of byWeight(printers)) {
      if (holder.outputPaused || bytes < least) continue;
      holder.pauseOutput();
      this.steps.terminals_paused++;
      this.#enter('paused');
      this.#warn(holder, 'its output is paused until there is room');
    }
    this.#removeTooHeavy();
  }

  #removeTooHeavy(): void {
    const { limit } = this.#options.figures();
    for (const holder of this.#options.holders()) {
      if (!holder.outputPaused || holder.scrollbackLines > 0 || this.#removed.has(holder)) continue;
      if (holder.weigh() <= limit / 2) continue;
      this.#removed.add(holder);
      this.steps.terminals_removed++;
      this.#enter('ended');
      this.#warn(holder, 'it alone holds more than half of the limit and is removed');
      this.#options.remove(holder);
    }
  }

  /** One at a time: the growth by each is measured before the next resumes. */
  #resume(count: number): void {
    const paused = this.#options.holders().filter((holder) => holder.outputPaused);
    for (const { holder } of byWeight(paused).toReversed().slice(0, count)) holder.resumeOutput();
  }

  #enter(state: MemoryState): void {
    // Several cuts in a row are one step; each has its warning.
    if (state === this.#state) return;
    this.#state = state;
    const { rss, limit } = this.#options.figures();
    this.#options.announce({ event: 'memory', state, bytes: rss });
    this.#options.log[state === 'ok' ? 'info' : 'warn'](
      `memory: ${state} at ${mega(rss)} of ${mega(limit)} MB resident`,
    );
  }

  #warn(holder: MemoryHolder, what: string): void {
    const { rss, limit } = this.#options.figures();
    const message = `Terminal "${holder.id}": ${what}. The daemon uses ${mega(rss)} of ${mega(limit)} MB (max_memory_bytes).`;
    this.#options.announce({ event: 'warning', code: 'memory', message, terminal: holder.id });
    this.#options.log.warn(message);
  }
}

function mega(bytes: number): number {
  return Math.round(bytes / 1e6);
}
