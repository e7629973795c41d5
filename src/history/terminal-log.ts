/**
 * The log of one terminal in memory: what was parsed, in its slices, with the times; events, input (never its bytes), markers. It
 * is bounded, and loses its oldest chunk first. Nothing waits for it.
 */
import { MAX_MARKERS } from '../protocol/limits.js';
import type { Keyframe } from '../vt/readable-screen.js';
import { CHANGED, type CommandPoint, SYNCHRONIZED } from './log-entries.js';
import { type FrozenChunk, LogChunk, type PackedParts } from './log-chunk.js';

/** A replay parses half of it on average; a slice takes some 20 µs, and 256 KiB of text up to 10 ms. */
const CHUNK_BYTES = 256 * 1024;
const CHUNK_SLICES = 512;

/**
 * A flood of plain lines: it is parsed at twice the speed of other output, and its slices, which are bounded by their cost, are
 * large. Its chunks are longer, since each costs a keyframe and a trip to the pool.
 */
const FLOOD_CHUNK_BYTES = 1024 * 1024;
const FLOOD_CHUNK_SLICES = 20;

/** A sequence that does not end prevents a keyframe. */
const MAX_CHUNK_BYTES = 2 * FLOOD_CHUNK_BYTES;

/** An update that lasts longer is shown as it stands; see parsing/settle-waiters.ts. */
const SYNCHRONIZED_MS = 150;

/** The screen that is logged. */
export interface LoggedScreen {
  readonly cols: number;
  readonly rows: number;
  readonly rev: number;
  freeze(): Keyframe | undefined;
}

export interface TerminalLogOptions {
  readonly screen: LoggedScreen;
  /** Wall time. */
  readonly now: () => number;
  /** Number of the last event before the log. */
  readonly seq: number;
  /** Place of the next byte, in all that the program has printed. Above 0 the log begins with the screen as it is. */
  readonly offset?: number;
  /** A chunk has bytes that may be packed. */
  readonly onUnpacked: (chunk: LogChunk) => void;
}

export interface FrozenTerminalLog {
  readonly startedAtMs: number;
  readonly firstRev: number;
  readonly chunks: readonly FrozenChunk[];
  readonly lastMs: number;
  readonly seq: number;
  readonly offset: number;
  readonly synchronizedSinceMs: number | undefined;
  readonly markers: number;
  readonly lostInputs: number;
  readonly firstLookMs: number | undefined;
}

export class TerminalLog {
  #startedAtMs: number;
  #firstRev: number;
  readonly #screen: LoggedScreen;
  readonly #now: () => number;
  readonly #onUnpacked: (chunk: LogChunk) => void;
  #chunks: readonly LogChunk[];
  /** Bytes of closed chunks: a sum over hundreds of them at each chunk would take longer than all else. */
  #closedBytes = 0;
  /** Undefined in a gap: nothing is logged until a keyframe can be taken. */
  #open: LogChunk | undefined;
  #lastMs = 0;
  #seq: number;
  /** Place of the next byte of output, in all that the program has printed. */
  #offset = 0;
  #flags: number | undefined;
  #events: (() => void)[] = [];
  #synchronizedSinceMs: number | undefined;
  /** Names of markers in the chunks. */
  #markers = 0;
  /** Inputs that are in no chunk any more, or in none. */
  lostInputs = 0;
  /** Since then each look of rules is logged. */
  firstLookMs: number | undefined;
  /** All facts as they are now: each chunk begins with them, since the chunk before it may go. */
  wholeFacts: (() => Uint8Array) | undefined;

