/**
 * Text of unknown origin (titles, names of processes) made fit for a person's terminal: control characters, and the marks
 * that reorder the text around them, are shown as escapes and do nothing. A security measure: a title may hold anything.
 */

// C0, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides, isolates and marks.
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
