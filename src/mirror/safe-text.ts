/**
 * Text of a program made fit for a person's terminal. A security measure: the screen, a title or a name may hold
 * anything, and a terminal obeys what is printed on it.
 */

// C0, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides, isolates and marks.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text without the characters that a terminal acts on. */
export function safeText(text: string): string {
  return text.replaceAll(UNSAFE, '');
}
