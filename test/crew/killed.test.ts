/** What remains once an agent, a server of tools or the daemon was killed, or a parent was closed under its children. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/client/index.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { callAs, codeOf, type CrewCall, type CrewReply, mcpClient, spawned } from '../support/crew-tools.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';
import { clientOfOwnDaemon } from '../support/launch.js';

const withAgent = agentsOfFile();

/** `fake-1` with the agent `fake-2` and the command `cat-1` below it. */
async function withChildren(): Promise<{ fake: FakeAgents; root: CrewCall; child: CrewCall }> {
  const fake = await spawned(await withAgent());
  const root = callAs(fake, 'fake-1');
  expect(await root('spawn_agent', { agent: 'fake', agent_instructions: 'go' })).toMatchObject({
    process_id: 'fake-2',
  });
  await root('spawn_process', { kind: 'command', argv: ['cat'] });
  return { fake, root, child: callAs(fake, 'fake-2') };
}

const listOf = async (call: CrewCall): Promise<CrewReply[]> =>
  (await call('list_processes'))['processes'] as CrewReply[];

/** A program that has printed nothing is said to be starting for a while. */
const LIVES = expect.stringMatching(/^(?:starting|running)$/) as string;

async function gone(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
}

test('of an agent that is killed its screen and its children remain, and no message to it is taken for sent', async () => {
  const { fake, child } = await withChildren();
  const { pid } = await fake.client.call('status', { id: 'fake-1' });
  process.kill(pid ?? 0, 'SIGKILL');
  await fake.client.call('wait', { id: 'fake-1', until: { exit: true } });
  expect(await listOf(child)).toMatchObject([
    { process_id: 'fake-1', status: 'errored', state: 'exited' },
    { process_id: 'fake-2', status: 'running', parent_process_id: 'fake-1' },
    { process_id: 'cat-1', status: LIVES, parent_process_id: 'fake-1' },
  ]);
  expect(await child('whoami')).toMatchObject({ role: 'sub-agent', parent_process_id: 'fake-1' });
  expect((await child('get_process_output', { process_id: 'fake-1' }))['content']).toContain('fake agent');
  expect(await child('send_message', { target_process_id: 'fake-1', message: 'done' })).toMatchObject({
    error: {
      code: 'not_delivered',
      delivered: 'exited',
      pasted: false,
      tail: expect.arrayContaining([expect.stringContaining('fake agent')]) as string[],
    },
  });
  expect(codeOf(await child('spawn_agent', { agent: 'fake', agent_instructions: 'go' }))).toBe('role_forbidden');
});

test('an agent whose parent was closed stays a sub-agent of its session, without an agent above it', async () => {
  const { fake, child } = await withChildren();
  await fake.client.call('kill', { id: 'fake-1' });
  expect((await listOf(child)).map(({ process_id: id }) => id)).toEqual(['fake-2', 'cat-1']);
  expect(await child('whoami')).toMatchObject({ process_id: 'fake-2', role: 'sub-agent' });
  expect(codeOf(await child('spawn_agent', { agent: 'fake', agent_instructions: 'go' }))).toBe('role_forbidden');
  expect(codeOf(await child('send_message', { target_process_id: 'fake-1', message: 'x' }))).toBe('not_found');
  expect(codeOf(await child('close_process', { process_id: 'cat-1' }))).toBe('role_forbidden');
});

test('an agent that begins later is not the parent of those whose parent was closed', async () => {
  const { fake, child } = await withChildren();
  await fake.client.call('kill', { id: 'fake-1' });
  const { stdout } = await fake.run('crew', 'spawn', 'fake');
  const later = callAs(fake, stdout.trim());
  expect((await listOf(later)).map(({ process_id: id }) => id)).toEqual([stdout.trim()]);
  expect(codeOf(await later('close_process', { process_id: 'fake-2' }))).toBe('not_found');
  expect((await listOf(child)).map(({ process_id: id }) => id)).toEqual(['fake-2', 'cat-1']);
  const named = await fake.run('crew', 'spawn', 'fake', '--name', 'fake-1');
  expect(named).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Terminals of a closed "fake-1" are left') as string,
  });
  // Once they are closed too, the name is free.
  for (const id of ['fake-2', 'cat-1']) await fake.client.call('kill', { id });
  expect(await fake.run('crew', 'spawn', 'fake', '--name', 'fake-1')).toMatchObject({ status: 0, stdout: 'fake-1\n' });
});

test('of a server of tools that is killed the children, the notes and the role of the next server remain', async () => {
  const { fake } = await withChildren();
  const { call, transport } = await mcpClient(fake, 'fake-1');
  await call('scratchpad_write', { name: 'plan', content: 'one' });
  await call('spawn_process', { kind: 'command', argv: ['cat'], name: 'kept' });
  await gone(transport.pid ?? 0);
  const { call: next } = await mcpClient(fake, 'fake-1');
  expect(await next('whoami')).toMatchObject({ process_id: 'fake-1', role: 'orchestrator' });
  expect(await listOf(next)).toMatchObject(
    ['fake-1', 'fake-2', 'cat-1', 'kept-1'].map((id) => ({ process_id: id, status: LIVES })),
  );
  expect(await next('scratchpad_append', { name: 'plan', content: ' two' })).toMatchObject({ size: 7 });
  expect(await next('close_process', { process_id: 'kept-1' })).toEqual({ ok: true });
});

test('of a daemon that is killed notes, trust and the server of tools remain, and its agents end', async () => {
  const fake = await withAgent();
  const own = await clientOfOwnDaemon();
  const env = { ...fake.env, T4A_SOCKET: own.socketPath };
  const { call } = await mcpClient({ ...fake, env }, undefined);
  await call('spawn_agent', { agent: 'fake', agent_instructions: 'go' });
  await call('scratchpad_write', { name: 'plan', content: 'one' });
  const { pid } = await own.call('status', { id: 'fake-1' });
  await gone(own.daemon.pid);
  await vi.waitFor(() => expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH'), { timeout: 10_000 });
  const next = await connect({ socketPath: own.socketPath, daemonEntry: builtDaemonEntry });
  onTestFinished(() => next.close());
  expect(next.daemon.pid).not.toBe(own.daemon.pid);
  expect(await call('list_processes')).toEqual({ processes: [] });
  expect(await call('scratchpad_read', { name: 'plan' })).toMatchObject({ content: 'one' });
  expect(codeOf(await call('get_process_status', { process_id: 'fake-1' }))).toBe('not_found');
  expect(await call('spawn_agent', { agent: 'fake', agent_instructions: 'again' })).toMatchObject({
    delivered: 'submitted',
  });
  expect(fake.prompts()).toEqual(['go', 'again']);
});
