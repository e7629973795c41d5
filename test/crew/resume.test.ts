/** `t4a crew resume`: what a person had started in a project is started again after the daemon has gone, and nothing else is. */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, connect } from '../../src/client/index.js';
import { begunConversation, continuedConversation, whatContinues } from '../../src/crew/conversation.js';
import { crewPlaces, projectFolder } from '../../src/crew/places.js';
import { agentPreset } from '../../src/crew/preset.js';
import { SHIPPED } from '../../src/crew/shipped.js';
import type { CliResult } from '../support/cli.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { agentsOfFile, FAKE_AGENT, type FakeAgents } from '../support/fake-agent.js';
import { clientOfOwnDaemon } from '../support/launch.js';

const withAgent = agentsOfFile();

interface Reboots extends FakeAgents {
  readonly t4aThere: (...words: string[]) => Promise<CliResult>;
  /** The machine has lost all terminals. @returns client of the next daemon */
  readonly reboot: () => Promise<Client>;
  /** Not from the crew: it is still one of the project. */
  readonly end: (id: string) => Promise<void>;
  readonly file: string;
}

async function withReboots(): Promise<Reboots> {
  const fake = await withAgent();
  const own = await clientOfOwnDaemon();
  const { socketPath } = own;
  let client: Client = own;
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
      client = next;
      return next;
    },
    end: async (id) => void (await client.call('kill', { id })),
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

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

interface Agent {
  readonly preset: (name: string, more?: object) => Promise<void>;
  /** Arguments of all that have started, behind those of the tools. */
  readonly starts: () => string[];
  /** A machine that goes down before has nothing of them. */
  readonly begun: (count: number) => Promise<void>;
}

/** Shipped presets with the fake agent as their program. */
function withShipped({ dir, log, ...fake }: Reboots): Agent {
  const starts = (): string[] =>
    log().flatMap(({ started }) =>
      started === undefined ? [] : [started.argv.filter((word) => !word.includes('{')).join(' ')],
    );
  return {
    async preset(name, more = {}) {
      const argv = [process.execPath, FAKE_AGENT];
      const env = { FAKE_AGENT_LOG: dir.join('log') };
      fake.preset('agents', `${name}.json`, { name, argv, env, ...more });
      await fake.t4aThere('crew', 'trust', name);
    },
    starts,
    begun: (count) => vi.waitFor(() => expect(starts()).toHaveLength(count), { timeout: 15_000 }),
  };
}

test.each([
  [
    'claude',
    `--allowedTools \\S+ --mcp-config --session-id (${UUID})`,
    '--allowedTools \\S+ --mcp-config --resume ID',
    'its',
  ],
  ['codex', '-c', '-c resume --last', 'the newest'],
  ['opencode', '', '--continue', 'the newest'],
  ['gemini', '', '--resume latest', 'the newest'],
] as const)(
  '%s continues its conversation, twice, and begins another where it is asked to',
  async (name, first, again, whose) => {
    const fake = await withReboots();
    const { preset, starts, begun } = withShipped(fake);
    await preset(name);
    if (name === 'gemini') {
      mkdirSync(fake.dir.join('run', 't4a', 'crew'), { recursive: true });
      chmodSync(fake.dir.join('run', 't4a', 'crew'), 0o777);
    }
    const unread = '"gemini" may have no tools of t4a: .+\\n';
    const spawned = await fake.t4aThere('crew', 'spawn', name);
    const warns = name === 'gemini' ? `^t4a: ${unread}$` : '^$';
    expect(spawned).toMatchObject({ status: 0, stderr: expect.stringMatching(warns) as string });
    await begun(1);
    const [, id = ''] = new RegExp(`^${first}$`).exec(starts()[0] ?? 'none') ?? expect.fail(starts()[0]);
    await fake.reboot();
    for (const times of [1, 2]) {
      const resumed = await fake.t4aThere('crew', 'resume');
      expect(resumed.stdout).toMatch(new RegExp(`^${name}-1 {2}started .*, ${whose} conversation( there)?\\n$`));
      const warned = name === 'gemini' ? `t4a: gemini-1: ${unread}` : '';
      expect(resumed.stderr).toMatch(new RegExp(`^${warned}.*crew resume --fresh.*\\n$`));
      await begun(times + 1);
      expect(starts()[times]).toMatch(new RegExp(`^${again.replace('ID', id)}$`));
      await fake.end(`${name}-1`);
    }
    const fresh = await fake.t4aThere('crew', 'resume', '--fresh');
    expect(fresh.stderr).toMatch(new RegExp(name === 'gemini' ? `^t4a: gemini-1: ${unread}$` : '^$'));
    expect(fresh).toMatchObject({ stdout: expect.stringMatching(/, a new conversation\n$/) as string });
    await begun(4);
    expect(starts()[3]).toMatch(new RegExp(`^${first}$`));
    if (id !== '') expect(starts()[3]).not.toContain(id);
  },
);

