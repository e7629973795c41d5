/** What a program that was killed, or a hand at the keyboard, leaves in a terminal before the command that is judged. */
import type { DrawnShell } from './settings.js';

export interface Leftover {
  readonly name: string;
  /** Bytes that a program prints, which is then ended by SIGKILL. */
  readonly printed?: string;
  /** Keys that are typed at the prompt and not submitted. */
  readonly typed?: string;
  /** A line that the shell runs, before the keys. */
  readonly line?: string;
  /** Where only some shells can go on after it. */
  readonly shells?: readonly DrawnShell[];
  /** It stands in the way of a line that is typed: `shell_busy` is right as well. */
  readonly mayRefuse?: true;
  /** It is on the command line, and a line that is typed is added to it. */
  readonly isInTheWay?: true;
  /** A client has typed it: nobody but a client may take it away, so that a refusal is the one right answer. */
  readonly isOfClient?: true;
  /** Rows may be dropped instead of kept above the screen. */
  readonly dropsRows?: true;
  /** Text that is written over other text comes out otherwise. */
  readonly shapes?: true;
  /** Lines longer than the screen are cut. */
  readonly cuts?: true;
  /** Another program hands on the output: what is printed may come after the end, and all of it is the program's. */
  readonly isLate?: true;
  /** What a job prints comes whenever it comes. */
  readonly isJob?: true;
  /** A shell with `set -e` ends by it. */
  readonly fails?: true;
  /** Letters come out as those of this charset. */
  readonly isLineDrawing?: true;
}

const ESC = '\u001b';

export const LEFTOVERS: readonly Leftover[] = [
  { name: 'the alternate screen', printed: `${ESC}[?1049h${ESC}[2J${ESC}[HA MENU\r\n`, dropsRows: true },
  { name: 'a scroll region', printed: `${ESC}[2J${ESC}[3;9r${ESC}[3;1H`, dropsRows: true },
  { name: 'a scroll region as of apt', printed: `\n${ESC}7${ESC}[1;23r${ESC}8${ESC}[1A` },
  { name: 'a charset', printed: `${ESC}(0`, isLineDrawing: true },
  { name: 'wrap off', printed: `${ESC}[?7l`, cuts: true },
  { name: 'kitty flags 1', printed: `${ESC}[>1u`, mayRefuse: true },
  { name: 'kitty flags 31', printed: `${ESC}[>31u`, mayRefuse: true },
  { name: 'modifyOtherKeys', printed: `${ESC}[>4;2m`, mayRefuse: true },
  { name: 'bracketed paste', printed: `${ESC}[?2004h`, mayRefuse: true },
  { name: 'mouse', printed: `${ESC}[?1003h${ESC}[?1006h` },
  { name: 'a hidden cursor', printed: `${ESC}[?25l` },
  { name: 'application keys', printed: `${ESC}[?1h${ESC}=` },
  { name: 'focus reports', printed: `${ESC}[?1004h` },
  { name: 'a synchronized update', printed: `${ESC}[?2026h` },
  { name: 'insert mode', printed: `${ESC}[4h`, shapes: true },
  { name: 'a pen', printed: `${ESC}[1;7;31m` },
  { name: 'a title and a link', printed: `${ESC}]2;left over${ESC}\\${ESC}]8;;http://example.org${ESC}\\` },
  {
    name: 'answers that were not read',
    printed: `${ESC}[c${ESC}]11;?${ESC}\\${ESC}[6n`,
    mayRefuse: true,
    isInTheWay: true,
  },
  { name: 'a line typed and erased', typed: 'echo never\u0015' },
  { name: 'a half line', typed: 'echo half', mayRefuse: true, isInTheWay: true, isOfClient: true },
  { name: 'blanks', typed: '   ', mayRefuse: true, isInTheWay: true, isOfClient: true },
  {
    name: 'a search in the history',
    typed: '\u0012x',
    shells: ['bash', 'zsh', 'fish'],
    mayRefuse: true,
    isInTheWay: true,
    isOfClient: true,
  },
  {
    name: 'an escape',
    typed: ESC,
    shells: ['bash', 'zsh', 'fish'],
    mayRefuse: true,
    isInTheWay: true,
    isOfClient: true,
  },
  { name: 'many lines', line: 'seq 60' },
  { name: 'a failed command', line: 'sh -c "exit 9"', fails: true },
  { name: 'a clear', line: 'clear' },
  {
    name: 'a background job that prints',
    line: '(sleep 0.2; echo late) &',
    shells: ['bash', 'dash', 'ash', 'mksh'],
    isJob: true,
  },
];

/** DEC Special Graphics: what letters look like while it is in use. */
const DRAWN: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·').map((glyph, at) => [String.fromCharCode(0x60 + at), glyph]),
);

export function inLineDrawing(line: string): string {
  return line.replaceAll(/[_-~]/g, (letter) => (letter === '_' ? ' ' : (DRAWN[letter] ?? letter)));
}

export function fromLineDrawing(line: string): string {
  const letters = new Map(Object.entries(DRAWN).map(([letter, glyph]) => [glyph, letter]));
  return Array.from(line, (glyph) => letters.get(glyph) ?? glyph).join('');
}
