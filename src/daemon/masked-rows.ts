/**
 * Masks lines of a reply that are rows of the screen, by where its secrets stand: so a part of one is masked that is too short to be known
 * by its text.
 */
import { MASK, type Redactor } from '../redaction/redactor.js';
import type { MatchSpan } from '../search/regex.js';
import { MainLines, type ReadableLines } from '../vt/readable-lines.js';
import type { ReadableScreen } from '../vt/readable-screen.js';
import { type SecretRow, secretRows } from './secrets-shown.js';

/** Colours of `ansi`, and marks of a selection: no part of the row. */
// oxlint-disable-next-line no-control-regex
const BETWEEN = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\u27e6\u27e7]/g;

interface Lines {
  readonly lines: readonly string[];
  readonly first_line?: unknown;
  readonly numbers?: unknown;
  readonly changed?: { readonly rows?: readonly number[] } | undefined;
}

export class MaskedRows {
  readonly #redactor: Redactor;
  readonly #screen: ReadableScreen;
  /** Lines that were masked. */
  count = 0;

  constructor(redactor: Redactor, screen: ReadableScreen) {
    this.#redactor = redactor;
    this.#screen = screen;
  }

  /** Other lines than the rows that stand there now stay as they are. */
  masked(reply: Lines): readonly string[] {
    const screens: readonly ReadableLines[] = this.#screen.altScreen
      ? [this.#screen, new MainLines(this.#screen)]
      : [this.#screen];
    return screens.reduce<readonly string[]>(
      (lines, screen) => this.#maskedBy(screen, { ...reply, lines }),
      reply.lines,
    );
  }

  #maskedBy(screen: ReadableLines, reply: Lines): readonly string[] {
    const numbers = numbersOf(reply, screen);
    const secret = secretRows(this.#redactor, screen, numbers);
    if (secret.size === 0) return reply.lines;
    return reply.lines.map((line, i) => this.#masked(line, secret.get(numbers[i] ?? -1)));
  }

  #masked(line: string, row: SecretRow | undefined): string {
    if (row === undefined || line.replaceAll(BETWEEN, '').trimEnd() !== row.text.trimEnd()) return line;
    this.count++;
    return withMasks(line, row.spans);
  }
}

/** Numbers of each line. */
function numbersOf({ lines, first_line: first, numbers, changed }: Lines, screen: ReadableLines): readonly number[] {
  if (Array.isArray(numbers)) return numbers as number[];
  const viewport = screen.firstShownNumber + screen.scrollbackLines;
  if (changed?.rows !== undefined) return changed.rows.map((row) => viewport + row);
  const start = typeof first === 'number' ? first : viewport;
  return lines.map((_, i) => start + i);
}

/** @param spans in the text without what stands between its characters */
function withMasks(line: string, spans: readonly MatchSpan[]): string {
  let shown = '';
  let at = 0;
  const add = (part: string): void => {
    for (const unit of part.split('')) {
      const place = at++;
      shown += spans.some(({ start, end }) => place >= start && place < end) ? MASK : unit;
    }
  };
  let from = 0;
  for (const { index, 0: between } of line.matchAll(BETWEEN)) {
    add(line.slice(from, index));
    shown += between;
    from = index + between.length;
  }
  add(line.slice(from));
  return shown;
}
