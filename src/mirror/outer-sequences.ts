/**
 * Every sequence that t4a itself writes to the terminal of a person, in one table: who writes it, when, and how it is undone. Text of
 * programs, files and other hosts has no way into it: numbers are made numbers here, and words are cut to text.
 * test/mirror/outer-sequences.test.ts finds sequences that are written elsewhere.
 *
 * What a program has printed comes as text and SGR (cli/output/sanitize.ts, cli/output/live-text.ts, mirror/ansi-row.ts).
 */
import { safeText } from './safe-text.js';

export interface OuterSequence {
  readonly on: string;
  /** Written at the end by the same writer; without it, there is nothing to undo. */
  readonly off?: string;
  /** Commands. */
  readonly by: string;
  readonly when: string;
}

const SCREEN = 'attach, play, view';
const PROGRAM = 'while the program in the terminal has this mode';

/** DEC private modes and the like. https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
export const OUTER = {
  alternateScreen: { on: '\x1b[?1049h', off: '\x1b[?1049l', by: SCREEN, when: 'from the first frame to the last' },
  noAutowrap: { on: '\x1b[?7l', off: '\x1b[?7h', by: SCREEN, when: 'on the alternate screen: a long row is cut' },
  hiddenCursor: {
    on: '\x1b[?25l',
    off: '\x1b[?25h',
    by: SCREEN,
    when: 'where the screen shows none, and while a frame is drawn',
  },
  clearScreen: { on: '\x1b[2J', by: SCREEN, when: 'the first frame, and after a change of size: the alternate screen' },
  synchronizedUpdate: { on: '\x1b[?2026h', off: '\x1b[?2026l', by: SCREEN, when: 'around each frame' },
  eraseRow: { on: '\x1b[K', by: `${SCREEN}, export`, when: 'before a row or a line of progress is written' },
  resetStyle: { on: '\x1b[0m', by: 'all', when: 'after styled text' },
  bracketedPaste: { on: '\x1b[?2004h', off: '\x1b[?2004l', by: 'attach', when: 'from the first frame to the last' },
  applicationCursor: { on: '\x1b[?1h', off: '\x1b[?1l', by: 'attach', when: PROGRAM },
  applicationKeypad: { on: '\x1b=', off: '\x1b>', by: 'attach', when: PROGRAM },
  backarrow: { on: '\x1b[?67h', off: '\x1b[?67l', by: 'attach', when: PROGRAM },
  focusReporting: { on: '\x1b[?1004h', off: '\x1b[?1004l', by: 'attach', when: PROGRAM },
  mouseNormal: { on: '\x1b[?1000h', off: '\x1b[?1000l', by: 'attach', when: PROGRAM },
  mouseButton: { on: '\x1b[?1002h', off: '\x1b[?1002l', by: 'attach', when: PROGRAM },
  mouseAny: { on: '\x1b[?1003h', off: '\x1b[?1003l', by: 'attach', when: PROGRAM },
  /** Reports come in the SGR encoding: the daemon encodes them again, as the program wants them. */
  mouseSgr: { on: '\x1b[?1006h', off: '\x1b[?1006l', by: 'attach', when: 'with a mode of the mouse' },
  /** The terminal keeps a stack for each screen: popped before the screen is left. */
  kittyKeys: { on: '\x1b[>0u', off: '\x1b[<u', by: 'attach', when: 'in terminals that have reported the protocol' },
  askKittyKeys: { on: '\x1b[?u', by: 'attach', when: 'at the start' },
  /** Every terminal answers DA1, after all that was asked before it. */
  askAttributes: { on: '\x1b[c', by: 'attach, screenshot', when: 'after questions, and at the end, as a fence' },
  /** A query of the kitty protocol for pictures, and XTVERSION. */
  askPictures: {
    on: '\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>q',
    by: 'screenshot',
    when: 'before a picture is shown',
  },
  bell: { on: '\x07', by: 'attach', when: 'a bell of the terminal that is shown, and a question of an agent' },
} as const satisfies Readonly<Record<string, OuterSequence>>;

