/** The verdicts of the matchers on terminals with prepared answers. */
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../../src/client/index.js';
import '../../src/vitest/index.js';

/** Another copy's. */
class WaitFailure extends Error {
  override readonly name = 'WaitFailure';
}

interface Asked {
  readonly calls: unknown[][];
  readonly terminal: Terminal;
}

/** Each of its waits ends like that. */
function terminal(answer: () => unknown, text = ''): Asked {
  const calls: unknown[][] = [];
  const answering =
    (method: string) =>
    (...given: unknown[]): Promise<unknown> => {
      calls.push([method, ...given]);
      return new Promise((resolve) => resolve(answer()));
    };
  const methods = {
    id: 't1',
    text: () => Promise.resolve(text),
    waitForText: answering('waitForText'),
    waitForExit: answering('waitForExit'),
    waitFor: answering('waitFor'),
  };
  return { calls, terminal: methods as unknown as Terminal };
}

const never = (): never => {
  throw new WaitFailure('It had not come.');
};
const broken = (): never => {
  throw new RangeError('a defect');
};

async function failureOf(assertion: Promise<unknown>): Promise<string> {
  const error: unknown = await assertion.catch((reason: unknown) => reason);
  if (!(error instanceof Error)) throw new Error('the assertion held');
  return error.message;
}

describe('toShowText', () => {
  test('waits for the given timeout, or for 5 seconds by default', async () => {
    const { calls, terminal: shown } = terminal(() => ({}));
    await expect(shown).toShowText('a');
    await expect(shown).toShowText(/b/, { timeout_ms: 7 });
    expect(calls).toEqual([
      ['waitForText', 'a', { timeout_ms: 5000 }],
      ['waitForText', /b/, { timeout_ms: 7 }],
    ]);
    expect(await failureOf(expect(terminal(never).terminal).toShowText('a'))).toBe('It had not come.');
    expect(await failureOf(expect(terminal(broken).terminal).toShowText('a'))).toBe('a defect');
  });

  test('negated waits until the text disappears', async () => {
    const { calls, terminal: gone } = terminal(() => ({}));
    await expect(gone).not.toShowText('a');
    await expect(gone).not.toShowText('a', { timeout_ms: 7 });
    expect(calls).toEqual([
      ['waitFor', { gone: 'a' }, { timeout_ms: 5000 }],
      ['waitFor', { gone: 'a' }, { timeout_ms: 7 }],
    ]);
    expect(await failureOf(expect(terminal(never).terminal).not.toShowText('a'))).toBe('It had not come.');
  });

  test('negated with a pattern checks the screen once, line by line', async () => {
    const { calls, terminal: shown } = terminal(never, 'one\ntwo');
    await expect(shown).not.toShowText(/one.two/s);
    await expect(shown).not.toShowText(/three/);
    expect(await failureOf(expect(shown).not.toShowText(/t.o/))).toBe('Expected no /t.o/ on the screen, but: two');
    expect(calls).toEqual([]);
  });
});

describe('toHaveExited', () => {
  test('passes for the expected exit code, which is 0 by default', async () => {
    const { calls, terminal: ended } = terminal(() => ({ exit_code: 0, signal: null }));
    await expect(ended).toHaveExited();
    await expect(ended).toHaveExited(0, { timeout_ms: 7 });
    await expect(ended).not.toHaveExited(1);
    expect(calls.slice(0, 2)).toEqual([
      ['waitForExit', { timeout_ms: 5000 }],
      ['waitForExit', { timeout_ms: 7 }],
    ]);
    expect(await failureOf(expect(ended).toHaveExited(1))).toBe(
      'Expected t1 to exit with 1; it ended with exit code 0.',
    );
    expect(await failureOf(expect(ended).not.toHaveExited(0))).toContain('t1 has exited with 0');
  });

  test('fails with the signal that ended the program, or because the program has not ended', async () => {
    const { terminal: killed } = terminal(() => ({ exit_code: null, signal: 'SIGKILL' }));
    expect(await failureOf(expect(killed).toHaveExited())).toContain('it ended with SIGKILL.');
    const { terminal: runs } = terminal(never);
    expect(await failureOf(expect(runs).toHaveExited())).toBe('It had not come.');
    await expect(runs).not.toHaveExited();
    expect(await failureOf(expect(terminal(broken).terminal).toHaveExited())).toBe('a defect');
  });
});

test('an unknown exit code is neither the expected one nor another one', async () => {
  const { terminal: ended } = terminal(() => ({ exit_code: null, signal: null }));
  const says = 'it ended with exit code unknown, perhaps a failure.';
  expect(await failureOf(expect(ended).toHaveExited())).toContain(says);
  expect(await failureOf(expect(ended).not.toHaveExited())).toContain(says);
  expect(await failureOf(expect(ended).toSucceed())).toContain(says);
  expect(await failureOf(expect(ended).not.toSucceed())).toContain(says);
});

test('the deadline of a matcher comes before that of its test', { timeout: 4000 }, async () => {
  const { calls, terminal: ended } = terminal(() => ({ exit_code: 0, signal: null }));
  await expect(ended).toHaveExited();
  const [[, asked] = []] = calls as [string, { timeout_ms: number }][];
  expect(asked?.timeout_ms).toBeGreaterThan(0);
  expect(asked?.timeout_ms).toBeLessThanOrEqual(2500);
});

test('each attempt of a test has the whole time', { timeout: 4000, retry: 1 }, async ({ task }) => {
  const { calls, terminal: ended } = terminal(() => ({ exit_code: 0, signal: null }));
  await expect(ended).toHaveExited();
  // The first attempt fails on purpose.
  expect(task.result?.retryCount).toBe(1);
  expect(calls).toEqual([['waitForExit', { timeout_ms: 2500 }]]);
});

test.each([undefined, null, 5, 'text', {}])('each matcher refuses %j, which is not a terminal', async (received) => {
  const says = 'is for a terminal of t4a, as launch() returns it';
  expect(await failureOf(expect(received).toShowText('x'))).toContain(`toShowText ${says}`);
  expect(await failureOf(expect(received).toHaveExited())).toContain(`toHaveExited ${says}`);
  expect(await failureOf(expect(received).toSucceed())).toContain(`toSucceed ${says}`);
});
