/** Output as text that models read: without escape sequences, cut where nothing is split. */

const ESC = '\x1b';
/** Nothing that is longer is waited for: the rest of it is read as text. */
const MAX_SEQUENCE_BYTES = 4096;

/** https://ecma-international.org/publications-and-standards/standards/ecma-48/: CSI, strings (OSC, DCS, SOS, PM, APC, names of screen), and two bytes. */
const SEQUENCE = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_k][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])`;
const WHOLE = new RegExp(SEQUENCE, 'y');
const LEFT_OUT = new RegExp(String.raw`${SEQUENCE}|[\x00-\x08\x0b-\x1f\x7f]`, 'g');
/** One that has begun, and has not ended. */
const OPEN = new RegExp(String.raw`^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_k][^\x07\x1b]*\x1b?|[ -/]*)$`);

export function withoutEscapes(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(LEFT_OUT, '');
}

/** The length of the bytes up to what is not whole: a character, or with `escapes` a sequence. All of them if that would be none. */
export function wholeLength(bytes: Uint8Array, escapes: boolean): number {
  const length = Math.min(wholeCharacters(bytes), escapes ? wholeSequences(bytes) : bytes.length);
  return length === 0 ? bytes.length : length;
}

function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 4 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function wholeSequences(bytes: Uint8Array): number {
  // Perhaps of a line break.
  if (bytes.at(-1) === 0x0d) return bytes.length - 1;
  const from = Math.max(0, bytes.length - MAX_SEQUENCE_BYTES);
  const text = Buffer.from(bytes.subarray(from)).toString('latin1');
  for (let at = text.indexOf(ESC); at !== -1;) {
    if (OPEN.test(text.slice(at))) return from + at;
    WHOLE.lastIndex = at;
    at = text.indexOf(ESC, at + (WHOLE.exec(text)?.[0].length ?? 1));
  }
  return bytes.length;
}

/** Lines without trailing blanks; of several blank ones one is left, and none at the ends. */
export function joinedBlanks(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}
