/** Several agents on one daemon: who made a terminal. How many one may have: limits.test.ts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/client/index.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const CAT = { cmd: 'create', cmd_args: ['cat'] };
const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);
const cli = (...args: string[]): ReturnType<typeof runCliHere> =>
  runCliHere(args, { env: { T4A_SOCKET: daemon.socketPath } });

async function idsOf(fields: object): Promise<unknown[]> {
  const { terminals } = await ask({ cmd: 'list', ...fields });
  return (terminals as { id: string }[]).map(({ id }) => id).toSorted();
}

async function owner(id: string): Promise<unknown> {
  return (await ask({ cmd: 'status', id }))['owner'];
}

it('the name that made a terminal is in list, status and the event, and stays when others act on it', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['created'] });
  await ask({ ...CAT, name: 'hers', as: 'claude-1' });
  expect(await events.next()).toMatchObject({ terminal: 'hers', owner: 'claude-1' });
  await ask({ ...CAT, name: 'no-ones' });
  expect(await events.next()).not.toHaveProperty('owner');
  events.close();
  await ask({ cmd: 'control', id: 'hers', action: 'take', as: 'ada', person: true });
  await ask({ cmd: 'restart', id: 'hers', as: 'ada' });
  await ask({ ...CAT, name: 'hers', reuse: true, as: 'codex' });
  expect(await owner('hers')).toBe('claude-1');
  expect(await ask({ cmd: 'status', id: 'no-ones' })).not.toHaveProperty('owner');
  const { terminals } = await ask({ cmd: 'list' });
  expect(terminals).toMatchObject([{ id: 'hers', owner: 'claude-1' }, { id: 'no-ones' }]);
});

it('a run, also one that stays, and a command of a trigger belong to their authors', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['created'] });
  await ask({ cmd: 'run', command: 'true', as: 'runner' });
  expect(await events.next()).toMatchObject({ owner: 'runner' });
  const { id } = await ask({ cmd: 'run', command: 'true', keep: true, as: 'runner' });
  expect(await events.next()).toMatchObject({ terminal: id, owner: 'runner' });
  await ask({ ...CAT, name: 'watched', as: 'codex' });
  await events.next();
  await ask({ cmd: 'trigger', id: 'watched', when: { after_ms: 1 }, do: [{ run: { command: 'cat' } }], as: 'robot' });
  expect(await events.next()).toMatchObject({ owner: 'robot' });
  events.close();
});

it('list, events and kill find the terminals of a name', async () => {
  for (const name of ['f1', 'f2']) await ask({ ...CAT, name, as: 'finder' });
  expect(await idsOf({ owner: 'finder' })).toEqual(['f1', 'f2']);
  expect(await idsOf({ owner: 'finder', where: { id: ['f2'] } })).toEqual(['f2']);
  expect(await idsOf({ owner: 'find' })).toEqual([]);
  await using client = await connect({ socketPath: daemon.socketPath, as: 'finder' });
  const { terminals } = await client.call('list', { owner: 'finder' });
  expect(terminals.map((each) => each.owner)).toEqual(['finder', 'finder']);
  const { ended } = await ask({ cmd: 'kill', where: { owner: 'finder' } });
  expect((ended as { id: string }[]).map((each) => each.id).toSorted()).toEqual(['f1', 'f2']);
  for (const bad of ['', 'two words', 'a/b', 7, null])
    expect(await ask({ cmd: 'list', owner: bad })).toMatchObject({ code: 'invalid_field', field: 'owner' });
});

it('t4a list --mine lists the terminals of the own name, and the table has owners only where there are some', async () => {
  await ask({ ...CAT, name: 'm1', as: 'me' });
  const mine = await cli('list', '--mine', '--as', 'me');
  expect(mine.stdout).toMatch(/^ID +OWNER +STATE .*\nm1 +me +(?:waiting|unknown|working) .*\n$/);
  expect((await cli('list', '--mine', '--as', 'me', '--long')).stdout).toMatch(/^ID +OWNER +STATE +SIZE/);
  const ids = (JSON.parse((await cli('list', '--mine', '--as', 'me', '--json')).stdout) as { terminals: object[] })
    .terminals;
  expect(ids).toMatchObject([{ id: 'm1', owner: 'me' }]);
  await ask({ ...CAT, name: 'plain', labels: { of: 'none' } });
  expect((await cli('list', '--where', '{"labels":{"of":"none"}}')).stdout).toMatch(/^ID +STATE /);
});

it('t4a list --mine of a caller without a name, or with another owner, is refused before anything is asked', async () => {
  const nameless = await cli('list', '--mine');
  expect(nameless).toMatchObject({ status: 2, stdout: '' });
  expect(nameless.stderr).toContain('T4A_AS');
  expect(await cli('list', '--mine', '--all')).toMatchObject({ status: 2, stdout: '' });
  expect(await cli('list', '--mine', '--as', 'me', '--owner', 'you')).toMatchObject({ status: 2, stdout: '' });
});
