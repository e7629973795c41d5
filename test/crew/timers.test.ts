/** Timers of agents: what is due is a prompt, also while a question stands there, and all ends with the server. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from '../../src/client/index.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Background } from '../../src/crew/background.js';
import { callAs, codeOf, type CrewCall, CrewTools, mcpClient, spawned } from '../support/crew-tools.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';
import { eventually } from '../support/eventually.js';

const withAgent = agentsOfFile();

async function withRoot(): Promise<{ fake: FakeAgents; call: CrewCall }> {
  const fake = await spawned(await withAgent());
  return { fake, call: callAs(fake, 'fake-1') };
}

const prompt = (fake: FakeAgents, text: string): Promise<void> =>
  vi.waitFor(() => expect(fake.prompts()).toEqual([text]), { timeout: 20_000 });

const timersOf = async (call: CrewCall): Promise<unknown> => (await call('timer_list'))['timers'];

test('a timer that is due is the next prompt, once', async () => {
  const { fake, call } = await withRoot();
  expect(await call('timer_wait', { seconds: 0.2, label: 'tea] [x' })).toEqual({
    timer_id: 'timer-1',
    warning: expect.stringContaining('lost') as string,
  });
  expect(await call('timer_wait', { seconds: 3600 })).toMatchObject({ timer_id: 'timer-2' });
  expect(await timersOf(call)).toMatchObject([
    { timer_id: 'timer-1', kind: 'time', label: 'tea] [x' },
    { timer_id: 'timer-2', state: 'armed', label: null },
  ]);
  await prompt(fake, '[system] Your timer timer-1 (tea] [x) is due.');
  await eventually(async () => expect(await timersOf(call)).toMatchObject([{ timer_id: 'timer-2' }]));
  expect(await call('timer_cancel', { timer_id: 'timer-2' })).toEqual({ ok: true });
  expect(codeOf(await call('timer_cancel', { timer_id: 'timer-2' }))).toBe('not_found');
  expect(await timersOf(call)).toEqual([]);
});

/** A program that prints until the file is there, and stays silent then. */
const busyUntil = (file: string): object => ({
  kind: 'command',
  argv: ['/bin/sh', '-c', `until [ -e '${file}' ]; do echo busy; sleep 0.2; done; exec sleep 1000`],
});

test('of several processes the first that has ended is reported, and those that work are named', async () => {
  const { fake, call } = await withRoot();
  await call('spawn_process', busyUntil('/no/such'));
  await call('spawn_process', busyUntil('/no/such'));
  await call('timer_fire_when_idle_any', { process_ids: ['sh-1', 'sh-2', 'sh-1'], label: 'build' });
  await call('close_process', { process_id: 'sh-2' });
  await prompt(fake, '[system] Your timer timer-1 (build) is due (sh-1: working, sh-2: exited).');
});

test('a timer for all waits for the last, whether it is quiet, waits or has ended', async () => {
  const { fake, call } = await withRoot();
  const file = fake.dir.join('done');
  await call('spawn_process', busyUntil(file));
  await call('spawn_process', { kind: 'command', argv: ['true'] });
  await fake.t4a(['crew', 'spawn', 'fake'], { env: { ...fake.env, T4A_TERMINAL: 'fake-1' } });
  await call('timer_fire_when_idle_all', { process_ids: ['sh-1', 'true-1', 'fake-2'] });
  expect(await timersOf(call)).toMatchObject([{ state: 'armed', process_ids: ['sh-1', 'true-1', 'fake-2'] }]);
  writeFileSync(file, '');
  await prompt(fake, '[system] Your timer timer-1 is due (sh-1: quiet, true-1: exited, fake-2: idle).');
});

test('a silent agent that reports work is at work, however long, and one that asks is named as waiting', async () => {
  const { fake, call } = await withRoot();
  const pipe = fake.dir.join('pipe');
  execFileSync('mkfifo', [pipe]);
  const labels = { 'crew.session': 'fake-1', 'crew.kind': 'agent', 'crew.name': 'silent' };
  const argv = ['sh', '-c', `exec cat <> '${pipe}'`];
  await fake.client.call('create', { name: 'silent', cmd_args: argv, parent: 'fake-1', labels });
  const say = (report: string): void => writeFileSync(pipe, `\x1b]7501;${report}\x07`);
  say('state=working');
  await fake.client.call('wait', { id: 'silent', until: { doing: 'working' } });
  await call('timer_fire_when_idle_any', { process_ids: ['silent'] });
  // What is silent for 3 s is quiet, if nothing says that it works.
  await fake.client.call('wait', { id: 'silent', until: { idle_ms: 6000 } });
  expect(await timersOf(call)).toMatchObject([{ state: 'armed' }]);
  expect(fake.prompts()).toEqual([]);
  say('state=blocked:kind=permission');
  await prompt(fake, '[system] Your timer timer-1 is due (silent: waiting).');
});

test('a timer for processes is due at its time anyway, and says so', async () => {
  const { fake, call } = await withRoot();
  await call('spawn_process', busyUntil('/no/such'));
  await call('timer_fire_when_idle_all', { process_ids: ['sh-1'], timeout_seconds: 0.3 });
  await prompt(fake, '[system] Your timer timer-1 is due, since its time is up (sh-1: working).');
});

