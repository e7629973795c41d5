/**
 * A piece of a terminal's log that can be replayed alone: a keyframe (for a new terminal its size alone), and the entries that
 * followed. It grows while it is open; once it is closed, its owner replaces its bytes by packed ones.
 */
import type { PastScreenStart } from '../vt/past-screen.js';
import type { Keyframe } from '../vt/readable-screen.js';
import { keyframeBytes, keyframeOf } from './keyframe-bytes.js';
import { type CommandPoint, EntryWriter, type LogEntry, readEntries, recycle } from './log-entries.js';

/** A terminal that prints nothing keeps this much. */
const FIRST_BYTES = 512;

/** Objects of a chunk, beside its bytes. */
const OVERHEAD_BYTES = 1024;

export interface ChunkStart {
  readonly cols: number;
  readonly rows: number;
  readonly rev: number;
  readonly ms: number;
  /** Number of the terminal's last event before it. */
  readonly seq: number;
  /** Within a synchronized update. */
  readonly isHeld: boolean;
  /** It begins with the screen that the chunk before it ended with, laid out in the same way. */
  readonly continues: boolean;
  /** Lasting number of the top line of the normal screen's viewport. */
  readonly top: number;
  /** Lines above that. */
  readonly above: number;
  /** Absent for a new terminal. */
  readonly keyframe?: Keyframe | undefined;
}

export type Unpack = (packed: Uint8Array) => Uint8Array;

/** What is packed of a chunk, or may be. */
export interface PackedParts {
  readonly keyframe?: Uint8Array | undefined;
  readonly entries?: Uint8Array | undefined;
}

/** Bytes as they were written, or packed. */
interface Part {
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
}

const NOTHING: Part = { bytes: new Uint8Array(0), isPacked: false };
/** There is nothing to pack. */
const FORGOTTEN: Part = { ...NOTHING, isPacked: true };

export class LogChunk {
  readonly start: ChunkStart;
  /** Revision of the screen after the last entry. */
  rev: number;
  /** Number of the last event. */
  seq: number;
  lastMs: number;
  slices = 0;
  inputs = 0;
  /** Names of markers and commands within it, as {@link markerPoint} and {@link commandPoint} make them. */
  readonly points = new Set<string>();
  #keyframe: Part | undefined;
  #entries: Part = NOTHING;
  #writer: EntryWriter | undefined;
  /** Somebody may still read them. */
  #areLent = false;
  #isForgotten = false;

  constructor({ keyframe, ...start }: ChunkStart) {
    this.start = start;
    this.rev = start.rev;
    this.seq = start.seq;
    this.lastMs = start.ms;
    this.#keyframe = keyframe && { bytes: keyframeBytes(keyframe), isPacked: false };
    this.#writer = new EntryWriter(start.ms, FIRST_BYTES);
  }

  /** Bytes of its entries, if it is open. */
  get length(): number {
    return this.#writer?.length ?? 0;
  }

  /** Memory that it takes. */
  get heldBytes(): number {
    const entries = this.#writer?.allocatedBytes ?? this.#entries.bytes.byteLength;
    return OVERHEAD_BYTES + entries + (this.#keyframe?.bytes.byteLength ?? 0);
  }

  /** @returns the place of its flags */
  output(ms: number, text: string | Uint8Array): number {
    this.slices++;
    return this.#write((writer) => writer.output(ms, text));
  }

  setFlags(place: number, flags: number): void {
    this.#writer?.setFlags(place, flags);
  }

  event(ms: number, seq: number, point?: CommandPoint, command?: number): void {
    this.seq = seq;
    if (point !== undefined && command !== undefined) this.points.add(commandPoint(command, point));
    this.#write((writer) => writer.event(ms, seq, point, command));
  }

  input(ms: number): void {
    this.inputs++;
    this.#write((writer) => writer.input(ms));
  }

  look(ms: number, isLast: boolean): void {
    this.#write((writer) => writer.look(ms, isLast));
  }

  marker(ms: number, label: string): void {
    this.points.add(markerPoint(label));
    this.#write((writer) => writer.marker(ms, label));
  }

  /** While nothing is printed: gives back most of the memory that a flood has left. */
  trim(): void {
    const given = this.#writer?.trim();
    if (given !== undefined && !this.#areLent) recycle(given);
  }

  /** No entry follows. */
  close(): void {
    if (this.#writer === undefined) return;
    this.#entries = { bytes: this.#writer.bytes, isPacked: false };
    this.#writer = undefined;
  }

  /** What its owner may pack, once each: the keyframe at any time, the entries once it is closed. */
  get unpacked(): PackedParts {
    const keyframe = this.#keyframe?.isPacked === false ? this.#keyframe.bytes : undefined;
    const entries = this.#writer === undefined && !this.#entries.isPacked ? this.#entries.bytes : undefined;
    return { ...(keyframe && { keyframe }), ...(entries && { entries }) };
  }

  packed({ keyframe, entries }: PackedParts): void {
    if (keyframe !== undefined) this.#keyframe = { bytes: keyframe, isPacked: true };
    if (entries === undefined) return;
    if (!this.#areLent && !this.#entries.isPacked) recycle(this.#entries.bytes);
    this.#entries = { bytes: entries, isPacked: true };
  }

  /** Only that it was there is left, and the numbers of what was in it. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** What stands in its place once it is forgotten. Who reads this one may read on. */
  forgotten(): LogChunk {
    const { rev, seq, lastMs, slices, inputs } = this;
    const trace = Object.assign(new LogChunk(this.start), { rev, seq, lastMs, slices, inputs });
    for (const point of this.points) trace.points.add(point);
    trace.#writer = undefined;
    trace.#entries = FORGOTTEN;
    trace.#isForgotten = true;
    return trace;
  }

  /** Begins with the terminal: nothing was on the screen before. */
  get isFirst(): boolean {
    return this.#keyframe === undefined;
  }

  /** What a screen begins with that is to show its moments. */
  screenStart(unpack: Unpack): PastScreenStart {
    if (this.#keyframe === undefined) return { cols: this.start.cols, rows: this.start.rows };
    return keyframeOf(plain(this.#keyframe, unpack));
  }

  /** The entries so far. Later ones do not appear in a running loop. */
  entries(unpack: Unpack): Iterable<LogEntry> {
    if (this.#isForgotten) return [];
    this.#areLent ||= this.#writer !== undefined || !this.#entries.isPacked;
    return readEntries(this.#writer?.bytes ?? plain(this.#entries, unpack), this.start.ms);
  }

  #write<T>(write: (writer: EntryWriter) => T): T {
    if (this.#writer === undefined) throw new Error('an entry came after the chunk was closed');
    const written = write(this.#writer);
    this.lastMs = this.#writer.lastMs;
    return written;
  }
}

export function markerPoint(label: string): string {
  return `marker:${label}`;
}

export function commandPoint(command: number, point: CommandPoint): string {
  return `command:${command}:${point}`;
}

function plain({ bytes, isPacked }: Part, unpack: Unpack): Uint8Array {
  return isPacked ? unpack(bytes) : bytes;
}
