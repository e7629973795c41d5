import { describe, expect, test } from 'vitest';
import type { Invocation } from '../../../src/cli/argv/invocation.js';
import { assignPositionals } from '../../../src/cli/argv/positionals.js';
import type { CommandSyntax } from '../../../src/cli/argv/syntax.js';
import { readValue } from '../../../src/cli/argv/values.js';

describe('a value of type json', () => {
  test('is parsed as JSON', () => {
    expect(readValue({ type: 'json' }, '[{"text":"x"}]', '--until')).toEqual([{ text: 'x' }]);
    expect(readValue({ type: 'json' }, 'true', '--until')).toBe(true);
  });

  test('is refused if it is invalid JSON', () => {
    expect(() => readValue({ type: 'json' }, '{text:x}', '--until')).toThrow('--until is "{text:x}": expected JSON.');
  });
});

describe('an argument that takes all words after an id', () => {
  const keys: CommandSyntax = {
    name: 'keys',
    summary: '',
    group: 'act',
    positionals: [
      { field: 'id', label: 'id', type: 'string' },
      { field: 'keys', label: 'key', type: 'string', rest: true },
    ],
    flags: [],
    examples: [],
  };

  function assigned(...values: string[]): Record<string, unknown> {
    const invocation: Invocation = { command: keys, params: {}, options: {} };
    assignPositionals(invocation, values);
    return invocation.params;
  }

  test('takes every word after the id', () => {
    expect(assigned('t1', 'Escape', 'Enter')).toEqual({ id: 't1', keys: ['Escape', 'Enter'] });
  });

  test('takes a single word instead of the id, and requires one', () => {
    expect(assigned('Enter')).toEqual({ keys: ['Enter'] });
    expect(() => assigned()).toThrow('"keys" needs key.');
  });
});
