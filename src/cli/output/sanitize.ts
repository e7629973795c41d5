/**
 * What goes to a person's terminal, made harmless whatever a program has put on the screen: of control sequences only SGR and
 * links to the web or to mail pass, and of control characters newline and tab. Links elsewhere and sizes of lines are left out of it. Everything
 * else, and the marks that turn the direction of text around, is shown as `\uXXXX`, which within JSON is still the same JSON.
 *
 * A security measure: a terminal obeys what is printed on it. Into files and pipes everything goes unchanged.
 */
const SGR = '\\u001b\\[[0-9;:]*m';
/** Link of plain ASCII; without a target it ends one. */
const LINK = '\\u001b\\]8;[\\w=:-]*;([!-~]*)\\u001b\\\\';
const LINE_SIZE = '(\\u001b#[3-6])';
// C0 but tab and newline, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides, isolates, marks.
const ARMED = '([\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069])';

const LOOKED_AT = new RegExp(`${SGR}|${LINK}|${LINE_SIZE}|${ARMED}`, 'g');

/** A click on any other may open a file or start a program. The emulator has no longer ones. */
const HARMLESS_TARGET = /^(?:(?:https?:|mailto:).{0,2078})?$/i;

export function sanitize(text: string): string {
  return withoutHarm(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`);
}

/** Row that has its place on a screen: what is not harmless is left out. */
export function sanitizeRow(row: string): string {
  return withoutHarm(row, () => '');
}

function withoutHarm(text: string, shown: (code: number) => string): string {
  return text.replaceAll(LOOKED_AT, (found: string, target?: string, size?: string, armed?: string) => {
    if (armed !== undefined) return shown(armed.charCodeAt(0));
    if (size !== undefined) return '';
    if (target === undefined) return found;
    return HARMLESS_TARGET.test(target) ? found : '';
  });
}
