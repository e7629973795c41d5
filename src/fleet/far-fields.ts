/**
 * Short fields of a far reply, which get into sentences and hints of ours: a number, a word, a name on one line. One of another type or
 * form is left out. What a terminal shows (lines, text, data) is not looked at here. Pure.
 */
import type { Header } from '../client/reply-reader.js';
import { ID } from './far-words.js';

type Is = (value: unknown) => boolean;

const matches =
  (form: RegExp): Is =>
  (value) =>
    typeof value === 'string' && form.test(value);

const isWord = matches(/^[a-z][a-z0-9_]{0,39}$/);
const isId = matches(ID);
const isName = matches(/^[^\p{C}\p{Zl}\p{Zp}]{0,200}$/u);
const isPath = matches(/^[^\p{C}\p{Zl}\p{Zp}]{0,4096}$/u);
const isSignal = matches(/^[A-Z0-9+-]{1,20}$/);
const isNumber: Is = Number.isFinite;
const isNumbers: Is = (value) => Array.isArray(value) && value.every(isNumber);

const NUMBERS = [
  'pid',
  'ask',
  'trigger',
  'rev',
  'seq',
  'exit_code',
  'corrections',
  'generation',
  'elapsed_ms',
  'duration_ms',
  'expires_in_ms',
  'timeout_ms',
  'idle_ms',
  'bytes_sent',
  'removed',
  'left',
  'total',
  'bytes',
  'cols',
  'watchers',
];

/** Checks by name of a field, at any depth. */
const FIELDS: Readonly<Record<string, Is>> = {
  ...fieldsOf(isWord, ['outcome', 'kind', 'reach', 'cause']),
  ...fieldsOf(isId, ['id', 'terminal', 'parent']),
  ...fieldsOf(isName, ['as', 'by', 'was', 'process', 'profile', 'name', 'owner', 'of']),
  ...fieldsOf(isPath, ['file', 'path']),
  ...fieldsOf(isNumber, NUMBERS),
  signal: isSignal,
  survivors: isNumbers,
};

/** Names of objects and lists that have such fields within. */
const PARTS: readonly string[] = [
  'wait',
  'observed',
  'awaiting_input',
  'holder',
  'hold',
  'control',
  'omitted',
  'last_command',
  'requests',
  'ended',
  'ended_processes',
  'triggers',
  'recordings',
  'commands',
  'listeners',
];

const DEEPEST = 4;

export function plainFields(given: Header, depth = 0): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const is = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    if (is !== undefined && value !== null && !(isPart(field) && isObject(value)) && !is(value)) {
      // Its reader has to find one.
      if (field === 'outcome') plain[field] = 'unknown';
      continue;
    }
    const isDeep = isPart(field) && typeof value === 'object' && value !== null;
    if (isDeep && depth >= DEEPEST) continue;
    plain[field] = isDeep ? plainPart(value, depth + 1) : value;
  }
  return plain;
}

function isPart(field: string): boolean {
  return PARTS.includes(field);
}

function plainPart(value: object, depth: number): unknown {
  if (!Array.isArray(value)) return plainFields(value as Header, depth);
  return value.map((one: unknown) => (isObject(one) ? plainFields(one, depth) : one));
}

function isObject(value: unknown): value is Header {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(is: Is, names: readonly string[]): Record<string, Is> {
  return Object.fromEntries(names.map((name) => [name, is]));
}
