/** One value of the command line, from its text to what the request takes. Bounds are the daemon's to check. */
import { nearestWords } from '../../base/nearest.js';
import type { ValueType } from '../../protocol/command.js';
import { T4aError, quote } from '../../protocol/errors.js';

/** `start:end`; either side may be empty. */
export const RANGE = /^(\d*):(\d*)$/;

export interface ValueSyntax {
  readonly type: ValueType;
  readonly values?: readonly string[];
}

/** @param label how a message names it: `--cols`, `timeout_ms` */
export function readValue(syntax: ValueSyntax, text: string, label: string): unknown {
  switch (syntax.type) {
    case 'boolean':
      throw new T4aError('usage', `${label} takes no value.`);
    case 'integer':
      return readNumber(text, /^-?\d+$/, label, 'a whole number');
    case 'number':
      return readNumber(text, /^-?\d+(\.\d+)?$/, label, 'a number');
    case 'name':
      return /^\d+$/.test(text) ? Number(text) : text;
    case 'list':
      return text.split(',').map((item) => readWord(syntax.values, item.trim(), label));
    case 'range':
      return readRange(text, label);
    case 'where':
      return text.trimStart().startsWith('{') ? readJson(text, label) : { labels: readLabels(text.split(','), label) };
    case 'json':
      return readJson(text, label);
    default:
      return readWord(syntax.values, text, label);
  }
}

function readNumber(text: string, pattern: RegExp, label: string, expected: string): number {
  const value = Number(text);
  if (!pattern.test(text) || !Number.isFinite(value)) {
    throw new T4aError('usage', `${label} is ${quote(text)}: expected ${expected}.`);
  }
  return value;
}

function readWord(values: readonly string[] | undefined, text: string, label: string): string {
  if (values === undefined || values.includes(text)) return text;
  const closest = nearestWords(text, values)[0];
  const message = `${label} is ${quote(text)}: expected one of ${values.join(', ')}.`;
  throw new T4aError('usage', message, closest === undefined ? {} : { hint: `Did you mean "${closest}"?`, closest });
}

/** @throws T4aError usage */
export function readLabels(texts: readonly string[], label: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new T4aError('usage', `${label} is ${quote(text)}: expected NAME=VALUE.`);
      return [text.slice(0, equals).trim(), text.slice(equals + 1)] as const;
    }),
  );
}

function readJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new T4aError('usage', `${label} is ${quote(text)}: expected JSON.`);
  }
}

/** The two fields of a `start:end` argument; an empty side is left to the daemon. */
function readRange(text: string, label: string): { start?: number; end?: number } {
  const match = RANGE.exec(text);
  if (match === null) {
    throw new T4aError('usage', `${label} is ${quote(text)}: expected two line numbers and a colon, such as 0:5.`);
  }
  const [, start = '', end = ''] = match;
  return { ...(start === '' ? {} : { start: Number(start) }), ...(end === '' ? {} : { end: Number(end) }) };
}
