/** Commands that wait before they read. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { request } from '../support/daemon.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCommandLine();

/** Says "ready" when it is written to. */
async function answering(): Promise<string> {
  const { id } = await request(cli.daemon, {
    cmd: 'create',
    cmd_args: ['sh', '-c', 'echo here; read line; echo ready; cat'],
  });
  await request(cli.daemon, { cmd: 'wait', id, until: { text: 'here' } });
  return String(id);
}

test.each([
  ['text', [], 'here\n\nready\n'],
  ['grep', ['re.dy'], '2:ready\n'],
  ['find', ['ready'], '2:0:ready\n'],
])('%s reads as soon as its wait is met', async (command, more, shown) => {
  const id = await answering();
  const reading = cli.t4a([command, id, ...more, '--wait', 'text=ready']);
  await request(cli.daemon, { cmd: 'send', id, input: '\n' });
  expect(await reading).toMatchObject({ status: 0, stdout: shown, stderr: '' });
});

test('a picture of the same moment is written into a file, in the format of its extension', async () => {
  const id = await answering();
  const dir = tempDir();
  await cli.output(['debug', id, '--wait', 'text=here', '--screenshot', dir.join('then.png')]);
  await cli.output(['cursor', id, '--screenshot', dir.join('now.svg')]);
  expect(readFileSync(dir.join('then.png')).subarray(1, 4).toString()).toBe('PNG');
  expect(readFileSync(dir.join('now.svg'), 'utf8')).toMatch(/^<svg .*here/s);
  await cli.output(['screenshot', id, '--wait', 'settled=50', '-o', dir.join('settled.png')]);
  expect(readFileSync(dir.join('settled.png')).subarray(1, 4).toString()).toBe('PNG');
});

test('a command whose wait is not met still reads, and its exit status says so', async () => {
  const id = await answering();
  const timedOut = await cli.t4a(['text', id, '--wait', 'text=never', '--timeout', '50']);
  expect(timedOut).toMatchObject({ status: 124, stdout: 'here\n' });
  expect(timedOut.stderr).toContain('The wait ended as timeout');
  const failed = await cli.t4a(['grep', id, 'here', '--wait', 'text=never', '--fail', 'he']);
  expect(failed).toMatchObject({ status: 3, stdout: '0:here\n' });
});

test('an incomplete or unknown wait is refused, and nothing is read', async () => {
  const id = await answering();
  expect(await cli.t4a(['text', id, '--fail', 'x'])).toMatchObject({ status: 2, stdout: '' });
  expect(await cli.t4a(['debug', id, '--wait', 'later'])).toMatchObject({ status: 2, stdout: '' });
});
