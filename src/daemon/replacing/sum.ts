/** Sum that both sides of a replacement compare of a terminal: cheap beside its state, and all that a person sees of it. */
import { createHash } from 'node:crypto';
import { rowText } from '../../vt/rows/row-text.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { TerminalSum } from './frames.js';

/** Rows above the viewport, evenly spread, that count beside their number. */
const SAMPLES = 64;

/** Sum as a daemon of version 2 compares it. */
export function sumOfBefore({ id, screen }: Pick<Terminal, 'id' | 'screen'>): object {
  const { rev, parsedBytes, pendingBytes, totalLines } = screen;
  const last = screen.row(totalLines - 1);
  const lastText = last === undefined ? '' : rowText(last);
  return { id, rev, seenBytes: parsedBytes + pendingBytes, lines: screen.firstLineNumber + totalLines, lastText };
}

/** @param most lines of the scrollback that go along */
export function sumOf({ id, screen }: Pick<Terminal, 'id' | 'screen'>, most = Number.POSITIVE_INFINITY): TerminalSum {
  const { rev, parsedBytes, pendingBytes, altScreen } = screen;
  const { cursor, cols, rows } = screen.snapshot();
  const left = leftLines(screen, most);
  const above = altScreen ? 0 : left;
  const totalLines = screen.totalLines - above;
  const scrollbackLines = screen.scrollbackLines - above;
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ cursor, cols, rows, altScreen, scrollbackLines, first: screen.firstLineNumber + left }));
  const step = Math.max(1, Math.ceil(scrollbackLines / SAMPLES));
  for (let at = 0; at < totalLines; at += at < scrollbackLines ? Math.min(step, scrollbackLines - at) : 1) {
    const row = screen.row(above + at);
    hash.update(`${at} ${row === undefined ? '' : JSON.stringify(rowText(row))} ${screen.continuesLine(above + at)}\n`);
  }
  return { id, rev, seenBytes: parsedBytes + pendingBytes, lines: totalLines, digest: hash.digest('base64') };
}

/** Number of lines of the scrollback that do not go along. */
export function leftLines({ normalScrollbackLines }: Terminal['screen'], most: number): number {
  return Math.max(0, normalScrollbackLines - most);
}
