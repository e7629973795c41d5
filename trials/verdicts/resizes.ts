/**
 * Changes of size with text at the cursor, drawn by number, as tmux has them: the text, whatever rows it takes, and where
 * the cursor is, which what is printed afterwards shows. No program draws anything again.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Screen } from '../../src/vt/screen.js';
import { logicalLine } from '../../src/vt/rows/logical-line.js';
import type { SnapshotRow } from '../../src/vt/snapshot.js';
import { Random } from '../support/random.js';

const call = promisify(execFile);

export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'size'; readonly cols: number; readonly rows: number };

export interface ResizeDraw {
  readonly number: number;
  readonly cols: number;
  readonly rows: number;
  readonly steps: readonly Step[];
}

const LETTERS = ['a', 'b', 'c', '\u00e9', 'e\u0301', '\u6f22', '\u5b57', '\ud55c', ' ', '.'];

/** Draws from this number on have clusters, too, and rows that a lower size cuts off a full-screen program. */
export const FIRST_OF_CLUSTERS = 10_000;
/** Vietnamese, decomposed, and Hindi. */
const CLUSTERS = ['e\u0302\u0301', 'o\u031b\u0323', '\u0928\u094d', '\u0915\u0941'];
/** Flags, tones of skin, families: tmux has other widths for them, so nothing is written over them. */
const WIDE_CLUSTERS = [
  '\u{1f1e9}\u{1f1ea}',
  '\u{1f1fb}\u{1f1f3}',
  '\u{1f44d}\u{1f3fd}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f466}',
];

function lettersOf(number: number): readonly string[] {
  return number < FIRST_OF_CLUSTERS ? LETTERS : [...LETTERS, ...CLUSTERS];
}

export function resizeDraw(number: number): ResizeDraw {
  const random = new Random(Math.imul(number + 1, 0x9e3779b1));
  const size = () => ({ cols: 4 + random.below(30), rows: 2 + random.below(8) });
  const words = (longest: number): string =>
    `${number % 10}${Array.from({ length: random.below(longest) }, () => random.pick(lettersOf(number))).join('')}`;
  const { cols, rows } = size();
  let isAlternate = false;
  const steps: Step[] = [];
  const print = (): void => {
    const lines = Array.from({ length: random.below(4) }, () => `${words(2 * cols)}|\r\n`);
    const saves = random.chance(0.3) ? `\x1b7${words(cols)}` : '';
    steps.push({ kind: 'text', text: `${lines.join('')}${words(3 * cols)}>${saves}` });
  };
  print();
  for (let left = 1 + random.below(4); left > 0; left--) {
    if (!isAlternate && random.chance(0.25)) {
      steps.push({ kind: 'text', text: '\x1b[?1049hfull' });
      isAlternate = true;
    }
    // tmux cuts rows below the cursor.
    steps.push({ kind: 'size', cols: 4 + random.below(30), rows: rows + random.below(4) });
    if (isAlternate && random.chance(0.5)) {
      steps.push({ kind: 'text', text: '\x1b[?1049l' });
      isAlternate = false;
    }
    if (!isAlternate && random.chance(0.5)) print();
  }
  if (isAlternate) steps.push({ kind: 'text', text: '\x1b[?1049l' });
  steps.push({ kind: 'text', text: '<' });
  return { number, cols, rows, steps };
}

/** Lines of clusters that are laid out anew, and printed behind again: the text of all of them stays. */
export function clusterDraw(number: number): ResizeDraw {
  const random = new Random(Math.imul(number + 1, 0x165667b1));
  const letters = [...LETTERS, ...CLUSTERS, ...WIDE_CLUSTERS, ...WIDE_CLUSTERS];
  const rows = 4 + random.below(8);
  const cols = (): number => 8 + random.below(40);
  const print = (): Step => {
    const lines = Array.from({ length: 1 + random.below(3) }, () =>
      Array.from({ length: random.below(60) }, () => random.pick(letters)).join(''),
    );
    return { kind: 'text', text: lines.map((line) => `|${line}|`).join('\r\n') };
  };
  const turns = Array.from({ length: 1 + random.below(4) }, (): Step[] => [
    { kind: 'size', cols: cols(), rows: rows + random.below(4) },
    ...(random.chance(0.5) ? [print()] : []),
  ]);
  return { number, cols: cols(), rows, steps: [print(), ...turns.flat(), { kind: 'text', text: '<' }] };
}

