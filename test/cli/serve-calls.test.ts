/** `t4a tools --serve`, line by line; what harnesses make of it, the tests of the Python client say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/protocol/limits.js';
import { CLI, environmentOf } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';

async function served(...flags: readonly string[]) {
  const client = await clientOfOwnDaemon();
  const child = spawn(process.execPath, [CLI, 'tools', '--serve', '--json', '--socket', client.socketPath, ...flags], {
    env: environmentOf({}),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
  child.stdin.on('error', () => {
    // It has ended by itself.
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    client,
    child,
    say: (line: unknown) => child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    answer: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
    ended: async () => {
      const [status] = (await once(child, 'close')) as [number];
      return { status, stderr };
    },
  };
}

test('answers carry the number of their call, and come as calls end', async () => {
  const { say, answer } = await served();
  say({
    req: 'a',
    name: 'create',
    input: { name: 'still', cmd_args: ['cat'] },
    cwd: '/',
    env: { PATH: '/bin:/usr/bin' },
  });
  expect(await answer()).toMatchObject({ req: 'a', is_error: false });
  say({ req: 1, name: 't4a_wait', input: { id: 'still', for: 'later', timeout_ms: 60_000 } });
  say({ req: 2, name: 't4a_lst', input: {} });
  expect(await answer()).toEqual({
    req: 2,
    content: [{ type: 'text', text: 'There is no tool "t4a_lst". (unknown_cmd)\nHint: Did you mean "list"?' }],
    is_error: true,
  });
  say({ req: 3, name: 'type', input: { id: 'still', text: 'later', submit: true } });
  const answers = [await answer(), await answer()];
  expect(new Set(answers.map(({ req }) => req))).toEqual(new Set([1, 3]));
});

test('a call that is given up has no answer, and the others have', async () => {
  const { say, answer } = await served();
  say({ req: 1, name: 'create', input: { name: 'still', cmd_args: ['cat'] } });
  await answer();
  say({ req: 2, name: 'wait', input: { id: 'still', for: 'never', timeout_ms: 60_000 } });
  say({ cancel: 2 });
  say({ cancel: 77 });
  say({ req: 3, name: 'list', input: {} });
  expect(await answer()).toMatchObject({ req: 3, is_error: false });
});

test.each([
  [{ req: 1, input: {} }, '"name" and "input"'],
  [{ req: 1, name: 'list', input: {}, allow: 'all' }, '"allow" of a call is "all": one of read, use, create.'],
  [{ req: 1, name: 'list', input: {}, alow: 'read' }, 'A call has no field "alow".'],
  [{ req: 1, name: 'list', input: {}, profile: 7 }, '"profile" of a call is "7"'],
])('the call %j is refused, and the next one is served', async (call, words) => {
  const { say, answer } = await served();
  say(call);
  expect(await answer()).toMatchObject({ req: 1, code: 'usage', error: expect.stringContaining(words) as string });
  say({ req: 2, name: 'list', input: {} });
  expect(await answer()).toMatchObject({ req: 2, is_error: false });
});

test('no call has more than the command line allows, and each may have less', async () => {
  const { say, answer, client } = await served('--allow', 'use', '--tools', 'list,type');
  await client.call('create', { name: 'still', cmd_args: ['cat'] });
  const input = { id: 'still', text: 'typed', submit: true };
  say({ req: 1, name: 'create', input: { cmd_args: ['true'] } });
  say({ req: 2, name: 'create', input: { cmd_args: ['true'] }, allow: 'create' });
  say({ req: 3, name: 't4a_kill', input: { id: 'still' }, tools: ['t4a_kill'] });
  say({ req: 4, name: 't4a_text', input: { id: 'still' } });
  say({ req: 5, name: 't4a_type', input });
  say({ req: 6, name: 't4a_type', input, allow: 'read' });
  say({ req: 7, name: 'list', input: {}, tools: ['t4a_list'], allow: { toString: 'create' } });
  const answers: Record<string, unknown>[] = [];
  for (let left = 7; left > 0; left--) answers.push(await answer());
  answers.sort((a, b) => Number(a['req']) - Number(b['req']));
  expect(answers.map((each) => each['code'] ?? each['is_error'])).toEqual([
    true,
    'usage',
    'usage',
    true,
    false,
    'usage',
    'usage',
  ]);
  expect(answers[1]?.['error']).toBe('"allow" of a call is "create": one of read, use.');
  expect((await client.call('list')).terminals.map(({ id }) => id)).toEqual(['still']);
});

test('calls that are under way at the end of the input are answered', async () => {
  const { child, answer, ended } = await served();
  child.stdin.end(`${JSON.stringify({ req: 1, name: 'run', input: { command: 'sleep 0.2; echo done' } })}\n`);
  expect(await answer()).toMatchObject({ req: 1, is_error: false });
  expect(await ended()).toMatchObject({ status: 0 });
});

test.each([
  ['no JSON', 'Not JSON: unexpected'],
  ['7', 'Not a JSON object, but a number'],
  ['[]', 'Not a JSON object, but an array'],
  ['null', 'Not a JSON object, but null'],
  [`{"req":1,"name":"list","input":${'['.repeat(70)}${']'.repeat(70)}}`, 'more than 64 levels deep'],
  [`{"req":1,"name":"list","input":{"${'x'.repeat(300)}":1}}`, 'more than 256 bytes'],
  [`{"req":1,"name":"list","input":[${'1,'.repeat(70_000)}1]}`, 'more than 65536 values'],
])('the line %s is refused, and the next call is served', async (line, why) => {
  const { say, answer } = await served();
  say(line);
  expect(await answer()).toEqual({
    code: 'usage',
    error: expect.stringMatching(`^A line is no call\\. .*${why}`) as string,
  });
  say({ req: 2, name: 'list', input: {} });
  expect(await answer()).toMatchObject({ req: 2, is_error: false });
});

test.each([[], null, 'list', { cmd: 'kill' }, { req: 5 }])(
  'the input %j of a model is an error that it reads',
  async (input) => {
    const { say, answer } = await served();
    say({ req: 1, name: 'list', input });
    expect(await answer()).toMatchObject({ req: 1, is_error: true });
  },
);

test('it ends with its input, and so do its tied terminals and the calls under way', async () => {
  const { client, child, say, answer, ended } = await served();
  say({ req: 1, name: 'create', input: { name: 'tied', cmd_args: ['cat'] }, tied: true });
  await answer();
  const events = client.events({ types: ['removed'] });
  await events.subscribed;
  say({ req: 2, name: 'wait', input: { id: 'tied', for: 'never', timeout_ms: 60_000 } });
  child.stdin.end();
  expect(await ended()).toEqual({ status: 0, stderr: '' });
  for await (const event of events) {
    expect(event).toMatchObject({ terminal: 'tied' });
    break;
  }
});

test('after a line that is too long it says so and ends: nothing that follows is lost unseen', async () => {
  const { child, say, answer, ended } = await served();
  say('x'.repeat(2 * MAX_LINE_BYTES + 1));
  expect(await answer()).toMatchObject({ code: 'usage', error: expect.stringContaining('nothing more') as string });
  child.stdin.end();
  expect(await ended()).toMatchObject({ status: 2 });
});
