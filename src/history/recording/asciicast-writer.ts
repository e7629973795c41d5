/**
 * The lines of an asciicast v3 file: a header, then events with the time since the line before.
 * https://docs.asciinema.org/manual/asciicast/v3/
 */

/** `o` output, `r` resize ("COLSxROWS"), `m` marker (its label), `x` exit (status), `i` input. */
export type CastCode = 'o' | 'i' | 'r' | 'm' | 'x';

export interface CastHeader {
  readonly cols: number;
  readonly rows: number;
  /** TERM of the program; undefined if unknown. */
  readonly type?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  readonly title?: string | undefined;
  readonly command?: string | undefined;
  /** The same in its words, for a ledger. */
  readonly commandLine?: readonly string[] | undefined;
  /** Own key of the header, which other programs ignore. */
  readonly t4a: { readonly terminal: string; readonly rev: number; readonly version: string };
}

export class AsciicastWriter {
  /** Whole milliseconds: the rounding of one line is made up for by the next. */
  #lastMs: number;

  /** @param startMs monotonic milliseconds at the header */
  constructor(startMs: number) {
    this.#lastMs = Math.round(startMs);
  }

  /** Goes on behind a last line of this time. */
  resume(lastMs: number): void {
    this.#lastMs = Math.round(lastMs);
  }

  header({ cols, rows, type, startedAtMs, title, command, t4a }: CastHeader): string {
    const term = { cols, rows, ...(type === undefined ? {} : { type }) };
    const timestamp = Math.floor(startedAtMs / 1000);
    return `${JSON.stringify({ version: 3, term, timestamp, title, command, t4a })}\n`;
  }

  /** @param nowMs monotonic milliseconds; a time before the last line counts as the same */
  event(code: CastCode, text: string, nowMs: number): string {
    const sinceMs = Math.max(0, Math.round(nowMs) - this.#lastMs);
    this.#lastMs += sinceMs;
    return `${JSON.stringify([sinceMs / 1000, code, text])}\n`;
  }
}
