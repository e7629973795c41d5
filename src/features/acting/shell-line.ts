/** The bytes that make a shell run something when they are typed at its prompt. */
import { T4aError } from '../../protocol/errors.js';
import type { InputModes } from '../../vt/input-modes.js';
import { encodeKey } from '../../vt/keys/encode-key.js';
import { encodePaste } from '../../vt/paste.js';

/** Words as one line for that shell, quoted where necessary. @param shell its name; if unknown, POSIX rules apply */
export function shellLine(words: readonly string[], shell: string | undefined): string {
  const quote = QUOTES[shell ?? ''] ?? quoteForPosix;
  return words.map((word) => (PLAIN_WORD.test(word) ? word : quote(word))).join(' ');
}

const QUOTES: Readonly<Record<string, (word: string) => string>> = {
  bash: quoteForBash,
  zsh: quoteForBash,
  fish: quoteForFish,
};

/** No character with a meaning to a shell, at the beginning of a word (`=`, `~`) or within it. */
const PLAIN_WORD = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

function quoteForPosix(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Control characters are escaped: they would act as keys, and bash expands `^` and `!` in each line. */
function quoteForBash(word: string): string {
  if (word.search(CONTROLS) === -1) return quoteForPosix(word);
  const body = word.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(/[!^]/g, spelled);
  return `$'${body.replaceAll(CONTROLS, spelled)}'`;
}

function quoteForFish(word: string): string {
  const body = word.replaceAll(/['\\]/g, String.raw`\$&`);
  return `'${body.replaceAll(CONTROLS, (control) => `'${spelled(control).replaceAll('x', 'X')}'`)}'`;
}

/** C0, DEL, C1. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x1f\x7f-\x9f]/gu;

/** Byte by byte, in UTF-8. */
function spelled(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * The line and Enter, for one write.
 * @throws T4aError invalid_field if the shell would not get the line unchanged
 */
export function typedLine(
  line: string,
  modes: InputModes,
  { field, dropsTabs = false }: { readonly field: string; readonly dropsTabs?: boolean },
): Uint8Array {
  const { open, body, close, removed } = encodePaste(line, modes);
  if (removed > 0) {
    throw new T4aError('invalid_field', `"${field}" of "run" holds control characters, which a shell reads as keys.`, {
      field,
      hint: 'Escape them for the shell: $\'\\x1b\', or "printf".',
    });
  }
  // Each line would run by itself, and a tab would ask for completions.
  if (open === '' && /[\r\t]/.test(body)) {
    throw new T4aError(
      'invalid_field',
      `"${field}" of "run" has line breaks or tabs, and the shell has bracketed paste off.`,
      {
        field,
        hint: 'Give one line without tabs, or turn on bracketed paste in the shell.',
      },
    );
  }
  if (dropsTabs && body.includes('\t')) {
    throw new T4aError('invalid_field', `"${field}" of "run" has tabs, which fish before version 4 drops.`, {
      field,
      hint: String.raw`Write \t outside of quotes, or give words: t4a run --id NAME -- COMMAND ARGUMENT`,
    });
  }
  return Buffer.from(open + body + close + encodeKey({ key: 'Enter', modifiers: 0 }, modes), 'utf8');
}