/** Rows of a full-screen program that draws nothing again: narrower and wider; from FIRST_OF_CLUSTERS on also lower and higher. */
export function fullScreenDraw(number: number): ResizeDraw {
  const random = new Random(Math.imul(number + 1, 0x27d4eb2f));
  const [cols, rows] = [6 + random.below(40), 2 + random.below(8)];
  const row = (at: number): string => {
    const text = Array.from({ length: random.below(cols >> 1) }, () => random.pick(lettersOf(number))).join('');
    return `\x1b[${at + 1};1H\x1b[3${random.below(8)}m${at}${text}`;
  };
  const drawn = Array.from({ length: rows }, (_, at) => row(at)).join('');
  const sizes = Array.from({ length: 1 + random.below(4) }, () => 3 + random.below(2 * cols));
  const mayBeLower = number >= FIRST_OF_CLUSTERS;
  const cursor = mayBeLower ? `\x1b[${1 + random.below(rows)};1H` : '';
  const heights = sizes.map(() => (mayBeLower ? 1 + random.below(2 * rows) : rows));
  return {
    number,
    cols,
    rows,
    steps: [
      { kind: 'text', text: `\x1b[?7l\x1b[?1049h${drawn}${cursor}` },
      ...sizes.map((each, at) => ({ kind: 'size', cols: each, rows: heights[at] ?? rows }) as const),
      ...(mayBeLower ? [{ kind: 'text', text: '\r\x1b[m<' } as const] : []),
    ],
  };
}

export async function ownLines({ cols, rows, steps }: ResizeDraw): Promise<string[]> {
  const screen = new Screen({ cols, rows, scrollback: 1000, colors: COLORS, version: '0' });
  try {
    for (const step of steps) {
      if (step.kind === 'size') await screen.resize(step.cols, step.rows);
      else screen.write(new TextEncoder().encode(step.text));
      await screen.settle(10_000);
    }
    const lines: SnapshotRow[][] = [];
    for (let index = 0; index < screen.totalLines; index++) {
      const row = screen.row(index);
      if (row === undefined) continue;
      if (screen.continuesLine(index)) lines.at(-1)?.push(row);
      else lines.push([row]);
    }
    return withoutBlankEnd(lines.map((rows) => logicalLine(rows).text.trimEnd()));
  } finally {
    screen.dispose();
  }
}

const COLORS = { foreground: 0, background: 0, cursor: 0, palette: new Uint32Array(256) };

/** A server of its own, with one session for each draw. */
export class TmuxScreens {
  readonly #socket: string;
  #last = 0;

  constructor(dir: string) {
    this.#socket = path.join(dir, 'tmux-sizes');
  }

  async lines({ cols, rows, steps }: ResizeDraw): Promise<string[]> {
    const name = `r${++this.#last}`;
    const options = ['set', '-g', 'exit-empty', 'off', ';', 'set', '-g', 'status', 'off', ';'];
    const size = ['-x', String(cols), '-y', String(rows)];
    const program = 'stty raw -echo; printf "\\033]2;ready\\007"; exec sleep 600';
    await this.#call('start-server', ';', ...options, 'new-session', '-d', '-s', name, ...size, program);
    try {
      await this.#titled(name, 'ready');
      const terminal = (await this.#call('display', '-p', '-t', name, '#{pane_tty}')).trim();
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'size') {
          await this.#call('resize-window', '-t', name, '-x', String(step.cols), '-y', String(step.rows));
          continue;
        }
        await writeFile(terminal, `${step.text}\x1b]2;${index}\x07`);
        await this.#titled(name, String(index));
      }
      const shown = await this.#call('capture-pane', '-p', '-J', '-S', '-', '-t', name);
      return withoutBlankEnd(shown.split('\n').map((line) => line.trimEnd()));
    } finally {
      await this.#call('kill-session', '-t', name);
    }
  }

  async stop(): Promise<void> {
    await this.#call('kill-server').catch(() => {}); // It ends with its last session.
  }

  /** The title comes behind the text, so the text is on the screen then. */
  async #titled(name: string, title: string): Promise<void> {
    while ((await this.#call('display', '-p', '-t', name, '#{pane_title}')).trim() !== title);
  }

  async #call(...args: string[]): Promise<string> {
    const env = { ...process.env, TMUX: undefined, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
    const { stdout } = await call('tmux', ['-S', this.#socket, '-f', '/dev/null', ...args], { timeout: 30_000, env });
    return stdout;
  }
}

/**
 * tmux parts a line where a wide character is at the edge, and where it leaves the alternate screen, with blanks there; the text
 * and its order are the same.
 */
export function isSame(own: readonly string[], theirs: readonly string[]): boolean {
  return own.join('').replaceAll(' ', '') === theirs.join('').replaceAll(' ', '');
}

/** What is printed on the normal screen is behind the text that was printed before: all of it stays, in its order. */
export function isAsPrinted(own: readonly string[], { steps }: ResizeDraw): boolean {
  const all = steps.map((step) => (step.kind === 'text' ? step.text : '')).join('');
  if (all.startsWith('\x1b[?7l')) return false;
  // oxlint-disable-next-line no-control-regex
  // oxlint-disable-next-line no-control-regex -- sequences begin with Escape
  const printed = all.replaceAll(/\x1b\[\?1049h[^\x1b]*|\x1b\[\?1049l|\x1b7|\r\n/g, '');
  return isSame(own, [printed]);
}

function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
