/**
 * A piece of a terminal's log that can be replayed alone: a keyframe (for a new terminal its size alone), and the entries that
 * followed. It grows while it is open; once it is closed, its owner replaces its bytes by packed ones.
 */
import type { PastScreenStart } from '../vt/past-screen.js';
import type { Keyframe } from '../vt/readable-screen.js';
import { keyframeOf, keyframeOfParts, type KeyframeParts, keyframeParts } from './keyframe-bytes.js';
import { type CommandPoint, EntryWriter, type LogEntry, readEntries, recycle } from './log-entries.js';

/** A terminal that prints nothing keeps this much. */
const FIRST_BYTES = 512;

/** A name in a set, beside its characters. */
const POINT_BYTES = 64;

/** A larger keyframe is not copied in front of the entries: that of 1000x1000 cells takes 10 ms and more. */
const APART_BYTES = 1024 * 1024;

/** Objects of a chunk, beside its bytes. */
const OVERHEAD_BYTES = 1024;

export interface ChunkStart {
  readonly cols: number;
  readonly rows: number;
  readonly rev: number;
  readonly ms: number;
  /** Number of the terminal's last event before it. */
  readonly seq: number;
  /** Place of the chunk's first byte of output in all that the program has printed. */
  readonly offset: number;
  /** Within a synchronized update. */
  readonly isHeld: boolean;
  /** Whether it begins with the screen that the chunk before it ended with, laid out in the same way. */
  readonly continues: boolean;
  /** Lasting number of the top line of the normal screen's viewport. */
  readonly top: number;
  /** Lines above that. */
  readonly above: number;
  /** Absent for a new terminal. */
  readonly keyframe?: Keyframe | undefined;
}

export type Unpack = (packed: Uint8Array) => Uint8Array;

/** Packed parts of a chunk: a trip to the pool each, so a chunk that fills up is packed as a whole. */
export interface PackedParts {
  /** Alone, if it is large, or of a chunk that is open for long. */
  readonly keyframe?: Uint8Array | undefined;
  /** The entries, behind the keyframe unless that is packed alone. */
  readonly whole?: Uint8Array | undefined;
}

/** Parts that may be packed. */
export interface UnpackedParts {
  /** Keyframe in pieces that are packed as one. */
  readonly keyframe?: readonly Uint8Array[] | undefined;
  readonly whole?: Uint8Array | undefined;
}

/** Bytes as they were written, or packed. */
interface Part {
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
}

const NOTHING: Part = { bytes: new Uint8Array(0), isPacked: false };
/** There is nothing to pack. */
const FORGOTTEN: Part = { ...NOTHING, isPacked: true };

export interface FrozenChunk {
  readonly start: Omit<ChunkStart, 'keyframe'>;
  readonly rev: number;
  readonly seq: number;
  readonly lastMs: number;
  readonly slices: number;
  readonly inputs: number;
  readonly outputBytes: number;
  readonly isWhole: boolean;
  readonly isBeforeGap: boolean;
  readonly isFirst: boolean;
  readonly points: readonly string[];
  readonly packedKeyframe: Uint8Array | undefined;
  readonly keyframeApart: KeyframeParts | undefined;
  readonly keyframeBytes: number;
  readonly bytes: Uint8Array;
  readonly isOpen: boolean;
  readonly isPacked: boolean;
  readonly isQuiet: boolean;
  readonly isForgotten: boolean;
}

export class LogChunk {
  readonly start: ChunkStart;
  /** Revision of the screen after the last entry. */
  rev: number;
  /** Number of the last event. */
  seq: number;
  lastMs: number;
  slices = 0;
  inputs = 0;
  outputBytes = 0;
  /** Whether its output is all that the program has printed from its offset on. */
  isWhole = true;
  /** Whether output came after it that is not logged, up to the next chunk. */
  isBeforeGap = false;
  /** Names of markers and commands within it, as {@link markerPoint} and {@link commandPoint} make them. */
  readonly #points = new Set<string>();
  #pointBytes = 0;
  /** Begins with the terminal: nothing was on the screen before. */
  readonly isFirst: boolean;
  /** If it was packed alone. */
  #packedKeyframe: Uint8Array | undefined;
  /** A large one, until it is packed. */
  #keyframeApart: KeyframeParts | undefined;
  /** Bytes of the keyframe before the entries. */
  #keyframeBytes: number;
  #whole: Part = NOTHING;
  #writer: EntryWriter | undefined;
  /** Somebody may still read the bytes. */
  #areLent = false;
  #isQuiet = false;
  #isForgotten = false;

