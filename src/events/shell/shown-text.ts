/** Whether text that a screen shows is text that was typed. Pure. */

/** DEC Special Graphics, from 0x60 on: what letters look like after a program has left that charset behind. */
const DRAWN = Array.from('◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·');
const FIRST_DRAWN = 0x60;

/** A tab is shown as spaces. */
export function isShownAs(shown: string, typed: string): boolean {
  return isSame(shown, typed) || (hasDrawn(shown) && isSame(shown.replaceAll('_', ' '), inLineDrawing(typed)));
}

/** Letters may be drawn as lines: what the shell has read is not known then. */
export function mayBeDrawn(shown: string, typed: string): boolean {
  return DRAWN.some((char) => shown.includes(char) && !typed.includes(char));
}

function isSame(shown: string, typed: string): boolean {
  return shown.replaceAll(/\s+/g, ' ').trim() === typed.replaceAll(/\s+/g, ' ').trim();
}

function hasDrawn(text: string): boolean {
  return DRAWN.some((char) => text.includes(char));
}

function inLineDrawing(text: string): string {
  return text.replaceAll(/[_-~]/g, (letter) => DRAWN[letter.charCodeAt(0) - FIRST_DRAWN] ?? ' ');
}