test('a timer waits while a question stands there, and answers nothing', async () => {
  const fake = await spawned(await withAgent(['ask']));
  const call = callAs(fake, 'fake-1');
  await fake.client.call('wait', { id: 'fake-1', until: { text: 'trust this folder' } });
  await call('timer_wait', { seconds: 0.1 });
  await eventually(async () => expect(await timersOf(call)).toMatchObject([{ state: 'due' }]));
  // The look at the question has been: the turn is tried again from then on.
  await fake.client.call('wait', { id: 'fake-1', until: { settled_ms: 1500 } });
  expect(fake.log()).toHaveLength(1);
  await fake.client.call('press', { id: 'fake-1', keys: ['Enter'] });
  await prompt(fake, '[system] Your timer timer-1 is due.');
});

test('what comes later waits for the text that a person has left in the box, however long that stands there', async () => {
  const { fake } = await withRoot();
  const background = new Background(() => Promise.resolve(fake.client));
  onTestFinished(() => background.close());
  await fake.client.call('type', { id: 'fake-1', text: 'draft', submit: false });
  await fake.client.call('wait', { id: 'fake-1', until: { text: 'draft' } });
  const { signal } = new AbortController();
  const sent = background.sendWhenReady('fake-1', undefined, 'later', signal);
  await fake.client.call('wait', { id: 'fake-1', until: { settled_ms: 4000 } });
  expect(fake.prompts()).toEqual([]);
  await fake.client.call('press', { id: 'fake-1', keys: ['Enter'] });
  expect(await sent).toBe('submitted');
  expect(fake.prompts()).toEqual(['draft', 'later']);
});

test('a timer whose agent has been closed fails, and its end is listed', async () => {
  const { fake, call } = await withRoot();
  await fake.client.call('kill', { id: 'fake-1', keep: true });
  await call('timer_wait', { seconds: 0.1 });
  await eventually(async () => expect(await timersOf(call)).toMatchObject([{ state: 'failed', last_error: 'exited' }]));
});

test('timers end with their server', async () => {
  const fake = await spawned(await withAgent());
  const tools = new CrewTools({
    client: () => Promise.resolve(fake.client),
    caller: { pid: process.pid, env: { ...fake.env, T4A_TERMINAL: 'fake-1' } },
    folder: fake.project,
  });
  onTestFinished(() => tools.close());
  await tools.call('timer_wait', { seconds: 0.5 });
  tools.close();
  // A later timer of another server has come, and that one has not.
  const other = callAs(fake, 'fake-1');
  await other('timer_wait', { seconds: 0.6, label: 'later' });
  await prompt(fake, '[system] Your timer timer-1 (later) is due.');
});

test('timers have bounds, and wrong input is refused', async () => {
  const { fake, call } = await withRoot();
  for (const [name, input, code] of [
    ['timer_wait', { seconds: 0 }, 'invalid_field'],
    ['timer_wait', { seconds: 1e9 }, 'invalid_field'],
    ['timer_wait', { seconds: 1, label: 'a\u001b' }, 'invalid_field'],
    ['timer_fire_when_idle_any', { process_ids: [] }, 'invalid_field'],
    ['timer_fire_when_idle_any', { process_ids: ['nonsense'] }, 'not_found'],
    ['timer_fire_when_idle_all', { process_ids: ['fake-1'] }, 'invalid_field'],
  ] as const)
    expect([name, input, codeOf(await call(name, input))]).toEqual([name, input, code]);
  expect(await timersOf(call)).toEqual([]);
  for (let n = 0; n < 32; n++) await call('timer_wait', { seconds: 3600 });
  expect(codeOf(await call('timer_wait', { seconds: 3600 }))).toBe('limit_reached');
  expect(codeOf(await callAs(fake, undefined, true)('timer_wait', { seconds: 1 }))).toBe('no_terminal');
});

test('a server that is killed loses its timers, its questions stay, and their answers change nothing', async () => {
  const { fake, call } = await withRoot();
  fake.preset('processes', 'dev.json', { name: 'dev', argv: ['sleep', '1000'] });
  const { call: killed, transport } = await mcpClient(fake, 'fake-1');
  const dev = { kind: 'command', preset: 'dev' };
  const { error } = (await killed('spawn_process', dev)) as { error: { code: string; ask: number } };
  expect(error.code).toBe('needs_trust');
  await killed('timer_wait', { seconds: 1 });
  const pid = transport.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  const person = await connect({ socketPath: fake.socketPath, as: 'pat' });
  onTestFinished(() => person.close());
  expect((await person.call('asks', {})).asks).toMatchObject([{ ask: error.ask, kind: 'confirm' }]);
  await person.call('answer', { ask: error.ask, text: 'yes' });
  expect(codeOf(await call('spawn_process', dev))).toBe('needs_trust');
  expect(await timersOf(call)).toEqual([]);
  await call('timer_wait', { seconds: 1.2 });
  await prompt(fake, '[system] Your timer timer-1 is due.');
});

test('a server ends with its client, also with timers and open questions', async () => {
  const { fake } = await withRoot();
  const { client, call, transport } = await mcpClient(fake, 'fake-1');
  await call('timer_wait', { seconds: 3600 });
  const { process_id: id } = await call('spawn_process', busyUntil('/no/such'));
  await call('timer_fire_when_idle_any', { process_ids: [id] });
  await call('request_human_attention', { process_id: 'fake-1', reason: 'look' });
  const { pid } = transport;
  // The transport kills a server that does not end by itself within two seconds.
  const startMs = performance.now();
  await client.close();
  expect(performance.now() - startMs).toBeLessThan(2000);
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
});
