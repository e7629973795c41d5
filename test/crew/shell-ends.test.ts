/** What lasts longer than the other: the crew or its shell, the shell or the daemon; and two shells at once. */
import { expect, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { attachPid } from '../attach/attached.js';
import { AT_REST, choose, CTRL_K, rowsOf, shellOf, trusted, WAITS } from '../support/crew-shell.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { clientOfOwnDaemon } from '../support/launch.js';

const withAgent = agentsOfFile();

const idsOf = async ({ client }: Pick<FakeAgents, 'client'>): Promise<readonly string[]> =>
  (await client.call('list', {})).terminals.map(({ id }) => id).toSorted();

const END = { flags: ['--on-exit', 'end'] };

test.each(['SIGKILL', 'SIGHUP', 'SIGTERM'] as const)(
  'with --on-exit end all of the crew ends with a shell that gets %s, and nothing else does',
  async (signal) => {
    const fake = await withAgent();
    await trusted(fake, 'one', WAITS);
    await fake.client.call('create', { cmd_args: ['cat'], name: 'bare' });
    const person = await shellOf(fake, {}, END);
    await choose(person, 'run one');
    await person.waitForText('here 42');
    await fake.client.call('create', { cmd_args: ['cat'], name: 'within', parent: 'one-1' });
    await expect.poll(async () => (await fake.client.call('triggers', {})).triggers).toHaveLength(1);
    process.kill(await attachPid(person), signal);
    await expect.poll(() => idsOf(fake)).toEqual(['bare']);
  },
);

test('with --on-exit end leaving asks the other way round, and who keeps the crew has it for good', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake, {}, END);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  await person.send(`${CTRL_K}\x04`);
  await person.waitForText('Leave? Enter: end all. k: 1 goes on. Esc: stay.');
  await person.send('k');
  await person.waitForText('status 0, same modes');
  expect((await rowsOf(person))[0]).toBe('The crew goes on: 1. "t4a crew list" shows it.');
  expect((await fake.client.call('triggers', {})).triggers).toEqual([]);
  expect(await idsOf(fake)).toEqual(['one-1']);
});

test('a shell whose daemon is killed shows its last frame in grey, and is back with the next daemon', async () => {
  const fake = await withAgent();
  const own = await clientOfOwnDaemon();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf({ ...fake, socketPath: own.socketPath });
  await choose(person, 'run one');
  await person.waitForText('here 42');
  const { pid } = own.daemon;
  process.kill(pid, 'SIGKILL');
  await person.waitForText('The daemon has gone.');
  const { rows = [] } = await person.call('text', { format: 'runs' });
  expect(rows[1]?.runs[0]?.slice(0, 2)).toEqual([expect.stringContaining('here 42') as string, '90']);
  await person.call('resize', { cols: 100, rows: 30 });
  await person.send('lost');
  const next = await connect({ socketPath: own.socketPath, daemonEntry: builtDaemonEntry });
  expect(next.daemon.pid).not.toBe(pid);
  await person.waitForText('Press Ctrl+K to start an agent or a process');
  await choose(person, 'run one');
  await person.waitForText('here 42');
  expect(await next.call('status', { id: 'one-1' })).toMatchObject({ cols: 75, rows: 28 });
  await next.close();
});

test('a shell whose daemon does not come back can be left', async () => {
  const fake = await withAgent();
  const own = await clientOfOwnDaemon();
  const person = await shellOf({ ...fake, socketPath: own.socketPath });
  process.kill(own.daemon.pid, 'SIGKILL');
  await person.waitForText('The daemon has gone.');
  await person.send('q');
  await person.waitForText('status 0, same modes');
});

test('of two shells of two sizes the one that typed last counts, and the program sees no other change', async () => {
  const fake = await withAgent();
  const script = `
    let changes = 0;
    process.stdout.write('ready ');
    process.stdout.on('resize', () => console.log('change ' + ++changes + ': ' + process.stdout.columns));
    process.stdin.on('data', (typed) => console.log('changes: ' + changes + ' ' + typed));`;
  await trusted(fake, 'sized', [process.execPath, '-e', script]);
  const ada = await shellOf(fake, { cols: 80, rows: 24 });
  await choose(ada, 'run sized');
  await ada.waitForText('ready');
  const bob = await shellOf(fake, { cols: 100, rows: 30 }, { as: 'bob' });
  await choose(bob, 'go to sized');
  await bob.waitForText('change 1: 75');
  await ada.waitForText('75x28');
  await ada.send('a\r');
  await ada.waitForText('change 2: 60');
  // While one types, the other is refused.
  await bob.send('b');
  await bob.waitForText('ada has the keyboard');
  await choose(ada, 'give the keyboard');
  await ada.waitForText('is given back.');
  await bob.send('b\r');
  await bob.waitForText('change 3: 75');
  for (let i = 0; i < 20; i++) await bob.send('\r');
  await bob.send('end\r');
  await bob.waitForText('changes: 3 end');
  expect(await fake.client.call('status', { id: 'sized-1' })).toMatchObject({ cols: 75, rows: 28 });
  await ada.waitForText(AT_REST);
});
