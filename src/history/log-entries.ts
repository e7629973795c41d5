/**
 * Entries of a terminal's log as bytes: parsed output, events, that input came, markers, looks of rules, facts. One byte for the kind, then
 * numbers of seven bits a byte, then bytes. Times are relative to the entry before.
 */

export const OUTPUT = 1;
const EVENT = 2;
const INPUT = 3;
const MARKER = 4;
const LOOK = 5;
const FACTS = 6;

/** Flags of output. */
export const CHANGED = 1;
export const SYNCHRONIZED = 2;

export type LogEntry =
  | {
      readonly kind: 'output';
      readonly ms: number;
      /** Whether anything visible changed: then the revision grew by one. */
      readonly changed: boolean;
      /** Within a synchronized update, at its end. */
      readonly synchronized: boolean;
      /** Bytes as the program wrote them. Valid for as long as the log's bytes are. */
      readonly bytes: Uint8Array;
      /** End of the entry after it. */
      readonly end: number;
    }
  | {
      readonly kind: 'event';
      readonly ms: number;
      readonly seq: number;
      /** Number of the shell command of `command_started` and `command_done`. */
      readonly started: number | undefined;
      readonly ended: number | undefined;
      readonly end: number;
    }
  | { readonly kind: 'input'; readonly ms: number; readonly end: number }
  /** Rules have read the screen. `isLast`: after all output of its program. */
  | { readonly kind: 'look'; readonly ms: number; readonly isLast: boolean; readonly end: number }
  /** Facts that no replay of the output shows, such as who was in front; of those who write it. Bytes as those of output. */
  | { readonly kind: 'facts'; readonly ms: number; readonly bytes: Uint8Array; readonly end: number }
  | { readonly kind: 'marker'; readonly ms: number; readonly label: string; readonly end: number };

/** Kinds of events that have a number of their own. */
export type CommandPoint = 'started' | 'ended';

const POINTS: readonly (CommandPoint | undefined)[] = [undefined, 'started', 'ended'];

/** An entry that large comes of a flood, which fills a chunk. In fresh memory each doubling would cost as much as all that follows. */
const FLOOD_SLICE_BYTES = 16 * 1024;
/** Size of a full chunk, with its keyframe and the entry that completes it. */
export const FULL_CHUNK_BYTES = 1096 * 1024;

/** Room after a flood, for the prompt that follows. */
const AFTER_FLOOD_BYTES = 4 * 1024;

/** Buffers of full chunks that were packed, for the next ones: the first writing to fresh memory takes longer than copying to it. */
const spare: Buffer[] = [];
const MAX_SPARE = 2;

/** Nobody reads them any more. @param bytes those of an {@link EntryWriter} */
export function recycle(bytes: Uint8Array): void {
  const { buffer, byteOffset } = bytes;
  if (spare.length < MAX_SPARE && byteOffset === 0 && buffer.byteLength === FULL_CHUNK_BYTES)
    spare.push(Buffer.from(buffer));
}

/** Writes entries to a buffer that grows. */
export class EntryWriter {
  #bytes: Buffer;
  #length = 0;
  #lastMs: number;

  /** @param before bytes that stand before the entries */
  constructor(startMs: number, firstBytes: number, before: readonly Uint8Array[] = []) {
    this.#bytes = Buffer.allocUnsafe(before.reduce((sum, { length }) => sum + length, firstBytes));
    for (const part of before) {
      this.#bytes.set(part, this.#length);
      this.#length += part.length;
    }
    this.#lastMs = startMs;
  }

  get length(): number {
    return this.#length;
  }

  get allocatedBytes(): number {
    return this.#bytes.length;
  }

