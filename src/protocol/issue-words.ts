/** Words for what was expected of a value: those of the schema library are for programmers. */
import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Rest of a sentence; empty if a value is missing, which says it all. */
export function issueWords(issue: z.core.$ZodIssue, isMissing: boolean): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? '' : `expected ${TYPES[issue.expected] ?? 'another type'}`;
    case 'too_small':
      return `expected ${amount(issue.origin, issue.minimum, 'or more')}`;
    case 'too_big':
      return `expected ${amount(issue.origin, issue.maximum, 'at most')}`;
    case 'invalid_value':
      return `expected ${oneOf(issue.values.map(String))}`;
    case 'invalid_union':
      return isMissing ? '' : unionWords(issue);
    default:
      return lowerFirst(ownMessage(issue));
  }
}

function amount(origin: string, bound: number | bigint, side: 'or more' | 'at most'): string {
  const unit = UNITS[origin];
  const many = unit === undefined ? String(bound) : `${bound} ${Number(bound) === 1 ? unit : `${unit}s`}`;
  return side === 'or more' ? `${many} or more` : `at most ${many}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', object: 'field' };

/** Words for what each branch takes; the message of the schema itself if it has one. */
function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  const own = ownMessage(issue);
  if (own !== 'Invalid input') return lowerFirst(own);
  const kinds = issue.errors.map(([first]) =>
    first?.code === 'invalid_type'
      ? (TYPES[first.expected] ?? '')
      : first?.code === 'invalid_value'
        ? oneOf(first.values.map(String))
        : '',
  );
  const known = [...new Set(kinds)];
  return known.includes('') ? 'expected another value' : `expected ${joined(known)}`;
}

function ownMessage({ code, message }: z.core.$ZodIssue): string {
  return code === 'invalid_format' && message.startsWith('Invalid') ? 'not of the expected form' : message;
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** Text as the rest of a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
