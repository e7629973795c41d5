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

/** Whether it submits a line, or drops one. */
export function endsLine(input: string): boolean {
  return /[\r\n]/.test(input) || interrupts(input);
}

/**
 * A lone Escape (the commands of vi, an argument), a search (Ctrl+R, Ctrl+S), the next key as it is (Ctrl+V, Ctrl+Q), a
 * prefix (Ctrl+X), a paste without its end.
 */
// oxlint-disable-next-line no-control-regex
const ENTERS_MODE = /[\x11-\x13\x16\x18]|\x1b(?![[O])|\x1b\[200~/;

/** Whether a line editor may take what is typed next for something else than text. @param before whether it might before */
export function leavesMode(input: string, before: boolean): boolean {
  const parts = input
    .replaceAll(PASTE, '')
    .split(/[\r\n]/)
    .flatMap((line) => line.split(CTRL_C));
  return ENTERS_MODE.test(parts.at(-1) ?? '') || (parts.length === 1 && before);
}
