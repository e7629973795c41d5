/** A crew whose daemon is replaced: its shell before a person, its agents and its tools go on. */
import { afterAll, expect, test } from 'vitest';
import { choose, shellOf } from '../support/crew-shell.js';
import { type CrewReply as Reply, mcpClient } from '../support/crew-tools.js';
import { agentsOfFile } from '../support/fake-agent.js';
import { isRunning } from '../support/processes.js';
import { rawRequest } from '../support/raw.js';

const withAgent = agentsOfFile();

let socketPath: string | undefined;
// What has taken the place of the file's daemon is no child of the test.
afterAll(async () => {
  if (socketPath !== undefined) await rawRequest(socketPath, { cmd: 'shutdown' });
});

test('the shell, an agent and the tools of a crew go on over two replacements', async () => {
  const fake = await withAgent();
  ({ socketPath } = fake);
  const person = await shellOf(fake);
  await choose(person, 'spawn fake');
  await person.waitForText('First prompt of fake');
  await person.send('one\r');
  await person.waitForText('took: one');
  await fake.client.call('wait', { id: 'fake-1', until: { doing: 'idle' } });
  const { call } = await mcpClient(fake, 'fake-1');
  const argv = ['/bin/sh', '-c', `printf 'server up'; exec sleep 1000`];
  expect(await call('spawn_process', { kind: 'command', argv })).toMatchObject({ process_id: 'sh-1' });
  const processes = async (): Promise<Reply[]> =>
    ((await call('list_processes')) as { processes: Reply[] }).processes.map(
      ({ process_id, kind, status, parent_process_id }) => ({ process_id, kind, status, parent_process_id }),
    );
  await fake.client.call('wait', { id: 'sh-1', until: { text: 'server up' } });
  await expect.poll(async () => (await processes())[1]).toMatchObject({ status: 'running' });
  const before = await processes();
  expect(before).toMatchObject([
    { process_id: 'fake-1', kind: 'agent', status: 'running' },
    { process_id: 'sh-1', kind: 'command', status: 'running', parent_process_id: 'fake-1' },
  ]);
  for (const word of ['two', 'three']) {
    const { from, to } = await fake.client.call('replace', {});
    expect(to.pid).not.toBe(from.pid);
    expect(await processes()).toEqual(before);
    await person.send(`${word}\r`);
    await person.waitForText(`took: ${word}`);
  }
  expect(fake.prompts()).toEqual(['one', 'two', 'three']);
  expect(fake.log().filter(({ started }) => started !== undefined)).toHaveLength(1);
  expect(await call('spawn_agent', { agent: 'fake', agent_instructions: 'fix it' })).toMatchObject({
    process_id: 'fake-2',
    delivered: 'submitted',
  });
  await fake.client.call('wait', { id: 'fake-2', until: { text: 'took: fix it' } });
  await choose(person, 'fake-2');
  await person.waitForText('took: fix it');
  expect(isRunning(fake.log()[0]?.started?.pid ?? 0)).toBe(true);
});
