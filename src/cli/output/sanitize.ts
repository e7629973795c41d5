/**
 * What goes to a person's terminal, made harmless whatever a program has put on the screen: of control sequences only
 * those of `text --ansi` pass, and of control characters newline and tab. Everything else, and the marks that turn
 * the direction of text around, is shown as `\uXXXX`, which within JSON is still the same JSON.
 *
 * A security measure: a terminal obeys what is printed on it. Into files and pipes everything goes unchanged.
 */

/** SGR, the sizes of lines, and links whose target is plain ASCII: what `text --ansi` is made of. */
const HARMLESS = ['\u001b\\[[0-9;:]*m', '\u001b#[3-6]', '\u001b\\]8;[\\w=:-]*;[!-~]*\u001b\\\\'];
// C0 but tab and newline, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides, isolates, marks.
const ARMED = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]';

const PASSES_OR_NOT = new RegExp(`${HARMLESS.join('|')}|(${ARMED})`, 'g');

export function sanitize(text: string): string {
  return text.replaceAll(PASSES_OR_NOT, (found: string, armed: string | undefined) =>
    armed === undefined ? found : `\\u${armed.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
