/** Rows of a screen as `capture-pane` prints them: with SGR in the form of tmux, which clients look for. Pure. */
import type { Reply } from '../protocol/registry.js';

export type CapturedRun = NonNullable<Reply<'text'>['cells']>[number][number];

export interface Captured {
  readonly withStyles: boolean;
  /** Escape as `\033`, and a backslash as two. */
  readonly escapes: boolean;
  readonly keepsBlanks: boolean;
  readonly cols: number;
}

/** @param rows each ends with a line break; one that is several joined ones begins again at column 0 for each */
export function captured(rows: readonly (readonly CapturedRun[])[], how: Captured): string {
  const style = new Style(how.escapes ? String.raw`\033` : '\x1b');
  return rows
    .map((row) => {
      let [text, col] = ['', 0];
      for (const run of row) {
        if (run.col < col) {
          text += ' '.repeat(Math.max(0, how.cols - col));
          col = 0;
        }
        if (run.col > col) text += (how.withStyles ? style.to(PLAIN) : '') + ' '.repeat(run.col - col);
        text += (how.withStyles ? style.to(run) : '') + (how.escapes ? run.text.replaceAll('\\', '\\\\') : run.text);
        col = run.col + run.cols;
      }
      if (!how.keepsBlanks) text = text.replace(/ +$/, '');
      return `${text}\n`;
    })
    .join('');
}

type Look = Pick<CapturedRun, 'fg' | 'bg' | 'attributes' | 'underline' | 'underline_color'>;

const PLAIN: Look = {};

/** Attributes by their SGR, in the order in which tmux writes them. */
const CODES =
  'bold 1 dim 2 italic 3 underline 4 blink 5 inverse 7 invisible 8 strikethrough 9 overline 53'
    .match(/\S+ \d+/g)
    ?.map((pair) => pair.split(' ') as [string, string]) ?? [];

const UNDERLINES: Readonly<Record<string, string>> = { double: '4:2', curly: '4:3', dotted: '4:4', dashed: '4:5' };

class Style {
  readonly #escape: string;
  #now: Look = PLAIN;

  constructor(escape: string) {
    this.#escape = escape;
  }

  /** Sequences from the style until now to this one (grid_string_cells_code). */
  to(next: Look): string {
    const before = this.#now;
    this.#now = next;
    const [had, has] = [attributesOf(before), attributesOf(next)];
    const loses = [...had].some((one) => !has.has(one));
    let out = '';
    const codes: (string | number)[] = [];
    if (loses) codes.push(0);
    const known = loses ? new Set<string>() : had;
    for (const [name, code] of CODES) {
      if (has.has(name) && !known.has(name)) {
        codes.push(name === 'underline' ? (UNDERLINES[next.underline ?? ''] ?? code) : code);
      }
    }
    if (codes.length > 0) out += `${this.#escape}[${codes.join(';')}m`;
    const [oldFg, oldBg] = [colour(before.fg, 30), colour(before.bg, 40)];
    const [fg, bg] = [colour(next.fg, 30), colour(next.bg, 40)];
    if (fg !== oldFg || loses) out += `${this.#escape}[${fg === '' ? 39 : fg}m`;
    if (bg !== oldBg || loses) out += `${this.#escape}[${bg === '' ? 49 : bg}m`;
    return out;
  }
}

function attributesOf({ attributes = [], underline }: Look): Set<string> {
  return new Set([...attributes, ...(underline === undefined ? [] : ['underline'])]);
}

function colour(given: number | string | undefined, base: number): string {
  if (given === undefined) return '';
  if (typeof given === 'string') {
    const parts = [1, 3, 5].map((at) => Number.parseInt(given.slice(at, at + 2), 16));
    return `${base + 8};2;${parts.join(';')}`;
  }
  if (given < 8) return String(base + given);
  return given < 16 ? String(base + 60 + given - 8) : `${base + 8};5;${given}`;
}
