/** `t4a wait` and `t4a commands`, built, against a real daemon. */
import { describe, expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { requireProgram } from '../support/programs.js';

const cli = useCliDaemon();

/** Waits for what is there, so that a wait that fails to end fails the test. */
const SOON = ['--timeout', '20000'];

describe('wait', () => {
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

  test('exits with 3 and prints the reply at its deadline and when a failure shows', async () => {
    const id = await cli.create('--', 'sh', '-c', 'echo panic: no; sleep 60');
    await cli.reply(['wait', id, '--text', 'panic', ...SOON]);
    const late = await cli.t4a(['wait', id, '--text', 'never', '--timeout', '30']);
    expect(late).toMatchObject({ status: 3, stderr: '' });
    expect(JSON.parse(late.stdout)).toMatchObject({ outcome: 'timeout', tail: ['panic: no'] });
    const failed = await cli.t4a(['wait', id, '--text', 'never', '--fail', 'error', '--fail', 'panic', ...SOON]);
    expect(failed.status).toBe(3);
    expect(JSON.parse(failed.stdout)).toMatchObject({ outcome: 'failed', index: 1 });
  });

  test('exits with 4 if the process ends first, or the terminal does not exist', async () => {
    const id = await cli.create('--', 'true');
    expect(await cli.t4a(['wait', id, '--exit', ...SOON])).toMatchObject({ status: 0 });
    expect(await cli.t4a(['wait', id, '--text', 'never', ...SOON])).toMatchObject({ status: 4 });
    expect(await cli.t4a(['wait', 'nobody', '--exit'])).toMatchObject({ status: 4, stdout: '' });
  });

  test('waits for any prompt of a program, or for one kind of prompt', async () => {
    const id = await cli.create('--', requireProgram('bash'), '-c', 'read -r -s -p "Password: "');
    expect(await cli.reply(['wait', id, '--input', ...SOON])).toMatchObject({ awaiting_input: { kind: 'password' } });
    expect(await cli.reply(['wait', id, '--input-kind', 'password', ...SOON])).toMatchObject({ outcome: 'matched' });
    expect(await cli.t4a(['wait', id, '--input-kind', 'raw', '--timeout', '30'])).toMatchObject({ status: 3 });
  });

  test('refuses a missing condition, an invalid regular expression and an unknown kind of prompt', async () => {
    const id = await cli.create('--', 'true');
    expect(await cli.t4a(['wait', id])).toMatchObject({ status: 2, stdout: '' });
    const broken = await cli.t4a(['wait', id, '--regex', '(']);
    expect(broken).toMatchObject({ status: 2, stdout: '' });
    expect(broken.stderr).toContain('RE2');
    expect(await cli.t4a(['wait', id, '--input-kind', 'secret'])).toMatchObject({ status: 2 });
  });
});

test('commands lists the commands of a shell with their codes', async () => {
  const id = await cli.create('--', requireProgram('bash'));
  await cli.reply(['wait', id, '--done', ...SOON]);
  await cli.output(['send', id, String.raw`(exit 5)\n`]);
  expect(await cli.reply(['wait', id, '--done', ...SOON])).toMatchObject({ outcome: 'matched', code: 5 });
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
