/** The matchers on real terminals, as in tests of terminal programs. */
import { describe, expect, test } from 'vitest';
import { keepFailuresIn } from '../../src/vitest/index.js';
import { launchInFile } from '../support/launch.js';

// See failure-files.test.ts.
keepFailuresIn(undefined);

async function failureOf(assertion: Promise<unknown>): Promise<string> {
  const error: unknown = await assertion.catch((reason: unknown) => reason);
  if (!(error instanceof Error)) throw new Error('the assertion held');
  return error.message;
}

describe('toShowText', () => {
  test('passes when the text is on the screen or appears in time', async () => {
    const terminal = await launchInFile({ command: 'read -r name; echo "hello, $name"; cat' });
    await terminal.type('world', { submit: true });
    await expect(terminal).toShowText('hello, world');
    await expect(terminal).toShowText(/HELLO, \w+/i);
  });

  test('fails with the content of the screen', async () => {
    const terminal = await launchInFile({ command: 'echo something else; cat' });
    await terminal.waitForText('else');
    const message = await failureOf(expect(terminal).toShowText('hello', { timeout_ms: 50 }));
    expect(message).toMatch(/hello.*had not come after \d+ ms/);
    expect(message).toContain('| something else');
  });

  test('negated passes when the text is absent or disappears in time, and fails when it stays', async () => {
    const terminal = await launchInFile({ command: "printf 'old news'; read -r _; clear; cat" });
    await terminal.waitForText('news');
    await expect(terminal).not.toShowText('hello');
    await expect(terminal).not.toShowText(/hel+o/);
    expect(await failureOf(expect(terminal).not.toShowText('old', { timeout_ms: 50 }))).toContain('| old news');
    expect(await failureOf(expect(terminal).not.toShowText(/ol./))).toContain('old news');
    const going = expect(terminal).not.toShowText('old');
    await terminal.press('Enter');
    await going;
  });
});

test('toHaveExited passes for the expected exit code, and fails with the actual one', async () => {
  const terminal = await launchInFile({ command: 'exit 3' });
  await expect(terminal).toHaveExited(3);
  expect(await failureOf(expect(terminal).toHaveExited())).toContain('it ended with exit code 3');
  await expect(terminal).not.toHaveExited(0);
  const running = await launchInFile({ command: 'cat' });
  expect(await failureOf(expect(running).toHaveExited(0, { timeout_ms: 50 }))).toContain('had not come');
});

test('toSucceed passes for the exit code 0 of a program or of a command in a shell, and fails with another one', async () => {
  await expect(await launchInFile({ command: 'true' })).toSucceed();
  const failed = await launchInFile({ command: 'exit 3' });
  expect(await failureOf(expect(failed).toSucceed())).toContain('to succeed; it ended with exit code 3.');
  await expect(failed).not.toSucceed();
  const shell = await launchInFile({ cmd_args: ['sh'], env: { HOME: '/dev/null' } });
  expect(await failureOf(expect(shell).toSucceed())).toContain('no command has run yet');
  await shell.run('(exit 4)');
  expect(await failureOf(expect(shell).toSucceed())).toContain('it ended with exit code 4 ((exit 4)).');
  await shell.run('true');
  await expect(shell).toSucceed();
  expect(await failureOf(expect(shell).not.toSucceed())).toContain('has succeeded');
  const running = await launchInFile({ command: 'cat' });
  expect(await failureOf(expect(running).toSucceed({ timeout_ms: 50 }))).toContain('had not come');
});

test('toSucceed fails where the shell reports no exit code, also negated', async () => {
  const shell = await launchInFile({ cmd_args: ['sh'], shell_integration: false, env: { PS1: '$ ' } });
  await shell.waitForText('$ ');
  await shell.type('true', { submit: true, wait: { until: { done: true } } });
  expect(await failureOf(expect(shell).toSucceed())).toContain('exit code unknown');
  expect(await failureOf(expect(shell).not.toSucceed())).toContain('exit code unknown');
});

test('a matcher refuses a value that is not a terminal', async () => {
  expect(await failureOf(expect('text').toShowText('text'))).toContain('toShowText is for a terminal of t4a');
});
