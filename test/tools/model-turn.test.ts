import { expect, test } from 'vitest';
import { runOrTurn, withPicture, withTurn } from '../../src/tools/model-turn.js';

const SETTLED = { until: { settled_ms: 300 }, timeout_ms: 10_000 };

test.each([
  [{}, { wait: SETTLED, observe: { text: { changed: true, selection: true }, cursor: true } }],
  [
    { wait: { for: 'done' } },
    {
      wait: { ...SETTLED, until: { done: true } },
      observe: { text: { changed: true, selection: true }, cursor: true },
    },
  ],
  [
    { wait: { for: 'exit' } },
    {
      wait: { ...SETTLED, until: { exit: true } },
      observe: { text: { changed: true, selection: true }, cursor: true },
    },
  ],
  [
    { wait: { for: 'input' } },
    {
      wait: { ...SETTLED, until: { awaiting_input: true } },
      observe: { text: { changed: true, selection: true }, cursor: true },
    },
  ],
  [
    { wait: { for: 'Ready.', timeout_ms: 5, fresh: true }, observe: 'image' },
    { wait: { until: { text: 'Ready.' }, timeout_ms: 5, fresh: true }, observe: { screenshot: true } },
  ],
  [
    { wait: { timeout_ms: 5 }, observe: 'both' },
    { wait: { ...SETTLED, timeout_ms: 5 }, observe: { text: { changed: true, selection: true }, screenshot: true } },
  ],
  [{ observe: 'text' }, { wait: SETTLED, observe: { text: { selection: true } } }],
  [{ observe: 'none' }, { wait: SETTLED, observe: {} }],
  // The wire's own forms, and what the daemon refuses.
  [
    { wait: { until: { text: 'x' } }, observe: { cursor: true } },
    { wait: { until: { text: 'x' } }, observe: { cursor: true } },
  ],
  [
    { wait: { for: 3 }, observe: 'all' },
    { wait: { for: 3 }, observe: 'all' },
  ],
  [{ wait: 'done' }, { wait: 'done', observe: { text: { changed: true, selection: true }, cursor: true } }],
])('%j of a model is %j', (given, expected) => {
  expect(withTurn({ id: 't1', ...given }, true)).toEqual({ id: 't1', ...expected });
});

test('without defaults, what is absent stays absent', () => {
  expect(withTurn({ id: 't1' }, false)).toEqual({ id: 't1' });
  expect(withTurn({ wait: { for: 'done' } }, false)).toEqual({ wait: { until: { done: true }, timeout_ms: 10_000 } });
});

test('a command that is run is looked at by its picture only where that is asked for', () => {
  expect(withPicture({ command: 'ls' })).toEqual({ command: 'ls' });
  expect(withPicture({ command: 'ls', observe: 'text' })).toEqual({ command: 'ls' });
  expect(withPicture({ command: 'ls', observe: 'both' })).toEqual({ command: 'ls', screenshot: true });
});

test.each([
  [{}, { command: 'run', fields: { command: 'make' } }],
  [{ wait: {} }, { command: 'run', fields: { command: 'make' } }],
  [{ wait: { for: 'exit', timeout_ms: 5 } }, { command: 'run', fields: { command: 'make', timeout_ms: 5 } }],
  [
    { wait: { for: 'done', timeout_ms: 5 }, timeout_ms: 9, observe: 'image' },
    { command: 'run', fields: { command: 'make', timeout_ms: 9, screenshot: true } },
  ],
  [
    { wait: { for: 'listening' }, cwd: '/x', max_lines: 3, timeout_ms: 9 },
    {
      command: 'create',
      fields: {
        command: 'make',
        cwd: '/x',
        wait: { until: { text: 'listening' }, timeout_ms: 9 },
        observe: { text: { changed: true, selection: true }, cursor: true },
      },
    },
  ],
  [
    { id: 't1', wait: { for: 'settled' }, observe: 'both' },
    {
      command: 'type',
      fields: {
        id: 't1',
        text: 'make',
        submit: true,
        wait: SETTLED,
        observe: { text: { changed: true, selection: true }, screenshot: true },
      },
    },
  ],
  [{ wait: 'done' }, { command: 'run', fields: { command: 'make', wait: 'done' } }],
])('a run of a model with %j is %j', (given, expected) => {
  expect(runOrTurn({ command: 'make', ...given })).toEqual(expected);
});
