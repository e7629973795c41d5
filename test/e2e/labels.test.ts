/** Labels, parents and what they are for; events of clients. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const CAT = { cmd: 'create', cmd_args: ['cat'] };

async function idsWhere(where: object): Promise<string[]> {
  const { terminals } = await request(daemon, { cmd: 'list', where });
  return (terminals as { id: string }[]).map(({ id }) => id).toSorted();
}

it('labels are given, changed and removed, and list finds terminals by them', async () => {
  await request(daemon, { ...CAT, name: 'one', labels: { role: 'worker', project: 'shop' } });
  await request(daemon, { ...CAT, name: 'two', labels: { role: 'worker' } });
  expect(await idsWhere({ labels: { role: 'worker' } })).toEqual(['one', 'two']);
  expect(await idsWhere({ labels: { role: 'worker', project: 'shop' } })).toEqual(['one']);
  const events = await EventStream.open(daemon.socketPath, { types: ['labelled'] });
  const changed = await request(daemon, { cmd: 'label', id: 'one', set: { role: 'lead' }, unset: ['project'] });
  expect(changed).toMatchObject({ labels: { role: 'lead' }, parent: null });
  expect(await events.next()).toMatchObject({ terminal: 'one', labels: { role: 'lead' } });
  expect(await idsWhere({ labels: { role: 'worker' } })).toEqual(['two']);
  expect(await idsWhere({ id: ['one', 'gone'], command_regex: '^cat$' })).toEqual(['one']);
  expect(await idsWhere({ command_regex: 'dog' })).toEqual([]);
  // What changes nothing is no event.
  await request(daemon, { cmd: 'label', id: 'one', set: { role: 'lead' } });
  await request(daemon, { cmd: 'label', id: 'two', unset: ['role'] });
  expect(await events.next()).toMatchObject({ terminal: 'two', labels: {} });
  events.close();
});

it.each([
  [{ cmd: 'label', set: { 'Not a name': 'x' } }, 'invalid_field'],
  [{ cmd: 'label', set: { role: 'x\x1b[2J' } }, 'invalid_field'],
  [{ cmd: 'label', set: { role: 'x\r\nrole=y' } }, 'invalid_field'],
  [{ cmd: 'label', set: { role: 'x\u009b2J' } }, 'invalid_field'],
  [{ cmd: 'label', set: { 'role\n': 'x' } }, 'invalid_field'],
  [{ cmd: 'label', unset: ['x'.repeat(65)] }, 'invalid_field'],
  [{ cmd: 'label', set: { role: 'x'.repeat(1025) } }, 'invalid_field'],
  [{ cmd: 'list', where: { command_regex: '(' } }, 'bad_regex'],
  [{ cmd: 'kill', signal: 'INT', tree: true }, 'invalid_field'],
  [{ cmd: 'kill', where: { labels: { role: 'x' } } }, 'invalid_field'],
  [{ cmd: 'publish', name: 'two words' }, 'invalid_field'],
])('%j is refused', async (fields, code) => {
  const { id } = await request(daemon, CAT);
  const own = fields.cmd === 'list' || fields.cmd === 'publish' ? {} : { id };
  expect(await request(daemon, { ...fields, ...own })).toMatchObject({ ok: false, code });
});

it('a 33rd label is refused, and those before it stay', async () => {
  const { id } = await request(daemon, CAT);
  const many = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`l${i}`, String(i)]));
  expect(await request(daemon, { cmd: 'label', id, set: many })).toMatchObject({ ok: true });
  expect(await request(daemon, { cmd: 'label', id, set: { more: 'x' } })).toMatchObject({ code: 'over_limit' });
  expect(await request(daemon, { cmd: 'label', id })).toMatchObject({ labels: many });
});

it('a tree of terminals is ended from its leaves, and no other terminal is', async () => {
  await request(daemon, { ...CAT, name: 'root' });
  await request(daemon, { ...CAT, name: 'branch', parent: 'root' });
  await request(daemon, { ...CAT, name: 'leaf', parent: 'branch' });
  await request(daemon, { ...CAT, name: 'stranger', parent: 'unknown' });
  expect(await request(daemon, { cmd: 'status', id: 'stranger' })).toMatchObject({ parent: null });
  expect(await request(daemon, { cmd: 'status', id: 'leaf' })).toMatchObject({ parent: 'branch' });
  expect(await request(daemon, { cmd: 'kill', id: 'root', tree: true })).toMatchObject({
    ended: [{ id: 'leaf' }, { id: 'branch' }, { id: 'root' }],
  });
  expect(await idsWhere({ id: ['root', 'branch', 'leaf', 'stranger'] })).toEqual(['stranger']);
});

it('a terminal whose program was ended can be kept for reading', async () => {
  await request(daemon, {
    cmd: 'create',
    name: 'kept',
    cmd_args: ['sh', '-c', 'echo last words; exec cat'],
    wait: { until: { text: 'last words' } },
  });
  expect(await request(daemon, { cmd: 'kill', id: 'kept', keep: true })).toMatchObject({ ok: true });
  expect(await request(daemon, { cmd: 'status', id: 'kept' })).toMatchObject({ alive: false, signal: 'SIGHUP' });
  expect((await request(daemon, { cmd: 'text', id: 'kept' }))['lines']).toContainEqual(
    expect.stringMatching(/^last words/),
  );
});

it('what one client publishes, others get, with its author', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['published'] });
  const { seq } = await request(daemon, { cmd: 'publish', name: 'tests.passed', data: '3', as: 'ci' });
  expect(await events.next()).toMatchObject({ event: 'published', name: 'tests.passed', data: '3', as: 'ci', seq });
  events.close();
});

it('the command line sets labels by name and value', async () => {
  await runCliHere(['create', '--name', 'cli', '--label', 'role=x=y', '--labels', 'tier=1', '--', 'cat'], daemon);
  expect(await idsWhere({ labels: { role: 'x=y', tier: '1' } })).toEqual(['cli']);
  const ids = async (where: string) => {
    const { stdout } = await runCliHere(['list', '--where', where, '--json'], daemon);
    return (JSON.parse(stdout) as { terminals: { id: string }[] }).terminals.map(({ id }) => id);
  };
  for (const where of ['role=x=y', 'role=x=y,tier=1', '{"labels":{"tier":"1"}}'])
    expect(await ids(where)).toEqual(['cli']);
  expect(await ids('role=x=y,tier=2')).toEqual([]);
  expect(await runCliHere(['list', '--where', 'role'], daemon)).toMatchObject({ status: 2 });
  const { stdout } = await runCliHere(['label', 'cli', '--set', 'a=b', '--unset', 'role', '--json'], daemon);
  expect(JSON.parse(stdout)).toMatchObject({ labels: { a: 'b' } });
  expect(await runCliHere(['label', 'cli', '--set', 'ab'], daemon)).toMatchObject({ status: 2 });
});

it('events of the terminals that a client means by their labels come alone, from the first to the last', async () => {
  const events = await EventStream.open(daemon.socketPath, {
    where: { labels: { team: 'blue' } },
    types: ['created', 'labelled', 'removed'],
  });
  await request(daemon, { ...CAT, name: 'blue', labels: { team: 'blue' } });
  await request(daemon, { ...CAT, name: 'red', labels: { team: 'red' } });
  await request(daemon, { cmd: 'publish', name: 'other' });
  await request(daemon, { cmd: 'label', id: 'red', set: { team: 'blue' } });
  expect(await events.next()).toMatchObject({ event: 'created', terminal: 'blue' });
  expect(await events.next()).toMatchObject({ event: 'labelled', terminal: 'red' });
  expect(await request(daemon, { cmd: 'kill', where: { labels: { team: 'blue' } } })).toMatchObject({
    ended: [{ id: 'blue' }, { id: 'red' }],
  });
  const ended = [(await events.next()).terminal, (await events.next()).terminal];
  expect(ended).toEqual(expect.arrayContaining(['blue', 'red']));
  events.close();
});

it('a terminal that is made from within another has it as its parent', async () => {
  await request(daemon, { ...CAT, name: 'outer' });
  const within = { T4A_SOCKET: daemon.socketPath, T4A_TERMINAL: 'outer' };
  await runCliHere(['create', '--name', 'inner', '--', 'sh', '-c', 'echo "in $T4A_TERMINAL"; exec cat'], {
    ...daemon,
    env: within,
  });
  expect(await request(daemon, { cmd: 'status', id: 'inner' })).toMatchObject({ parent: 'outer' });
  expect(await request(daemon, { cmd: 'wait', id: 'inner', until: { text: 'in inner' } })).toMatchObject({
    outcome: 'matched',
  });
  // An id of another daemon's terminal says nothing here.
  await request(daemon, { ...CAT, name: 'apart', env: { ...within, T4A_SOCKET: '/elsewhere' } });
  expect(await request(daemon, { cmd: 'status', id: 'apart' })).toMatchObject({ parent: null });
});

it('one wait is for all terminals that a client means, and says which it was', async () => {
  const worker = { labels: { team: 'green' } };
  for (const name of ['one-green', 'two-green']) await request(daemon, { ...CAT, ...worker, name });
  const where = { ...worker };
  const waiting = request(daemon, { cmd: 'wait', where, until: { text: 'ready' }, timeout_ms: 20_000 });
  await request(daemon, { cmd: 'type', id: 'two-green', text: 'ready', submit: true });
  expect(await waiting).toMatchObject({ id: 'two-green', outcome: 'matched', match: { text: 'ready' } });
  // One that exits says nothing of the other.
  const ended = request(daemon, { cmd: 'wait', where, until: { text: 'never' }, timeout_ms: 20_000 });
  await request(daemon, { cmd: 'kill', id: 'two-green', keep: true });
  await request(daemon, { cmd: 'kill', id: 'one-green', keep: true });
  expect(await ended).toMatchObject({ id: 'one-green', outcome: 'exited' });
  expect(await request(daemon, { cmd: 'wait', where, until: { exit: true } })).toMatchObject({
    code: 'terminal_not_found',
  });
  expect(await request(daemon, { cmd: 'wait', until: { exit: true } })).toMatchObject({ code: 'invalid_field' });
  const given = ['--where', JSON.stringify(where)];
  expect(await runCliHere(['kill', ...given], daemon)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('one-green'),
  });
  await request(daemon, { ...CAT, ...worker, name: 'three-green' });
  expect(await runCliHere(['wait', ...given, '--settled', '50'], daemon)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/id +three-green/),
  });
});

it('kill of several ids of which one names no terminal ends none, and says so', async () => {
  await request(daemon, { ...CAT, name: 'one' });
  await request(daemon, { ...CAT, name: 'two' });
  const refused = await request(daemon, { cmd: 'kill', id: ['one', 'two', 'typo'] });
  expect(refused).toMatchObject({ ok: false, code: 'terminal_not_found' });
  expect(refused['error']).toContain('None of the 3 was ended.');
  expect(await request(daemon, { cmd: 'kill', id: ['one', 'two'] })).toMatchObject({ ok: true });
});

it('a deadline of less than a second without its unit is noted', async () => {
  await request(daemon, { ...CAT, name: 'deadline' });
  const wait = async (...flags: string[]) =>
    (await runCliHere(['wait', 'deadline', '--text', 'x', ...flags], daemon)).stderr;
  expect(await wait('--timeout', '60')).toContain('--timeout 60 is 60 ms; for seconds: --timeout 60s');
  expect(await wait('--timeout-ms', '60')).toBe('');
  expect(await wait('--timeout', '60ms')).toBe('');
  await request(daemon, { cmd: 'kill', id: 'deadline' });
});