  constructor({ keyframe, ...start }: ChunkStart) {
    this.start = start;
    this.rev = start.rev;
    this.seq = start.seq;
    this.lastMs = start.ms;
    this.isFirst = keyframe === undefined;
    const frozen = keyframe && keyframeParts(keyframe);
    this.#keyframeApart = frozen !== undefined && bytesOfParts(frozen) > APART_BYTES ? frozen : undefined;
    const before = this.#keyframeApart === undefined ? frozen : undefined;
    this.#keyframeBytes = bytesOfParts(before);
    this.#writer = new EntryWriter(start.ms, FIRST_BYTES, before);
  }

  /** Frozen form. Its bytes may be written to later: copy what stays. */
  freeze(): FrozenChunk {
    const { start, rev, seq, lastMs, slices, inputs, outputBytes, isWhole, isBeforeGap, isFirst } = this;
    return {
      start,
      rev,
      seq,
      lastMs,
      slices,
      inputs,
      outputBytes,
      isWhole,
      isBeforeGap,
      isFirst,
      points: [...this.#points],
      packedKeyframe: this.#packedKeyframe,
      keyframeApart: this.#keyframeApart,
      keyframeBytes: this.#keyframeBytes,
      bytes: this.#writer?.bytes ?? this.#whole.bytes,
      isOpen: this.#writer !== undefined,
      isPacked: this.#whole.isPacked,
      isQuiet: this.#isQuiet,
      isForgotten: this.#isForgotten,
    };
  }

  /** Chunk with bytes of its own: those that are given may be part of much more. */
  static thaw(frozen: FrozenChunk): LogChunk {
    const { start, rev, seq, lastMs, slices, inputs, outputBytes, isWhole, isBeforeGap, isFirst } = frozen;
    const chunk = new LogChunk(start);
    Object.assign(chunk, { rev, seq, lastMs, slices, inputs, outputBytes, isWhole, isBeforeGap, isFirst });
    for (const point of frozen.points) chunk.#addPoint(point);
    chunk.#packedKeyframe = frozen.packedKeyframe && copied(frozen.packedKeyframe);
    const [head, words] = frozen.keyframeApart ?? [];
    if (head !== undefined && words !== undefined) chunk.#keyframeApart = [copied(head), copied(words)];
    chunk.#keyframeBytes = frozen.keyframeBytes;
    chunk.#isQuiet = frozen.isQuiet;
    chunk.#isForgotten = frozen.isForgotten;
    if (frozen.isOpen) chunk.#writer = new EntryWriter(lastMs, FIRST_BYTES, [frozen.bytes]);
    else {
      chunk.#writer = undefined;
      chunk.#whole = { bytes: copied(frozen.bytes), isPacked: frozen.isPacked };
    }
    return chunk;
  }

  /** Bytes of its entries, if it is open. */
  get length(): number {
    return this.#writer === undefined ? 0 : this.#writer.length - this.#keyframeBytes;
  }

  get points(): ReadonlySet<string> {
    return this.#points;
  }

  /** Bytes of the names of its points, in memory. */
  get pointBytes(): number {
    return this.#pointBytes;
  }

  /** Memory that it takes. */
  get heldBytes(): number {
    const whole = this.#writer?.allocatedBytes ?? this.#whole.bytes.byteLength;
    const keyframe = (this.#packedKeyframe?.byteLength ?? 0) + bytesOfParts(this.#keyframeApart);
    return OVERHEAD_BYTES + whole + this.#pointBytes + keyframe;
  }

  /** @returns the place of its flags */
  output(ms: number, bytes: Uint8Array): number {
    this.slices++;
    this.outputBytes += bytes.length;
    return this.#write((writer) => writer.output(ms, bytes));
  }

  setFlags(place: number, flags: number): void {
    this.#writer?.setFlags(place, flags);
  }

  event(ms: number, seq: number, point?: CommandPoint, command?: number): void {
    this.seq = seq;
    if (point !== undefined && command !== undefined) this.#addPoint(commandPoint(command, point));
    this.#write((writer) => writer.event(ms, seq, point, command));
  }

  input(ms: number): void {
    this.inputs++;
    this.#write((writer) => writer.input(ms));
  }

  look(ms: number, isLast: boolean): void {
    this.#write((writer) => writer.look(ms, isLast));
  }

  facts(ms: number, facts: Uint8Array): void {
    this.#write((writer) => writer.facts(ms, facts));
  }

  /** @returns whether the name is new in it */
  marker(ms: number, label: string): boolean {
    this.#write((writer) => writer.marker(ms, label));
    return this.#addPoint(markerPoint(label));
  }

  /** Drops the oldest marker, which is no moment any more. @returns whether there was one */
  dropMarker(): boolean {
    for (const name of this.#points) {
      if (!name.startsWith(MARKER)) continue;
      this.#points.delete(name);
      this.#pointBytes -= bytesOfPoint(name);
      return true;
    }
    return false;
  }

  get markers(): number {
    let count = 0;
    for (const name of this.#points) if (name.startsWith(MARKER)) count++;
    return count;
  }

  /** While nothing is printed: gives back most of the memory that a flood has left. Its keyframe may be packed, alone. */
  trim(): void {
    this.#isQuiet = true;
    this.#replaced(this.#writer?.trim());
  }

  /** No entry follows. */
  close(): void {
    if (this.#writer === undefined) return;
    this.#whole = { bytes: this.#writer.bytes, isPacked: false };
    this.#writer = undefined;
  }

  /** Parts that the owner may pack: the whole once it is closed, or the keyframe of one that is open and quiet. */
  get unpacked(): UnpackedParts {
    const keyframe = this.#keyframeApart;
    if (this.#writer === undefined) return this.#whole.isPacked ? { keyframe } : { keyframe, whole: this.#whole.bytes };
    if (!this.#isQuiet) return {};
    if (this.#keyframeBytes === 0) return { keyframe };
    return { keyframe: [this.#writer.bytes.subarray(0, this.#keyframeBytes)] };
  }

  /** A keyframe before the entries comes too late if the chunk was closed in between: it is packed with the rest then. */
  packed({ keyframe, whole }: PackedParts): void {
    if (keyframe !== undefined && this.#keyframeApart !== undefined) {
      this.#packedKeyframe = keyframe;
      this.#keyframeApart = undefined;
    } else if (keyframe !== undefined && this.#writer !== undefined) {
      this.#packedKeyframe = keyframe;
      this.#replaced(this.#writer.dropFirst(this.#keyframeBytes));
      this.#keyframeBytes = 0;
    }
    if (whole === undefined) return;
    if (!this.#whole.isPacked) this.#replaced(this.#whole.bytes);
    this.#whole = { bytes: whole, isPacked: true };
  }

  /** Only that it was there is left, and the numbers of what was in it. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** Chunk that stands in its place once it is forgotten. A reader of this one may read on. */
  forgotten(): LogChunk {
    const { rev, seq, lastMs, slices, inputs } = this;
    const trace = Object.assign(new LogChunk(this.start), { rev, seq, lastMs, slices, inputs });
    for (const point of this.#points) trace.#addPoint(point);
    trace.#writer = undefined;
    trace.#whole = FORGOTTEN;
    trace.#isForgotten = true;
    return trace;
  }

  /** Start of a screen that is to show its moments. */
  screenStart(unpack: Unpack): PastScreenStart {
    if (this.isFirst) return { cols: this.start.cols, rows: this.start.rows, firstRev: this.start.rev };
    if (this.#keyframeApart !== undefined) return keyframeOfParts(this.#keyframeApart);
    if (this.#packedKeyframe !== undefined) return keyframeOf(unpack(this.#packedKeyframe));
    return keyframeOf(this.#read(unpack).subarray(0, this.#keyframeBytes));
  }

  /** The entries so far. Later ones do not appear in a running loop. */
  entries(unpack: Unpack): Iterable<LogEntry> {
    if (this.#isForgotten) return [];
    return readEntries(this.#read(unpack).subarray(this.#keyframeBytes), this.start.ms);
  }

  #addPoint(name: string): boolean {
    if (this.#points.has(name)) return false;
    this.#points.add(name);
    this.#pointBytes += bytesOfPoint(name);
    return true;
  }

  #read(unpack: Unpack): Uint8Array {
    if (this.#writer === undefined && this.#whole.isPacked) return unpack(this.#whole.bytes);
    this.#areLent = true;
    return this.#writer?.bytes ?? this.#whole.bytes;
  }

  /** Nothing is written to these bytes any more. */
  #replaced(bytes: Uint8Array | undefined): void {
    if (bytes !== undefined && !this.#areLent) recycle(bytes);
  }

  #write<T>(write: (writer: EntryWriter) => T): T {
    if (this.#writer === undefined) throw new Error('an entry came after the chunk was closed');
    const written = write(this.#writer);
    this.lastMs = this.#writer.lastMs;
    return written;
  }
}

function copied(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function bytesOfParts(parts: readonly Uint8Array[] = []): number {
  return parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

const MARKER = 'marker:';

function bytesOfPoint(name: string): number {
  return POINT_BYTES + 2 * name.length;
}

export function markerPoint(label: string): string {
  return `${MARKER}${label}`;
}

export function commandPoint(command: number, point: CommandPoint): string {
  return `command:${command}:${point}`;
}
