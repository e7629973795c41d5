/** `t4a trigger`: conditions as after --wait, and an action a flag. */
import { T4aError } from '../../protocol/errors.js';
import { EXPECTED_DURATION, milliseconds } from '../argv/duration.js';
import type { Fields } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { readLabels } from '../argv/values.js';
import { condition } from './turn.js';

/** Actions in the order in which they are done: what removes the terminal comes last. */
const ACTIONS: readonly [flag: string, action: (value: unknown, options: Fields) => Fields][] = [
  ['label', (given) => ({ label: { set: readLabels([String(given)], '--label') } })],
  ['press', (keys) => ({ press: String(keys).split(' ').filter(Boolean) })],
  ['type', (text, { submit = false }) => ({ type: { text, submit } })],
  ['paste', (text) => ({ paste: text })],
  ['deliver', (text) => ({ deliver: text })],
  ['notify', (notify) => ({ notify })],
  ['ask', (question) => ({ ask: { question } })],
  ['publish', (name) => ({ publish: { name } })],
  ['run', (command) => ({ run: { command } })],
  ['restart', () => ({ restart: true })],
  ['kill', (_, { tree }) => ({ kill: tree === true ? { tree } : true })],
];

/** @throws T4aError usage */
export function triggerFields(params: Fields, options: Fields, host: Host): Fields {
  const conditions = [params['when'] ?? []].flat() as string[];
  const when = conditions.map((given) => own(given) ?? condition(given, host));
  const actions = ACTIONS.flatMap(([flag, action]) =>
    options[flag] === undefined ? [] : [action(options[flag], options)],
  );
  if (when.length === 0 || actions.length === 0) {
    const missing = when.length === 0 ? '--when CONDITION' : 'an action, such as --press KEYS';
    throw new T4aError('usage', `"trigger" needs ${missing}.`, { hint: 't4a trigger --help' });
  }
  return { ...params, when, do: actions };
}

function own(given: string): Fields | undefined {
  const [, word, value = ''] = /^(entry|after)=(.+)$/su.exec(given) ?? [];
  if (word === 'entry') return { entry: { kind: value } };
  if (word !== 'after') return undefined;
  const ms = milliseconds(value);
  if (ms !== undefined) return { after_ms: ms };
  throw new T4aError('usage', `--when after=${value}: expected ${EXPECTED_DURATION}.`);
}