/** Sequences with a value. The values of `on` are examples, which tests look for. */
export const OUTER_WITH_VALUE = {
  style: {
    on: '\x1b[1;31m',
    off: OUTER.resetStyle.on,
    by: 'all',
    when: 'styles of t4a itself, and of the cells of a program',
  },
  /** Links of http, https and mailto alone, see cli/output/sanitize.ts. */
  link: {
    on: '\x1b]8;;https://a\x1b\\',
    off: '\x1b]8;;\x1b\\',
    by: 'text --format ansi, output, play',
    when: 'links of a program',
  },
  cursorTo: { on: '\x1b[1;1H', by: SCREEN, when: 'before each row, and for the cursor of a frame' },
  column: { on: '\x1b[1G', by: 'attach, view', when: 'after a character whose width is not certain' },
  withinLine: {
    on: '\x1b[1K',
    by: 'run, play --plain',
    when: 'a program erases or moves within its line (K, G, C, D): a bar of progress',
  },
  cursorShape: { on: '\x1b[2 q', off: '\x1b[0 q', by: 'attach', when: 'as the program has set it' },
  kittyFlags: { on: '\x1b[=1;1u', off: OUTER.kittyKeys.off, by: 'attach', when: PROGRAM },
  notification: { on: '\x1b]9;t4a: text\x07', by: 'attach', when: 'a question of an agent, once' },
  clipboard: {
    on: '\x1b]52;c;YQ==\x07',
    by: 'attach',
    when: 'a person copies what they have selected, and has agreed',
  },
  kittyPicture: {
    on: '\x1b_Ga=T,f=100,q=2,m=0;AAAA\x1b\\',
    by: 'screenshot',
    when: 'a picture for a terminal that shows them',
  },
  itermPicture: { on: '\x1b]1337;File=inline=1;size=3:AAAA\x07', by: 'screenshot', when: 'the same' },
  sixelPicture: { on: '\x1bP0;1q"1;1;1;1#0~\x1b\\', by: 'screenshot', when: 'the same' },
} as const satisfies Readonly<Record<string, OuterSequence>>;

/** @param parameters of SGR; empty for the default style */
export function style(parameters: string): string {
  return `\x1b[${parameters.replaceAll(/[^\d;:]/g, '')}m`;
}

/** @param final K, G, C or D */
export function withinLine(parameters: string, final: string): string {
  return `\x1b[${parameters.replaceAll(/\D/g, '').slice(0, 4)}${final}`;
}

/** @param row and column from 0 */
export function cursorTo(row: number, col: number): string {
  return `\x1b[${place(row)};${place(col)}H`;
}

/** @param col from 0 */
export function column(col: number): string {
  return `\x1b[${place(col)}G`;
}

/** DECSCUSR. */
export function cursorShape(shape: number): string {
  return `\x1b[${whole(shape)} q`;
}

export function kittyFlags(flags: number): string {
  return `\x1b[=${whole(flags)};1u`;
}

/**
 * OSC 9. Its first word is fixed: some terminals take a number there for a command.
 * @param maxLength in characters
 */
export function notification(text: string, maxLength: number): string {
  return `\x1b]9;${Array.from(safeText(`t4a${text}`))
    .slice(0, maxLength)
    .join('')}\x07`;
}

/** OSC 52. @param text words of a program, to be pasted by a person: without controls other than line breaks */
export function clipboard(text: string): string {
  const lines = text.split('\n').map((line) => safeText(line));
  const bytes = new TextEncoder().encode(lines.join('\n'));
  return `\x1b]52;c;${base64Of(bytes)}\x07`;
}

/** https://sw.kovidgoyal.net/kitty/graphics-protocol/#remote-client */
export function kittyPicture(keys: string, base64: string): string {
  return `\x1b_G${keys};${base64}\x1b\\`;
}

/** https://iterm2.com/documentation-images.html */
export function itermPicture(bytes: number, base64: string): string {
  return `\x1b]1337;File=inline=1;size=${whole(bytes)}:${base64}\x07`;
}

/** https://vt100.net/docs/vt3xx-gp/chapter14.html P2 = 1: pixels that no colour sets stay as they are. */
export function sixelPicture(data: string): string {
  return `\x1bP0;1q${data}\x1b\\`;
}

/** Frames come from daemons of other hosts, too: a number there may be a text. */
function whole(value: unknown): number {
  const number = Math.trunc(Number(value));
  return number > 0 && number < 1e9 ? number : 0;
}

/** Base64 of bytes, in browsers and in Node. */
function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function place(index: unknown): number {
  return whole(Number(index) + 1) || 1;
}
