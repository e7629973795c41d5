/** A frozen screen without the oldest lines of its scrollback, as if the terminal had lost them. */
import type { WholeScreen } from './whole-screen.js';

/** @param most lines that are kept above the viewport of the normal screen; its limit stays as it is */
export function cutScrollback(whole: WholeScreen, most: number): WholeScreen {
  const { state, firstLine, rows } = whole;
  const { normal } = state.emulator;
  const lost = Math.max(0, normal.lines.length - rows - most);
  if (lost === 0) return whole;
  // Copied: all lines are views of one block, which would stay.
  const lines = normal.lines.slice(lost).map((line) => ({ ...line, words: line.words.slice() }));
  const emulator = { ...state.emulator, normal: { ...normal, lines } };
  return { ...whole, firstLine: firstLine + lost, state: { ...state, emulator } };
}
