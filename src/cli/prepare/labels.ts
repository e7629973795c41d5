/** `--set NAME=VALUE` of `label` and `--labels NAME=VALUE` of `create`: an object in the request. */
import { quote, T4aError } from '../../protocol/errors.js';
import type { Fields } from '../argv/invocation.js';

const FIELD_OF: Readonly<Record<string, string>> = { create: 'labels', label: 'set' };

export function withLabels(command: string, params: Fields): Fields {
  const field = FIELD_OF[command];
  const given = field === undefined ? undefined : params[field];
  if (field === undefined || !Array.isArray(given)) return params;
  return { ...params, [field]: Object.fromEntries(given.map((text) => readLabel(String(text), field))) };
}

/** @throws T4aError usage */
export function readLabel(text: string, field: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new T4aError('usage', `--${field} is ${quote(text)}: expected NAME=VALUE.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
