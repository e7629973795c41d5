/**
 * The effect of input on a line editor, judged by its bytes: Enter submits a line, Ctrl+C drops it. Shells ask for the
 * kitty keyboard protocol at their prompts (fish 4), in which both may be sequences.
 */

/** `CSI 99 ; 5 u` with its optional fields, and xterm's form of the same. */
// oxlint-disable-next-line no-control-regex
const CTRL_C = /\x03|\x1b\[99(?::\d*)*;5(?::1)?u|\x1b\[27;5;99~/;
// oxlint-disable-next-line no-control-regex
const PASTE = /\x1b\[200~.*?\x1b\[201~/gs;

/** Lines that Enter submits; in a bracketed paste a line break is text. */
export function submittedLines(input: string): number {
  return input.replaceAll(PASTE, '').match(/\r\n?|\n/g)?.length ?? 0;
}

export function interrupts(input: string): boolean {
  return CTRL_C.test(input);
}

/** Whether it drops the text typed before it, and submits no line after that. */
export function dropsLine(input: string): boolean {
  return CTRL_C.test(input.split(/[\r\n]/).at(-1) ?? '');
}

/** Whether text is on the command line afterwards. @param before whether there was some */
export function leavesText(input: string, before: boolean): boolean {
  const parts = input.split(/[\r\n]/).flatMap((line) => line.split(CTRL_C));
  return parts.at(-1) !== '' || (parts.length === 1 && before);
}

/** Blanks, and what begins a key or a search. */
// oxlint-disable-next-line no-control-regex
const WORTHLESS = /^[ \x12\x13\x18\x1b]*$/;

/** Whether more than that is on the command line afterwards. @param before whether more was there */
export function leavesWords(input: string, before: boolean): boolean {
  const parts = input.split(/[\r\n]/).flatMap((line) => line.split(CTRL_C));
  return !WORTHLESS.test(parts.at(-1) ?? '') || (parts.length === 1 && before);
}

/** Whether it submits a line, or drops one. */
export function endsLine(input: string): boolean {
  return /[\r\n]/.test(input) || interrupts(input);
}

/** Whether the kernel keeps a part of the input until the line ends. */
export function leavesKept(input: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const [last = ''] = input.split(/[\r\n\x15]/).slice(-1);
  return leavesWords(last, false);
}

/** Whether the kernel keeps nothing from before the input: after Enter, Ctrl+C and Ctrl+U. */
export function dropsKept(input: string): boolean {
  return endsLine(input) || input.includes('\x15');
}

/**
 * What a line editor takes the next key for: text, the key as it is whichever it is, or something that cannot be told. `interrupted`:
 * Ctrl+C came while it could not be told; readline keeps its line if it waits for the rest of a key then.
 */
export type EditorMode = 'text' | 'quote' | 'unknown' | 'interrupted';

/** A lone Escape (the commands of vi, an argument), a search (Ctrl+R, Ctrl+S), a prefix (Ctrl+X), a paste without its end. */
// oxlint-disable-next-line no-control-regex
const ENTERS_MODE = /[\x12\x13\x18]|\x1b(?![[O])|\x1b\[200~/;
/** Ctrl+V, Ctrl+Q, and the key after it: even a Ctrl+C is then text. */
// oxlint-disable-next-line no-control-regex
const QUOTED = /[\x11\x16][^]/g;
// oxlint-disable-next-line no-control-regex
const QUOTES_NEXT = /[\x11\x16]$/;

/** Whether it may leave a line editor in another mode. */
export function entersMode(input: string): boolean {
  return editorModeAfter(input, 'text') !== 'text';
}

export function editorModeAfter(input: string, before: EditorMode): EditorMode {
  if (input === '') return before;
  const rest = (before === 'quote' ? input.slice(1) : input).replaceAll(PASTE, '').replaceAll(QUOTED, '');
  const parts = rest.split(/[\r\n]/).flatMap((line) => line.split(CTRL_C));
  const last = parts.at(-1) ?? '';
  if (QUOTES_NEXT.test(last)) return 'quote';
  if (ENTERS_MODE.test(last)) return 'unknown';
  if (parts.length === 1) return before === 'text' || before === 'interrupted' ? before : 'unknown';
  const lines = rest.split(/[\r\n]/);
  const keys = (lines.at(-1) ?? '').split(CTRL_C).slice(0, -1);
  const isOfMode = keys.some((each) => ENTERS_MODE.test(each)) || (lines.length === 1 && before !== 'text');
  return keys.length > 0 && isOfMode ? 'interrupted' : 'text';
}
