import { expect, test } from 'vitest';
import { WaitFailure } from '../../src/client/wait-failure.js';
import type { Reply } from '../../src/protocol/registry.js';

function failure(reply: Partial<Reply<'wait'>>): WaitFailure {
  return new WaitFailure('t1', '{"text":"x"}', { outcome: 'timeout', elapsed_ms: 50, rev: 1, tail: [], ...reply });
}

test('the failure names the condition, the terminal, the reason of the end, and the last lines of the screen', () => {
  const error = failure({ tail: ['one', '', 'two'] });
  expect(error.message).toBe('Waited for {"text":"x"} in t1: it had not come after 50 ms.\n  | one\n  | \n  | two');
  expect(error.name).toBe('WaitFailure');
  expect(error.reply.tail).toEqual(['one', '', 'two']);
});

test('the failure reports a blank screen', () => {
  expect(failure({ outcome: 'exited' }).message).toBe(
    'Waited for {"text":"x"} in t1: the program exited first.\n  (the screen is blank)',
  );
});

test('the failure names the text that a condition of "fail" has found', () => {
  const found = failure({ outcome: 'failed', match: { row: 0, col: 0, text: 'panic' } });
  expect(found.message).toContain('a condition of "fail" came first (panic).');
  expect(failure({ outcome: 'failed' }).message).toContain('a condition of "fail" came first.');
});
