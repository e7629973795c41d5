/** `t4a wait` and `t4a commands`, against a real daemon. */
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { requireProgram } from '../support/programs.js';

const cli = useCommandLine();

/** Waits for what is there, so that a wait that fails to end fails the test. */
const SOON = ['--timeout', '20000'];

describe('wait', () => {
  test('for the end of a command alone, where no shell was ever seen, says so at once', async () => {
    const id = await cli.create('cat');
    const { status, stderr } = await cli.t4a(['wait', id, '--done']);
    expect(status).toBe(125);
    expect(stderr).toContain(`Terminal "${id}" has had no shell so far`);
    expect(stderr).toContain(`t4a wait ${id} --input`);
    const other = await cli.t4a(['wait', id, '--done', '--text', 'never', '--timeout', '50ms']);
    expect(other.status).toBe(124);
  });

  test('exits with 0 and prints the reply once a condition is true', async () => {
    const id = await cli.create('--', 'sh', '-c', 'echo one; echo server ready; sleep 60');
    const reply = await cli.reply(['wait', id, '--text', 'ready', '--fail', 'error|panic', ...SOON]);
    expect(reply).toMatchObject({ ok: true, outcome: 'matched', index: 0, match: { row: 1, col: 7 } });
    expect(await cli.reply(['wait', '@', '--regex', '^s.*y$', '--text', 'never', ...SOON])).toMatchObject({
      index: 1,
      match: { text: 'server ready' },
    });
    expect(await cli.reply(['wait', id, '--gone', 'never'])).toMatchObject({ outcome: 'matched' });
    expect(await cli.reply(['wait', id, '--idle', '10', '--settled', '10', ...SOON])).toMatchObject({
      outcome: 'matched',
    });
  });

  test('exits with 124 at its deadline, with 3 when a failure shows, and prints the reply', async () => {
    const id = await cli.create('--', 'sh', '-c', 'echo panic: no; sleep 60');
    await cli.reply(['wait', id, '--text', 'panic', ...SOON]);
    const late = await cli.t4a(['wait', id, '--json', '--text', 'never', '--timeout', '30ms']);
    expect(late).toMatchObject({ status: 124, stderr: '' });
    expect(JSON.parse(late.stdout)).toMatchObject({ outcome: 'timeout', tail: ['panic: no'] });
    const failed = await cli.t4a([
      'wait',
      id,
      '--json',
      '--text',
      'never',
      '--fail',
      'error',
      '--fail',
      'panic',
      ...SOON,
    ]);
    expect(failed.status).toBe(3);
    expect(JSON.parse(failed.stdout)).toMatchObject({ outcome: 'failed', index: 1 });
  });

  test('exits with 4 if the process ends first, and with 125 if the terminal does not exist', async () => {
    const id = await cli.create('--', 'true');
    expect(await cli.t4a(['wait', id, '--exit', ...SOON])).toMatchObject({ status: 0 });
    expect(await cli.t4a(['wait', id, '--text', 'never', ...SOON])).toMatchObject({ status: 4 });
    expect(await cli.t4a(['wait', 'nobody', '--exit'])).toMatchObject({ status: 125, stdout: '' });
  });

  test('exits with the status of what it waited for', async () => {
    const failed = await cli.create('--', 'sh', '-c', 'exit 7');
    expect(await cli.t4a(['wait', failed, '--exit', ...SOON])).toMatchObject({ status: 7 });
    expect(await cli.t4a(['wait', failed, '--exit', '--no-status', ...SOON])).toMatchObject({ status: 0 });
    expect(await cli.t4a(['wait', failed, '--text', 'never', ...SOON])).toMatchObject({ status: 7 });
    const killed = await cli.create('--', 'sh', '-c', 'kill -TERM $$');
    expect(await cli.t4a(['wait', killed, '--exit', ...SOON])).toMatchObject({ status: 143 });
    const shell = await cli.create('--', requireProgram('bash'));
    const typed = await cli.t4a(['type', shell, '(exit 3)', '--submit', '--wait', 'done']);
    expect(typed).toMatchObject({ status: 3, stderr: 't4a: The wait ended with exit code 3 ((exit 3)).\n' });
  });

  test('waits for any prompt of a program, or for one kind of prompt', async () => {
    const id = await cli.create('--', requireProgram('bash'), '-c', 'read -r -s -p "Password: "');
    expect(await cli.reply(['wait', id, '--input', ...SOON])).toMatchObject({ awaiting_input: { kind: 'password' } });
    expect(await cli.reply(['wait', id, '--input-kind', 'password', ...SOON])).toMatchObject({ outcome: 'matched' });
    expect(await cli.t4a(['wait', id, '--input-kind', 'raw', '--timeout', '30ms'])).toMatchObject({ status: 124 });
  });

  test('refuses a missing condition, an invalid regular expression and an unknown kind of prompt', async () => {
    const id = await cli.create('--', 'true');
    expect(await cli.t4a(['wait', id])).toMatchObject({ status: 125, stdout: '' });
    const broken = await cli.t4a(['wait', id, '--regex', '(']);
    expect(broken).toMatchObject({ status: 125, stdout: '' });
    expect(broken.stderr).toContain('RE2');
    expect(await cli.t4a(['wait', id, '--input-kind', 'secret'])).toMatchObject({ status: 125 });
  });
});

test('commands lists the commands of a shell with their codes', async () => {
  const id = await cli.create('--', requireProgram('bash'));
  // No command has ended yet: there is no status, and that is no failure.
  expect(await cli.reply(['wait', id, '--done', ...SOON])).toMatchObject({ exit_code: null, nothing_ran: true });
  await cli.output(['send', id, String.raw`(exit 5)\n`]);
  expect(await cli.reply(['wait', id, '--done', '--no-status', ...SOON])).toMatchObject({
    outcome: 'matched',
    code: 5,
    exit_code: 5,
    command: '(exit 5)',
  });
  await cli.output(['send', id, String.raw`seq 1 3\n`]);
  expect(await cli.reply(['wait', id, '--done', ...SOON])).toMatchObject({ code: 0 });
  expect(await cli.reply(['commands', id])).toMatchObject({
    commands: [
      { n: 1, command: '(exit 5)', code: 5 },
      { n: 2, command: 'seq 1 3', code: 0, output_rows: 3 },
    ],
  });
  expect(await cli.output(['text', id, '--command', '-1'])).toBe('1\n2\n3\n');
});

test('a command of a shell without marks ends with its prompt, without an exit code: status 6', async () => {
  const id = await cli.create('--', 'sh', '-c', 'exec bash --norc --noprofile -i');
  await cli.reply(['wait', id, '--input', ...SOON]);
  const { status, stdout } = await cli.t4a(['type', id, 'false', '--submit', '--wait', 'done', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ wait: { outcome: 'matched', exit_code: null } });
  expect(status).toBe(6);
});