  get lastMs(): number {
    return this.#lastMs;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Once a flood is over. @returns the memory that it has given up, if any */
  trim(): Uint8Array | undefined {
    if (this.#bytes.length < FULL_CHUNK_BYTES || this.#length > FULL_CHUNK_BYTES / 2) return undefined;
    return this.#moved(0, this.#length + AFTER_FLOOD_BYTES);
  }

  /** @returns the memory that it has given up */
  dropFirst(count: number): Uint8Array {
    const given = this.#moved(count, this.#bytes.length - count);
    this.#length -= count;
    return given;
  }

  #moved(from: number, length: number): Uint8Array {
    const given = this.#bytes;
    this.#bytes = Buffer.allocUnsafe(length);
    given.copy(this.#bytes, 0, from, this.#length);
    return given;
  }

  /** @returns the place of its flags */
  output(ms: number, output: Uint8Array): number {
    this.#begin(OUTPUT, ms, output.length + MAX_NUMBER_BYTES + 1);
    const flags = this.#length++;
    this.#bytes[flags] = 0;
    this.#number(output.length);
    this.#bytes.set(output, this.#length);
    this.#length += output.length;
    return flags;
  }

  /** @param place as {@link output} returned it */
  setFlags(place: number, flags: number): void {
    this.#bytes[place] = flags;
  }

  event(ms: number, seq: number, point?: CommandPoint, command = 0): void {
    this.#begin(EVENT, ms, 2 * MAX_NUMBER_BYTES + 1);
    this.#number(seq);
    this.#number(POINTS.indexOf(point));
    this.#number(command);
  }

  input(ms: number): void {
    this.#begin(INPUT, ms, 0);
  }

  look(ms: number, isLast: boolean): void {
    this.#begin(LOOK, ms, 1);
    this.#bytes[this.#length++] = isLast ? 1 : 0;
  }

  facts(ms: number, facts: Uint8Array): void {
    this.#begin(FACTS, ms, facts.length + MAX_NUMBER_BYTES);
    this.#number(facts.length);
    this.#bytes.set(facts, this.#length);
    this.#length += facts.length;
  }

  marker(ms: number, label: string): void {
    const length = Buffer.byteLength(label);
    this.#begin(MARKER, ms, length + MAX_NUMBER_BYTES);
    this.#number(length);
    this.#length += this.#bytes.write(label, this.#length);
  }

  #begin(kind: number, ms: number, room: number): void {
    this.#makeRoom(1 + MAX_NUMBER_BYTES + room);
    this.#bytes[this.#length++] = kind;
    const now = Math.max(this.#lastMs, Math.round(ms));
    this.#number(now - this.#lastMs);
    this.#lastMs = now;
  }

  #number(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const isFlood = bytes > FLOOD_SLICE_BYTES && this.#bytes.length < FULL_CHUNK_BYTES;
    const length = Math.max(needed, isFlood ? FULL_CHUNK_BYTES : 2 * this.#bytes.length);
    const larger = (length === FULL_CHUNK_BYTES ? spare.pop() : undefined) ?? Buffer.allocUnsafe(length);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const MAX_NUMBER_BYTES = 8;

export function* readEntries(bytes: Uint8Array, startMs: number): Generator<LogEntry, void, void> {
  const reader = new NumberReader(bytes);
  let ms = startMs;
  while (reader.at < bytes.length) {
    const kind = bytes[reader.at++];
    ms += reader.next();
    if (kind === OUTPUT) {
      const flags = bytes[reader.at++] ?? 0;
      const length = reader.next();
      const start = reader.at;
      reader.at += length;
      yield {
        kind: 'output',
        ms,
        changed: (flags & CHANGED) !== 0,
        synchronized: (flags & SYNCHRONIZED) !== 0,
        bytes: bytes.subarray(start, reader.at),
        end: reader.at,
      };
    } else if (kind === EVENT) {
      const seq = reader.next();
      const point = POINTS[reader.next()];
      const command = reader.next();
      const started = point === 'started' ? command : undefined;
      const ended = point === 'ended' ? command : undefined;
      yield { kind: 'event', ms, seq, started, ended, end: reader.at };
    } else if (kind === INPUT) yield { kind: 'input', ms, end: reader.at };
    else if (kind === LOOK) {
      const isLast = bytes[reader.at++] === 1;
      yield { kind: 'look', ms, isLast, end: reader.at };
    } else if (kind === FACTS) {
      const length = reader.next();
      const start = reader.at;
      reader.at += length;
      yield { kind: 'facts', ms, bytes: bytes.subarray(start, reader.at), end: reader.at };
    } else {
      const length = reader.next();
      const start = reader.at;
      reader.at += length;
      const label = Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString();
      yield { kind: 'marker', ms, label, end: reader.at };
    }
  }
}

class NumberReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}
