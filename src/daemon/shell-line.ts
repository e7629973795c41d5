/** What is typed at a shell's prompt to have it run something. */
import { T4aError } from '../protocol/errors.js';
import type { InputModes } from '../vt/input-modes.js';
import { encodeKey } from '../vt/keys/encode-key.js';
import { encodePaste } from '../vt/paste.js';

/** Words as one line of that shell, each quoted where it needs to be. @param shell its name; of an unknown one, POSIX is assumed */
export function shellLine(words: readonly string[], shell: string | undefined): string {
  const quote = shell === 'fish' ? quoteForFish : quoteForPosix;
  return words.map((word) => (PLAIN_WORD.test(word) ? word : quote(word))).join(' ');
}

/** Without any character that means something to a shell, at the beginning of a word (`=`, `~`) or within it. */
const PLAIN_WORD = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

function quoteForPosix(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForFish(word: string): string {
  return `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}

/**
 * The line and Enter, to be written at once.
 * @throws T4aError invalid_field where the shell would not get it as it is
 */
export function typedLine(line: string, modes: InputModes, field: string): Uint8Array {
  const { open, body, close, removed } = encodePaste(line, modes);
  if (removed > 0) {
    throw new T4aError('invalid_field', `"${field}" of "run" holds control characters, which a shell takes for keys.`, {
      field,
      hint: 'Spell them for the shell: $\'\\x1b\', or "printf".',
    });
  }
  // Each line would be run by itself, and a tab would ask for completions.
  if (open === '' && /[\r\t]/.test(body)) {
    throw new T4aError('invalid_field', `"${field}" of "run" has line breaks or tabs, and the shell takes no pastes.`, {
      field,
      hint: 'Give one line without tabs, or have the shell turn bracketed paste on.',
    });
  }
  return Buffer.from(open + body + close + encodeKey({ key: 'Enter', modifiers: 0 }, modes), 'utf8');
}