test('where another agent of its program was started there, the newest conversation is not taken for its own', async () => {
  const fake = await withReboots();
  const { preset, starts, begun } = withShipped(fake);
  await preset('opencode');
  await fake.t4aThere('crew', 'spawn', 'opencode');
  const child = await fake.t4a(['crew', 'spawn', 'opencode'], {
    env: { ...fake.env, T4A_SOCKET: fake.socketPath, T4A_TERMINAL: 'opencode-1' },
  });
  expect(child.stdout).toBe('opencode-2\n');
  await begun(2);
  await fake.reboot();
  const listed = await fake.t4aThere('crew', 'resume', '--list');
  expect(listed.stdout).toMatch(
    /^opencode-1 {2}can .*, a new conversation, since others of its program were started there\n$/,
  );
  expect((await fake.t4aThere('crew', 'resume')).stdout).toMatch(
    /^opencode-1 {2}started .*, a new conversation, since /,
  );
  await begun(3);
  expect(starts()).toEqual(['', '', '']);
  // From then on it is alone, until another is started.
  await fake.reboot();
  const alone = await fake.t4aThere('crew', 'resume', '--list');
  expect(alone.stdout).toMatch(/, the newest conversation there\n$/);
  await fake.t4aThere('crew', 'spawn', 'opencode', '--name', 'other');
  const both = await fake.t4aThere('crew', 'resume', '--list');
  expect(both.stdout).toMatch(/^opencode-1 {2}can .*, a new conversation, since .*\nother {2}runs /);
});

test.each([
  ['claude', ['--continue']],
  ['claude', ['--resume=x']],
  ['codex', ['resume', '--last']],
  ['gemini', ['--session-id', 'x']],
] as const)('%s with the arguments %j has chosen its conversation', (name, words) => {
  const of = agentPreset.parse(SHIPPED.agent.find((one) => 'name' in one && one.name === name));
  const chosen = { ...of, argv: [name, ...words] };
  expect(whatContinues(chosen, { conversation: 'x' })).toBe('chosen');
  for (const own of [begunConversation(chosen), continuedConversation(chosen, { conversation: 'x' })]) {
    expect(own).toEqual({ args: [], id: undefined });
  }
});

test.each([
  ['an id that nothing gives', { resume: ['--resume', '{conversation}'] }, 'resume'],
  ['an id that is not used', { begin: ['--id', '{conversation}'], resume: ['-c'] }, 'resume'],
  ['a beginning without an id', { begin: ['--id'], resume: ['-c'] }, 'begin'],
  ['no arguments', { resume: [] }, 'resume'],
  ['a NUL', { resume: ['\0'] }, 'resume'],
])('a preset with %s is broken', async (_what, conversation, field) => {
  const fake = await withAgent();
  fake.preset('agents', 'x.json', { name: 'x', argv: ['x'], conversation });
  const { stderr } = await fake.run('crew', 'presets');
  expect(stderr).toContain(`conversation.${field}`);
});

test('a root that was closed over what it had started is started under another name, and takes nothing over', async () => {
  const fake = await withReboots();
  const { t4aThere, socketPath } = fake;
  await t4aThere('crew', 'spawn', 'fake', '--name', 'boss');
  const child = await fake.t4a(['crew', 'spawn', 'fake', '--name', 'child'], {
    env: { ...fake.env, T4A_SOCKET: socketPath, T4A_TERMINAL: 'boss' },
  });
  expect(child.stdout).toBe('child\n');
  const client = await connect({ socketPath });
  onTestFinished(() => client.close());
  await fake.end('boss');
  expect(await t4aThere('crew', 'resume')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^fake-1 {2}started .*, in place of boss\n$/) as string,
  });
  const { terminals } = await client.call('list', {});
  expect(Object.fromEntries(terminals.map(({ id, labels }) => [id, labels['crew.session']]))).toEqual({
    child: 'boss',
    'fake-1': 'fake-1',
  });
  expect((await t4aThere('crew', 'resume')).stdout).toMatch(/^fake-1 {2}runs /);
  expect((await client.call('list', {})).terminals).toHaveLength(2);
});

test('another program of the name of a root is not taken for it', async () => {
  const { t4aThere, reboot } = await withReboots();
  await t4aThere('crew', 'spawn', 'fake', '--name', 'boss');
  const next = await reboot();
  await next.call('create', { name: 'boss', cmd_args: ['cat'] });
  expect((await t4aThere('crew', 'resume')).stdout).toMatch(/^fake-1 {2}started .*, in place of boss\n$/);
});

test('a root whose directory is gone is named, and the others are started', async () => {
  const { t4aThere, reboot, ...fake } = await withReboots();
  mkdirSync(join(fake.project, 'web'));
  fake.preset('agents', 'in-web.json', { name: 'in-web', argv: ['cat'], working_dir: 'web' });
  await t4aThere('crew', 'trust', 'in-web');
  await t4aThere('crew', 'spawn', 'in-web');
  await t4aThere('crew', 'spawn', 'fake');
  const next = await reboot();
  rmSync(join(fake.project, 'web'), { recursive: true });
  const { status, stdout } = await t4aThere('crew', 'resume');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^in-web-1 {2}cannot {2}.*web.*\nfake-1 {2}started /);
  expect((await next.call('list', {})).terminals).toMatchObject([{ id: 'fake-1' }]);
});

test('of two that resume at once each root is started once', async () => {
  const { t4aThere, reboot } = await withReboots();
  await t4aThere('crew', 'spawn', 'fake');
  const next = await reboot();
  const both = await Promise.all([t4aThere('crew', 'resume'), t4aThere('crew', 'resume')]);
  expect(both.map(({ status }) => status)).toContain(0);
  expect((await next.call('list', {})).terminals).toMatchObject([{ id: 'fake-1' }]);
});
