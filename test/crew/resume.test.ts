/** `t4a crew resume`: what a person had started in a project is started again after the daemon has gone, and nothing else is. */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Client, connect } from '../../src/client/index.js';
import { crewPlaces, projectFolder } from '../../src/crew/places.js';
import type { CliResult } from '../support/cli.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { agentsOfFile, FAKE_AGENT, type FakeAgents } from '../support/fake-agent.js';
import { clientOfOwnDaemon } from '../support/launch.js';

const withAgent = agentsOfFile();

interface Reboots extends FakeAgents {
  readonly t4aThere: (...words: string[]) => Promise<CliResult>;
  /** The machine has lost all terminals. @returns client of the next daemon */
  readonly reboot: () => Promise<Client>;
  readonly file: string;
}

async function withReboots(): Promise<Reboots> {
  const fake = await withAgent();
  const own = await clientOfOwnDaemon();
  const { socketPath } = own;
  let { pid } = own.daemon;
  return {
    ...fake,
    socketPath,
    t4aThere: (...words) => fake.t4a(words, { env: { ...fake.env, T4A_SOCKET: socketPath } }),
    async reboot() {
      process.kill(pid, 'SIGKILL');
      const next = await connect({ socketPath, daemonEntry: builtDaemonEntry });
      onTestFinished(() => next.close());
      ({ pid } = next.daemon);
      return next;
    },
    file: join(projectFolder(crewPlaces(fake.env), realpathSync(fake.project)), 'crew.json'),
  };
}

test('after a reboot the roots of the project are started again with the same arguments and directory, on demand', async () => {
  const { t4aThere, reboot, file, ...fake } = await withReboots();
  mkdirSync(join(fake.project, 'web'));
  fake.preset('agents', 'in-web.json', {
    name: 'in-web',
    argv: [process.execPath, FAKE_AGENT, 'plain'],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: fake.dir.join('web-log') },
    working_dir: 'web',
  });
  await t4aThere('crew', 'trust', 'in-web');
  await t4aThere('crew', 'spawn', 'fake', '--name', 'boss');
  await t4aThere('crew', 'spawn', 'in-web');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const next = await reboot();
  expect((await next.call('list', {})).terminals).toEqual([]);
  const listed = await t4aThere('crew', 'resume', '--list');
  expect(listed).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^boss {2}can .*\nin-web-1 {2}can /) as string,
  });
  expect((await next.call('list', {})).terminals).toEqual([]);
  const resumed = await t4aThere('crew', 'resume');
  expect(resumed).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('boss  started') as string });
  expect((await next.call('list', {})).terminals).toMatchObject([
    { id: 'boss', cwd: realpathSync(fake.project), labels: { 'crew.preset': 'fake', 'crew.session': 'boss' } },
    { id: 'in-web-1', cwd: join(realpathSync(fake.project), 'web'), cmd: [process.execPath, FAKE_AGENT, 'plain'] },
  ]);
  // What is there is not started twice.
  expect((await t4aThere('crew', 'resume')).stdout).toMatch(/^boss {2}runs .*\nin-web-1 {2}runs /);
  expect((await next.call('list', {})).terminals).toHaveLength(2);
});

test('what has ended before and what an agent has started are not started again', async () => {
  const { t4aThere, reboot, file, socketPath, ...fake } = await withReboots();
  await t4aThere('crew', 'spawn', 'fake', '--name', 'ended');
  const before = await connect({ socketPath });
  onTestFinished(() => before.close());
  await before.call('kill', { id: 'ended' });
  await t4aThere('crew', 'spawn', 'fake', '--name', 'kept');
  const child = await fake.t4a(['crew', 'spawn', 'fake', '--name', 'child'], {
    env: { ...fake.env, T4A_SOCKET: socketPath, T4A_TERMINAL: 'kept' },
  });
  expect(child.stdout).toBe('child\n');
  expect(readFileSync(file, 'utf8').match(/"id": "\w+"/g)).toEqual(['"id": "kept"']);
  const next = await reboot();
  expect((await t4aThere('crew', 'resume')).stdout).toMatch(/^kept {2}started .*\n$/);
  expect((await next.call('list', {})).terminals).toMatchObject([{ id: 'kept' }]);
});

test('a preset that says something else, is not trusted, or is gone starts nothing, and each is named', async () => {
  const { t4aThere, reboot, ...fake } = await withReboots();
  const preset = (name: string, argv: readonly string[]): string =>
    fake.preset('agents', `${name}.json`, { name, argv });
  for (const name of ['edited', 'distrusted', 'gone', 'same']) {
    preset(name, ['cat']);
    await t4aThere('crew', 'trust', name);
    await t4aThere('crew', 'spawn', name);
  }
  const next = await reboot();
  preset('edited', ['sh', '-c', 'touch evil; cat']);
  await t4aThere('crew', 'trust', 'edited');
  await t4aThere('crew', 'trust', '--revoke', 'distrusted');
  writeFileSync(preset('gone', ['cat']), '{"name":"gone","disabled":true}');
  const { status, stdout } = await t4aThere('crew', 'resume');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^edited-1 {2}cannot {2}the preset "edited" says something else by now$/m);
  expect(stdout).toMatch(/^distrusted-1 {2}cannot {2}the preset "distrusted" is not trusted here$/m);
  expect(stdout).toMatch(/^gone-1 {2}cannot {2}there is no preset "gone" any more$/m);
  expect(stdout).toMatch(/^same-1 {2}started {2}cat in /m);
  expect((await next.call('list', {})).terminals).toMatchObject([{ id: 'same-1' }]);
  expect(existsSync(join(fake.project, 'evil'))).toBe(false);
});

test.each([
  ['that others can write', (file: string) => chmodSync(file, 0o666), 'can be written by others'],
  ['that is no JSON', (file: string) => writeFileSync(file, '{'), 'is not JSON'],
  [
    'of another project',
    (file: string) => writeFileSync(file, JSON.stringify({ version: 1, project: '/x', roots: [] })),
    'is about',
  ],
  ['with a command of its own', (file: string) => writeFileSync(file, '{"version":1,"run":["sh"]}'), 'is not as t4a'],
] as const)('a file %s starts nothing', async (_what, spoil, says) => {
  const { t4aThere, reboot, file } = await withReboots();
  await t4aThere('crew', 'spawn', 'fake');
  expect(readFileSync(file, 'utf8')).toContain('"fake-1"');
  const next = await reboot();
  spoil(file);
  const { status, stdout, stderr } = await t4aThere('crew', 'resume');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(says);
  expect(stderr).toContain('nothing is resumed');
  expect((await next.call('list', {})).terminals).toEqual([]);
});

test('without a crew resume says so, and starts nothing', async () => {
  const fake = await withAgent();
  expect(await fake.run('crew', 'resume')).toMatchObject({
    status: 0,
    stdout: '',
    stderr: expect.stringContaining('Nothing is known of a crew') as string,
  });
});
