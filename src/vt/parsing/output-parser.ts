/**
 * Parses output in slices of a bounded cost: what the fast lane handles goes there, the rest to the library, in turn. The
 * outcome does not depend on who parsed what (see xterm/fast-lane.ts).
 */
import { isAscii } from 'node:buffer';
import type { Emulator } from '../xterm/emulator.js';
import { unfinishedSequence } from '../xterm/unfinished-sequence.js';
import { ParseBudget } from './cost.js';
import { MIN_PLAIN_BYTES, StreamDecoder } from './stream-decoder.js';

const LF = 0x0a;

/** The library gets whole lines, since a call costs a microsecond or two: as much as the lane takes for this many bytes. */
const WORTHWHILE_BYTES = 256;
/** Bytes that the library gets at least after the lane brought nothing; twice as many each time. */
const FIRST_HANDOVER_BYTES = 64;
const LONGEST_HANDOVER_BYTES = 64 * 1024;

export interface ParsedOutput {
  /** Bytes that were parsed, or that a fault lost. */
  readonly taken: number;
  /** Their text, in whole characters; bytes are plain ASCII. It takes a tenth of a flood's time, so it is made when asked for. */
  readonly text: () => string | Uint8Array;
}

export class OutputParser {
  readonly #emulator: Emulator;
  #decoder = new StreamDecoder();
  #handoverBytes = 0;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** Whether a character has begun whose rest has not come. */
  get isMidCharacter(): boolean {
    return this.#decoder.holdsBytes;
  }

  /** Bytes of a sequence and a character whose ends have not come: a parser that gets them goes on from the state of this one. */
  get unfinished(): Uint8Array {
    const { internals, controlStrings } = this.#emulator;
    return Buffer.concat([Buffer.from(unfinishedSequence(internals, controlStrings)), this.#decoder.heldBytes]);
  }

  /** Forgets the character that has begun. @returns what is unfinished; a sequence of it is ended by the next CAN */
  setAside(): Uint8Array {
    const { unfinished } = this;
    if (this.isMidCharacter) this.#decoder = new StreamDecoder();
    return unfinished;
  }

  /** @param faults gets what the emulator threw: the rest of what it was given is lost then */
  parse(bytes: Uint8Array, faults: unknown[]): ParsedOutput {
    const budget = new ParseBudget(this.#emulator.terminal);
    const isPlain = !this.#decoder.isMidCharacter && isAscii(bytes);
    const parts: (string | Uint8Array)[] = [];
    let at = 0;
    while (at < bytes.length) {
      const start = at;
      try {
        if (!this.#decoder.isMidCharacter) at = this.#runLane(bytes, start, budget, isPlain);
        if (!isPlain && at > start) parts.push(bytes.subarray(start, at));
        if (at === bytes.length || budget.isSpent) break;
        const line = bytes.subarray(at, this.#endOfHandover(bytes, at, at - start));
        const piece = line.subarray(0, budget.take(line));
        at += piece.length;
        const text = this.#decoder.decode([piece]);
        if (!isPlain) parts.push(text);
        this.#emulator.parse(text);
      } catch (fault) {
        faults.push(fault);
        // The library's part is behind; a fault in the lane has none, and loses all the rest.
        return { taken: at > start ? at : bytes.length, text: () => textOf(isPlain ? [bytes.subarray(0, at)] : parts) };
      }
    }
    return { taken: at, text: () => textOf(isPlain ? [bytes.subarray(0, at)] : parts) };
  }

  #runLane(bytes: Uint8Array, start: number, budget: ParseBudget, isAscii: boolean): number {
    const { fastLane } = this.#emulator;
    const end = this.#emulator.runLane(bytes, start, budget.leftNs, isAscii);
    if (end > start) budget.pay(end - start, budget.leftNs - fastLane.leftNs);
    return end;
  }

  /** End of a handover, at that of a line, from which the lane may well go on; later and later while it brings little. */
  #endOfHandover(bytes: Uint8Array, at: number, laneBytes: number): number {
    if (laneBytes >= WORTHWHILE_BYTES) this.#handoverBytes = 0;
    else {
      const more = Math.max(FIRST_HANDOVER_BYTES, 2 * this.#handoverBytes);
      this.#handoverBytes = Math.min(more, LONGEST_HANDOVER_BYTES);
    }
    const lineFeed = bytes.indexOf(LF, at + this.#handoverBytes);
    return lineFeed === -1 ? bytes.length : lineFeed + 1;
  }
}

function textOf(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && first.length >= MIN_PLAIN_BYTES) return first;
  return parts.map((part) => (typeof part === 'string' ? part : latin1(part))).join('');
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