  constructor({ screen, now, seq, onUnpacked, offset = 0 }: TerminalLogOptions) {
    this.#screen = screen;
    this.#now = now;
    this.#onUnpacked = onUnpacked;
    this.#seq = seq;
    this.#startedAtMs = this.#time();
    const { cols, rows, rev } = screen;
    this.#firstRev = rev;
    this.#offset = offset;
    if (offset > 0) {
      this.#chunks = [];
      this.#begin();
      return;
    }
    this.#open = new LogChunk({
      cols,
      rows,
      rev,
      ms: this.#startedAtMs,
      seq,
      offset: 0,
      isHeld: false,
      continues: false,
      top: 0,
      above: 0,
    });
    this.#chunks = [this.#open];
  }

  get startedAtMs(): number {
    return this.#startedAtMs;
  }

  /** Revision of the blank screen. */
  get firstRev(): number {
    return this.#firstRev;
  }

  /** Between two slices. */
  freeze(): FrozenTerminalLog {
    return {
      startedAtMs: this.#startedAtMs,
      firstRev: this.#firstRev,
      chunks: this.#chunks.map((chunk) => chunk.freeze()),
      lastMs: this.#lastMs,
      seq: this.#seq,
      offset: this.#offset,
      synchronizedSinceMs: this.#synchronizedSinceMs,
      markers: this.#markers,
      lostInputs: this.lostInputs,
      firstLookMs: this.firstLookMs,
    };
  }

  /** Goes on with the log of another process, in the place of its own. */
  restore(frozen: FrozenTerminalLog): void {
    this.#startedAtMs = frozen.startedAtMs;
    this.#firstRev = frozen.firstRev;
    this.#chunks = frozen.chunks.map((chunk) => LogChunk.thaw(chunk));
    this.#open = this.#chunks.find((_, at) => frozen.chunks[at]?.isOpen === true);
    const closed = this.#chunks.filter((chunk) => chunk !== this.#open);
    this.#closedBytes = closed.reduce((bytes, { heldBytes }) => bytes + heldBytes, 0);
    this.#lastMs = frozen.lastMs;
    this.#seq = frozen.seq;
    this.#offset = frozen.offset;
    this.#synchronizedSinceMs = frozen.synchronizedSinceMs;
    this.#markers = frozen.markers;
    this.lostInputs = frozen.lostInputs;
    this.firstLookMs = frozen.firstLookMs;
    for (const chunk of closed) {
      const { keyframe, whole } = chunk.unpacked;
      if (keyframe !== undefined || whole !== undefined) this.#onUnpacked(chunk);
    }
  }

  /** Oldest first; at least one, unless the log is in a gap. */
  get chunks(): readonly LogChunk[] {
    return this.#chunks;
  }

  get heldBytes(): number {
    return this.#closedBytes + (this.#open?.heldBytes ?? 0);
  }

  /**
   * Output is on the grid; {@link parsed} follows.
   * @param end offset behind it, in all that the program has printed. If it does not follow the one before, it is not the
   * program's, or something between was dropped
   */
  output(bytes: Uint8Array, end: number): void {
    const isNext = end - bytes.length === this.#offset;
    this.#offset = end;
    if (this.#open === undefined) return;
    if (!isNext) this.#open.isWhole = false;
    this.#flags = this.#open.output(this.#time(), bytes);
  }

  /** The slice of the last {@link output} is over. */
  parsed(changed: boolean, synchronized: boolean): void {
    const chunk = this.#open;
    this.#synchronizedSinceMs = synchronized ? (this.#synchronizedSinceMs ?? this.#lastMs) : undefined;
    if (chunk === undefined) {
      this.#events = [];
      return this.#begin();
    }
    if (this.#flags === undefined) return;
    const isHeld = this.#isHeld;
    chunk.setFlags(this.#flags, (changed ? CHANGED : 0) | (isHeld ? SYNCHRONIZED : 0));
    this.#flags = undefined;
    chunk.rev = this.#screen.rev;
    for (const write of this.#events.splice(0)) write();
    if (isFull(chunk)) this.#begin();
  }

  /** The layout is new: what comes next is laid out by a keyframe, since lines of the scrollback may have come back. */
  resized(): void {
    this.#close();
    this.#begin();
  }

  event(seq: number, point?: CommandPoint, command?: number): void {
    this.#seq = seq;
    this.#afterSlice(() => this.#open?.event(this.#time(), seq, point, command));
  }

  input(): void {
    if (this.#open === undefined) this.lostInputs++;
    this.#afterSlice(() => this.#open?.input(this.#time()));
  }

  /** Rules read the screen now. @returns the wall time that the log has for it */
  look(isLast: boolean): number {
    const ms = this.#time();
    this.#open?.look(ms, isLast);
    this.firstLookMs ??= ms;
    return ms;
  }

  /** Adds facts that have changed, or at first all of them. */
  facts(facts: Uint8Array): void {
    this.#afterSlice(() => this.#open?.facts(this.#time(), facts));
  }

  /** Adds a marker. If there are too many, the oldest are no moments any more. */
  marker(label: string): void {
    this.#afterSlice(() => {
      if (this.#open?.marker(this.#time(), label) !== true) return;
      this.#markers++;
      if (this.#markers > MAX_MARKERS) this.#dropMarker();
    });
  }

  /** While nothing is printed. */
  trim(): void {
    if (this.#open === undefined) return;
    this.#open.trim();
    if (this.#open.unpacked.keyframe !== undefined) this.#onUnpacked(this.#open);
  }

  /** @returns whether there was one that is closed */
  dropOldest(): boolean {
    const [oldest] = this.#chunks;
    if (oldest === undefined || oldest === this.#open) return false;
    this.#dropFirst(1);
    return true;
  }

  /** Leaves a trace of these chunks, or nothing at the beginning. What comes next begins with the screen as it is. */
  forget(chunks: readonly LogChunk[]): void {
    const isOpenOne = this.#open !== undefined && chunks.includes(this.#open);
    if (isOpenOne) this.#close();
    this.#chunks = this.#chunks.map((chunk) => (chunks.includes(chunk) ? chunk.forgotten() : chunk));
    const closed = this.#chunks.filter((chunk) => chunk !== this.#open);
    this.#closedBytes = closed.reduce((bytes, { heldBytes }) => bytes + heldBytes, 0);
    this.#dropFirst(0);
    if (isOpenOne) this.#begin();
  }

  /** Takes the packed parts of a chunk, which may be gone by now. */
  packed(chunk: LogChunk, parts: PackedParts): void {
    const before = chunk.heldBytes;
    chunk.packed(parts);
    if (chunk !== this.#open && this.#chunks.includes(chunk)) this.#closedBytes += chunk.heldBytes - before;
  }

  clear(): void {
    this.#chunks = [];
    this.#markers = 0;
    this.#closedBytes = 0;
    this.#open = undefined;
  }

  get #isHeld(): boolean {
    const since = this.#synchronizedSinceMs;
    return since !== undefined && this.#lastMs - since < SYNCHRONIZED_MS;
  }

  /** Traces of what is forgotten behind them go as well: the log begins with what can be replayed. */
  #dropFirst(count: number): void {
    let end = count;
    while (this.#chunks[end]?.isForgotten === true) end++;
    for (const { inputs, heldBytes, markers } of this.#chunks.slice(0, end)) {
      this.lostInputs += inputs;
      this.#markers -= markers;
      this.#closedBytes -= heldBytes;
    }
    this.#chunks = this.#chunks.slice(end);
  }

  #dropMarker(): void {
    for (const chunk of this.#chunks) {
      const before = chunk.heldBytes;
      if (!chunk.dropMarker()) continue;
      this.#markers--;
      if (chunk !== this.#open) this.#closedBytes += chunk.heldBytes - before;
      return;
    }
  }

  /** An event of a slice stands behind its output. Without output a chunk becomes full, too. */
  #afterSlice(write: () => void): void {
    if (this.#flags !== undefined) {
      this.#events.push(write);
      return;
    }
    write();
    if (this.#open !== undefined && this.#open.length + this.#open.pointBytes >= FLOOD_CHUNK_BYTES) this.#begin();
  }

  #begin(): void {
    const keyframe = this.#screen.freeze();
    if (keyframe === undefined) {
      if (this.#open !== undefined && this.#open.length >= MAX_CHUNK_BYTES) this.#close();
      const last = this.#chunks.at(-1);
      if (last !== undefined) last.isBeforeGap = this.#open === undefined;
      return;
    }
    const continues = this.#open !== undefined;
    this.#close();
    const { cols, rows, rev } = this.#screen;
    const { firstLine: top, above } = keyframe;
    const start = { cols, rows, rev, ms: this.#time(), seq: this.#seq, offset: this.#offset };
    this.#open = new LogChunk({ ...start, isHeld: this.#isHeld, continues, top, above, keyframe });
    if (this.wholeFacts !== undefined) this.#open.facts(this.#lastMs, this.wholeFacts());
    this.#chunks = [...this.#chunks, this.#open];
  }

  #close(): void {
    const chunk = this.#open;
    if (chunk === undefined) return;
    this.#open = undefined;
    chunk.close();
    this.#closedBytes += chunk.heldBytes;
    this.#onUnpacked(chunk);
  }

  /** Wall time that never goes back. */
  #time(): number {
    this.#lastMs = Math.max(this.#lastMs, Math.round(this.#now()));
    return this.#lastMs;
  }
}

function isFull({ length, slices }: LogChunk): boolean {
  if (length >= FLOOD_CHUNK_BYTES || slices >= CHUNK_SLICES) return true;
  return length >= CHUNK_BYTES && slices > FLOOD_CHUNK_SLICES;
}
