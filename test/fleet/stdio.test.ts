/** The wire over standard input and output. */
import { expect, test } from 'vitest';
import { testFleet } from '../support/fleet.js';

const lines = (...requests: object[]): string => requests.map((request) => `${JSON.stringify(request)}\n`).join('');
const replies = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('stdio starts the daemon, answers what was asked, and ends with its input', async () => {
  const { t4a } = testFleet();
  const input = lines({ cmd: 'create', name: 'a', cmd_args: ['cat'] }, { cmd: 'list' });
  const { status, stdout } = await t4a(['stdio'], { input });
  expect(status).toBe(0);
  const [created, listed] = replies(stdout);
  expect(created).toMatchObject({ ok: true, id: 'a' });
  expect(listed).toMatchObject({ ok: true, terminals: [{ id: 'a' }] });
});

test('--allow holds for every request, and for what a person alone may decide', async () => {
  const { t4a, output } = testFleet();
  await output('create', '--name', 'a', 'cat');
  const input = lines(
    { cmd: 'text', id: 'a' },
    { cmd: 'send', id: 'a', input: 'x' },
    { cmd: 'restrict', reach: 'admin' },
    { cmd: 'create', cmd_args: ['cat'] },
  );
  const { stdout } = await t4a(['stdio', '--allow', 'read'], { input });
  expect(replies(stdout)).toMatchObject([
    { ok: true },
    { ok: false, code: 'not_allowed' },
    { ok: true, reach: 'read', person: false },
    { ok: false, code: 'not_allowed' },
  ]);
});

test('--allow refuses a word that is no reach', async () => {
  const { t4a } = testFleet();
  const { status, stderr, stdout } = await t4a(['stdio', '--allow', 'everything'], { input: '' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('everything');
});
