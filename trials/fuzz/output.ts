/** Fuzzed output into screens of many sizes: no fault, no hang, no leak, and no answer that a program could have dictated. */
import { performance } from 'node:perf_hooks';
import { Screen } from '../../src/vt/screen.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { costlyBytes } from './costly-bytes.js';
import { vtBytes } from './vt-bytes.js';

/** Small ones, too: what goes wrong on a screen that has not scrolled yet is not seen after the first kilobytes. */
const PIECE_BYTES = [64, 1024, 64 * 1024] as const;
/** Pieces of {@link costlyBytes}. */
const COSTLY_SHARE = 0.1;
/** Screens are replaced after so many pieces, with others of other sizes. */
const PIECES_A_SCREEN = 16;
const SIZES = [
  [80, 24],
  [2, 1],
  [132, 50],
  [7, 3],
  [300, 100],
] as const;
/** One piece may take so long: a hang takes longer. */
const MAX_PIECE_MS = 20_000;
const MAX_GROWTH_BYTES = 300_000_000;

/**
 * Every answer that the terminal gives: a control sequence of numbers; colours as rgb:; the question of OSC 7501; its own
 * name; the settings of DECRQSS. None carries text of the program's, none ends a line.
 */
export const ANSWER =
  // oxlint-disable-next-line no-control-regex -- answers are made of them
  /^(?:\x1b\[[?>]?[\d;:]*[$]?[A-Za-z]|\x1b\](?:4;\d+|1[0-2]);rgb:[\da-f/]+(?:\x07|\x1b\\)|\x1b\]7501;\?(?:\x07|\x1b\\)|\x1bP>\|t4a [\w.-]+\x1b\\|\x1bP[01]\$r[\d;: ]*["qmrs]*\x1b\\)*$/;

export async function fuzzOutput(bytes: number, random: Random): Promise<Report> {
  const failures = new Failures();
  let done = 0;
  let slowestMs = 0;
  let answers = 0;
  let baseline: number | undefined;
  while (done < bytes && !failures.full) {
    const [cols, rows] = random.pick(SIZES);
    const screen = openScreen(cols, rows, random);
    screen.onFault.on((error) => failures.add(`fault: ${error instanceof Error ? error.stack : String(error)}`));
    screen.onReply.on((answer) => {
      answers++;
      if (!ANSWER.test(answer)) failures.add(`an answer that is none of ours: ${JSON.stringify(answer)}`);
    });
    const pieceBytes = random.pick(PIECE_BYTES);
    for (let piece = 0; piece < PIECES_A_SCREEN && done < bytes; piece++, done += pieceBytes) {
      const start = performance.now();
      const output = random.chance(COSTLY_SHARE) ? costlyBytes : vtBytes;
      screen.write(output(random, Math.min(pieceBytes, bytes - done)));
      if (random.chance(0.3)) void screen.resize(2 + random.below(200), 1 + random.below(80));
      if (!(await screen.settle(MAX_PIECE_MS))) failures.add(`a piece was not parsed within ${MAX_PIECE_MS} ms`);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      checkShape(screen, failures);
    }
    screen.dispose();
    if (done >= bytes / 10) baseline ??= process.memoryUsage.rss();
  }
  const grown = process.memoryUsage.rss() - (baseline ?? process.memoryUsage.rss());
  if (grown > MAX_GROWTH_BYTES) failures.add(`memory grew by ${grown} bytes`);
  return {
    figures: [
      ['bytes of output', done],
      ['answers to queries', answers],
      ['slowest 64 KiB, ms', Math.round(slowestMs)],
      ['memory gained after the first tenth, MB', Math.round(grown / 1e6)],
    ],
    failures: failures.list,
  };
}

function openScreen(cols: number, rows: number, random: Random): Screen {
  const colors = {
    foreground: 0xffffff,
    background: 0,
    cursor: 0xffffff,
    palette: Array.from({ length: 256 }, () => 0),
  };
  return new Screen({ cols, rows, scrollback: random.pick([0, 10, 1000]), colors, version: '0.0.0' });
}

function checkShape(screen: Screen, failures: Failures): void {
  const { lines, rows, cols, cursor } = screen.snapshot();
  const isWhole = lines.length === rows && lines.every((row) => row.cells.length === cols * 4);
  if (!isWhole)
    failures.add(`a snapshot of ${cols}x${rows} has rows of ${lines.map((row) => row.cells.length).join()}`);
  if (cursor.row < 0 || cursor.row >= rows || cursor.col < 0 || cursor.col > cols) {
    failures.add(`the cursor is at ${cursor.row},${cursor.col} of ${cols}x${rows}`);
  }
}
