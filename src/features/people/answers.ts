/** What a person has written, as the answer to a question of its kind. */
import { T4aError, quote } from '../../protocol/errors.js';
import type { Ask } from './asks.js';

const WORDS: Readonly<Record<string, boolean>> = { yes: true, y: true, no: false, n: false };

/**
 * @param field that has it
 * @throws T4aError invalid_field
 */
export function readAnswer(
  { kind, choices = [], number }: Ask,
  text: string | undefined,
  field = 'text',
): string | boolean {
  if (kind === 'hand') {
    throw wrong(`Question ${number} is a hand: take control of the terminal, and release it.`, 't4a control --help');
  }
  if (text === undefined) throw wrong(`The answer to question ${number} is missing.`, 'Or "decline": true.');
  if (kind === 'confirm') {
    const word = WORDS[text.trim().toLowerCase()];
    if (word === undefined) throw wrong(`The answer to question ${number} is ${quote(text)}: expected yes or no.`);
    return word;
  }
  if (kind !== 'choice') return text;
  const chosen = choices.find((choice) => choice === text) ?? choices[Number(text) - 1];
  if (chosen !== undefined) return chosen;
  const known = choices.map((choice, i) => `${i + 1} ${quote(choice)}`).join(', ');
  throw wrong(`The answer to question ${number} is ${quote(text)}: expected one of ${known}.`, undefined, field);
}

function wrong(message: string, hint = 't4a asks', field = 'text'): T4aError {
  return new T4aError('invalid_field', message, { field, hint });
}
