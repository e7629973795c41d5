/** Conditions of `wait`: each flag is one, of the fields that the request has. */
import { T4aError } from '../../protocol/errors.js';
import type { Fields } from '../argv/invocation.js';

/** Flags whose value is the condition's, by their key among the options. */
const CONDITION_OF: Readonly<Record<string, (value: unknown) => Fields>> = {
  text: (text) => ({ text }),
  regex: (regex) => ({ regex }),
  gone: (gone) => ({ gone }),
  idle_ms: (idleMs) => ({ idle_ms: idleMs }),
  settled_ms: (settledMs) => ({ settled_ms: settledMs }),
  done: () => ({ done: true }),
  exit: () => ({ exit: true }),
  event: (event) => ({ event }),
  doing: (doing) => ({ doing }),
  control: (control) => ({ control }),
  published: (published) => ({ published }),
  input: () => ({ awaiting_input: true }),
  input_kind: (kind) => ({ awaiting_input: kind }),
  changed_since: (rev) => ({ changed_since: rev }),
  output_since: (bytes) => ({ output_since: bytes }),
};

/** Whether an event is of no terminal, as those that clients publish; everything else is of one. */
export function isOfNoTerminal(options: Fields): boolean {
  if (options['published'] === undefined) return false;
  return [...Object.keys(CONDITION_OF), 'fail'].every((key) => key === 'published' || options[key] === undefined);
}

/** @throws T4aError `usage` without a condition */
export function waitConditions(options: Fields): Fields {
  const until = Object.entries(CONDITION_OF).flatMap(([key, condition]) =>
    options[key] === undefined ? [] : [options[key]].flat().map(condition),
  );
  if (until.length === 0) {
    throw new T4aError('usage', '"wait" needs a condition.', { hint: 't4a wait --help' });
  }
  const fail = options['fail'] === undefined ? [] : [options['fail']].flat().map((regex) => ({ regex }));
  return { until, ...(fail.length === 0 ? {} : { fail }) };
}
