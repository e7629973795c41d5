/** The frames of a ledger: see ledger-frame.ts. */
import type { CastHeader } from './asciicast-writer.js';
import {
  EXIT,
  frame,
  GAP,
  LEDGER_VERSION,
  type LedgerStart,
  LOOK,
  MARK,
  OUTPUT,
  REPAINT,
  RESIZE,
  START,
} from './ledger-frame.js';

const KINDS = { o: OUTPUT, r: RESIZE, x: EXIT, m: MARK, look: LOOK, gap: GAP, repaint: REPAINT } as const;

export type LedgerCode = keyof typeof KINDS;

export class LedgerWriter {
  readonly #startMs: number;
  #startedAtMs = 0;
  #lastMs = 0;

  /** @param startMs monotonic milliseconds at the header */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** Goes on behind frames of another process. @param startedAtMs wall time @param lastMs of the last frame, as `startMs` */
  resume(startedAtMs: number, lastMs: number): void {
    this.#startedAtMs = startedAtMs;
    this.#lastMs = startedAtMs + lastMs - this.#startMs;
  }

  header({ cols, rows, startedAtMs, commandLine = [], t4a: { terminal, version } }: CastHeader): Uint8Array {
    this.#startedAtMs = startedAtMs;
    const start: LedgerStart = { ledger: LEDGER_VERSION, t4a: version, terminal, cols, rows, command: commandLine };
    return frame(START, Buffer.from(JSON.stringify(start)), this.#nanoseconds(this.#startMs));
  }

  /** @param nowMs monotonic milliseconds; a time before the last frame counts as the same */
  event(code: LedgerCode, payload: string | Uint8Array, nowMs: number): Uint8Array {
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload;
    return frame(KINDS[code], bytes, this.#nanoseconds(nowMs));
  }

  #nanoseconds(nowMs: number): bigint {
    this.#lastMs = Math.max(this.#lastMs, this.#startedAtMs + nowMs - this.#startMs);
    return BigInt(Math.round(this.#lastMs * MICROSECONDS)) * NANOSECONDS;
  }
}

/** A millisecond has a thousand; a double holds microseconds since 1970, and no nanoseconds. */
const MICROSECONDS = 1000;
const NANOSECONDS = 1000n;
