/** What is tied to a client, on disk or opened of a file goes along to the daemon that takes the place of another. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/client.js';
import { passingTime } from '../support/passing-time.js';
import { RawConnection } from '../support/raw.js';
import { replaceable, underWay } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';

type Answer = Record<string, unknown>;

/** For a client to come back, and more. */
const LEFT_MS = 11_000;

it('what is tied to a client stays while the client is there, over several replacements, and ends with it', async () => {
  const { daemon, ask, replace } = await replaceable();
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  await client.call('create', { name: 'own', cmd_args: ['cat'], tied: true });
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  await client.call('trigger', { id: 'a', when: { disconnected: true }, do: [{ kill: true }] });
  await client.call('trigger', { id: 'a', when: { text: 'never' }, do: [{ notify: 'x' }], with_connection: true });
  const { entry, pass } = passingTime();
  let pid = 0;
  for (let count = 0; count < 2; count++) {
    pid = await replace(entry);
    // By itself: nothing is asked of it.
    await expect.poll(async () => ((await ask({ cmd: 'ping' }))['pid'] as number) === client.daemon.pid).toBe(true);
    expect((await ask({ cmd: 'triggers' }))['triggers']).toHaveLength(2);
  }
  expect(await client.call('text', { id: 'own' })).toBeDefined();
  await client.close();
  // Its scope may have another connection, for which there is the rest of its time.
  pass(pid, LEFT_MS);
  await expect.poll(async () => (await ask({ cmd: 'list' }))['terminals']).toHaveLength(0);
});

it('a client that does not come back is gone after its time', async () => {
  const { daemon, ask, replace } = await replaceable();
  const maker = new RawConnection(daemon.socketPath);
  onTestFinished(() => maker.close());
  await maker.request({ cmd: 'create', name: 'own', cmd_args: ['cat'], tied: true, scope: 'gone' });
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const trigger = { cmd: 'trigger', id: 'a', scope: 'gone' };
  await maker.request({ ...trigger, when: { disconnected: true }, do: [{ publish: { name: 'lost' } }] });
  await maker.request({ ...trigger, when: { text: 'never' }, do: [{ notify: 'x' }], with_connection: true });
  const { entry, pass } = passingTime();
  const pid = await replace(entry);
  const lost = ask({ cmd: 'wait', id: 'a', until: { published: 'lost' }, timeout_ms: 30_000, scope: 'other' });
  expect((await ask({ cmd: 'triggers' }))['triggers']).toHaveLength(2);
  expect(await ask({ cmd: 'status', id: 'own' })).toMatchObject({ alive: true });
  await underWay({ ask }, 1);
  pass(pid, LEFT_MS);
  expect(await lost).toMatchObject({ outcome: 'matched' });
  await expect
    .poll(async () => ((await ask({ cmd: 'list' }))['terminals'] as Answer[]).map(({ id }) => id))
    .toEqual(['a']);
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: [{ state: 'spent', fired: 1 }] });
});

it('a terminal that is tied to a process ends with it', async () => {
  const { ask, replace } = await replaceable();
  const owner = spawn('sleep', ['1000']);
  onTestFinished(() => void owner.kill('SIGKILL'));
  await once(owner, 'spawn');
  expect(await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'], tied: { pid: owner.pid } })).toMatchObject({
    ok: true,
  });
  await replace();
  await replace();
  expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ alive: true });
  owner.kill('SIGKILL');
  await expect.poll(async () => (await ask({ cmd: 'list' }))['terminals']).toHaveLength(0);
});

it('actions of a trigger that are under way end first', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', 'read x; echo one; sleep 1; cat'] });
  await ask({
    cmd: 'trigger',
    id: 'a',
    when: { text: 'one' },
    anywhere: true,
    do: [{ type: { text: 'typed', submit: true } }],
  });
  await ask({ cmd: 'press', id: 'a', keys: ['Enter'] });
  // It waits until the program reads.
  await expect.poll(async () => ((await ask({ cmd: 'triggers' }))['triggers'] as Answer[])[0]?.['fired']).toBe(1);
  await replace();
  expect(await ask({ cmd: 'wait', id: 'a', until: { text: 'typed' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: [{ fired: 1, last_error: null }] });
});

it('an opened recording goes along, with its past and its markers', async () => {
  const { daemon, ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', 'read x; seq 1 200; echo got $x; exec cat'] });
  const file = path.join(daemon.dir, 'a.cast');
  await ask({ cmd: 'record', id: 'a', action: 'start', path: file });
  await ask({ cmd: 'type', id: 'a', text: 'word', submit: true, wait: { until: { text: 'got word' } } });
  await ask({ cmd: 'record', id: 'a', action: 'stop' });
  const opened = await ask({ cmd: 'open', path: file, name: 'film' });
  expect(opened).toMatchObject({ ok: true, id: 'film' });
  const see = async (): Promise<Answer[]> => [
    await ask({ cmd: 'text', id: 'film', region: 'all' }),
    await ask({ cmd: 'seek', id: 'film', text: 'got word' }),
    await ask({ cmd: 'list', recordings: true }),
    await ask({ cmd: 'type', id: 'film', text: 'x' }),
  ];
  const before = await see();
  expect(before[3]).toMatchObject({ ok: false, code: 'read_only' });
  await replace();
  await replace();
  const after = await see();
  expect(after[0]).toEqual(before[0]);
  const found = before[1] as { readonly at: { readonly rev: number; readonly ts: number }; readonly match: object };
  expect(after[1]).toMatchObject({ outcome: 'found', at: { rev: found.at.rev, ts: found.at.ts }, match: found.match });
  expect(after[3]).toEqual(before[3]);
  const listed = (list: Answer = {}): unknown[] =>
    (list['terminals'] as Answer[]).map(({ id, recording }) => [id, recording]);
  expect(listed(after[2])).toEqual(listed(before[2]));
  expect(await ask({ cmd: 'kill', id: 'film' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ alive: true });
});

it('a terminal that is kept on disk is kept on in its folder, without a gap', async () => {
  const { ask, replace } = await replaceable();
  const root = path.join(tempDir().path, 'kept');
  await ask({ cmd: 'config', persist: root });
  const script = 'read a; echo got $a; read b; echo got $b; exit 7';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script], rules: 'generic' });
  await ask({ cmd: 'type', id: 'a', text: 'one', submit: true, wait: { until: { text: 'got one' } } });
  await replace();
  expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ persisted: expect.stringContaining(root) });
  await replace();
  await ask({ cmd: 'type', id: 'a', text: 'two', submit: true, wait: { until: { exit: true } } });
  const { lines } = await ask({ cmd: 'text', id: 'a', trim: true });
  const bytes = (await ask({ cmd: 'status', id: 'a' }))['output_bytes'];
  await ask({ cmd: 'kill', id: 'a' });
  const [name = ''] = readdirSync(root);
  const folder = path.join(root, name);
  const session = (): Answer => JSON.parse(readFileSync(path.join(folder, 'session.json'), 'utf8')) as Answer;
  await expect
    .poll(() => existsSync(path.join(folder, 'session.json')) && session()['exit'])
    .toMatchObject({ code: 7 });
  expect(session()).toMatchObject({ ledger: { bytes, missing_bytes: 0, cut: null } });
  expect(readdirSync(root)).toHaveLength(1);
  expect(await ask({ cmd: 'open', path: folder, name: 'again' })).toMatchObject({ ok: true, complete: true });
  expect((await ask({ cmd: 'text', id: 'again', trim: true }))['lines']).toEqual(lines);
});
