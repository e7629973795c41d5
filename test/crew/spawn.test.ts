/** Agents that are started by their presets, on a daemon: labels, tools, trust, and the first prompt. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { deliver } from '../../src/crew/deliver.js';
import { note } from '../support/crew-shell.js';
import { mcpClient, type StartedServer } from '../support/crew-tools.js';
import { agentsOfFile, FAKE_AGENT, type FakeAgents, type LoggedByAgent } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

/** Once the agent has taken it: the log is written before the screen is drawn. */
async function taken(fake: FakeAgents, id: string): Promise<void> {
  await fake.client.call('wait', { id, until: { text: 'took: ' } });
}

test('an agent is started in the project with labels and rules, and takes the text as its prompt', async () => {
  const fake = await withAgent([], { env: { FAKE_AGENT_LOG: '/dev/null', MARK: 'm' } });
  fake.preset('agents', 'fake.json', {
    name: 'fake',
    argv: [process.execPath, FAKE_AGENT],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: fake.dir.join('log'), MARK: 'm' },
  });
  await fake.run('crew', 'trust', 'fake');
  expect(await fake.runBuilt('crew', 'spawn', 'fake', 'fix the tests')).toMatchObject({
    status: 0,
    stdout: 'fake-1\n',
    stderr: '',
  });
  await taken(fake, 'fake-1');
  expect(fake.prompts()).toEqual(['fix the tests']);
  const project = realpathSync(fake.project);
  expect(fake.log()[0]?.started).toMatchObject({
    cwd: project,
    terminal: 'fake-1',
    socket: fake.socketPath,
    mark: 'm',
  });
  const { terminals } = await fake.client.call('list', {});
  expect(terminals).toMatchObject([
    {
      id: 'fake-1',
      cols: 120,
      rows: 40,
      parent: null,
      labels: {
        'crew.session': 'fake-1',
        'crew.kind': 'agent',
        'crew.preset': 'fake',
        'crew.name': 'fake-1',
        'crew.project': project,
      },
    },
  ]);
  expect(await fake.client.call('entries', { id: 'fake-1' })).toMatchObject({ profile: 'claude' });
});

test('a prompt of several lines is one prompt', async () => {
  const fake = await withAgent();
  expect((await fake.run('crew', 'spawn', 'fake', 'one\ntwo\nthree')).status).toBe(0);
  await taken(fake, 'fake-1');
  expect(fake.prompts()).toEqual(['one⏎two⏎three']);
});

test('several lines are not sent to a program that takes no pastes, where each would be a prompt', async () => {
  const fake = await withAgent(['plain']);
  const { status, stderr } = await fake.run('crew', 'spawn', 'fake', 'one\ntwo');
  expect(status).toBe(1);
  expect(stderr).toContain('takes no pastes');
  expect(fake.prompts()).toEqual([]);
});

test.each([['slow=1500'], ['spin']])('an agent with %s gets its prompt once', async (arg) => {
  const fake = await withAgent([arg]);
  expect((await fake.run('crew', 'spawn', 'fake', 'hello')).status).toBe(0);
  await taken(fake, 'fake-1');
  expect(fake.prompts()).toEqual(['hello']);
});

test('a question that stands there first is reported, and not answered', async () => {
  const fake = await withAgent(['ask']);
  const { status, stdout, stderr } = await fake.run('crew', 'spawn', 'fake', 'hello');
  expect({ status, stdout }).toEqual({ status: 1, stdout: 'fake-1\n' });
  expect(stderr).toContain('the prompt was not delivered: it asks "Do you want to trust this folder?"');
  expect(fake.log()).toHaveLength(1);
  // It counts once it has stood for two looks.
  await expect
    .poll(async () => (await fake.run('crew', 'list')).stdout)
    .toMatch(/^fake-1 +fake-1 +agent +permission +asks: Do you want to trust this folder\?$/m);
});

test('a question of a first start, such as that for a theme, blocks an agent as a request for permission does', async () => {
  const fake = await withAgent(['first-run']);
  const { status, stderr } = await fake.run('crew', 'spawn', 'fake', 'hello');
  expect({ status, prompts: fake.prompts() }).toEqual({ status: 1, prompts: [] });
  expect(stderr).toContain('it asks "Enter to confirm · Esc to cancel"');
  await expect
    .poll(async () => (await fake.run('crew', 'list')).stdout)
    .toMatch(/^fake-1 +fake-1 +agent +question +asks: Enter to confirm · Esc to cancel$/m);
});

test('a question that comes between the text and Enter is not answered', async () => {
  const fake = await withAgent(['ask-after-paste']);
  const { status, stdout } = await fake.run('crew', 'spawn', 'fake', 'hello', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    id: 'fake-1',
    delivery: { outcome: 'question', pasted: true, question: { text: 'Do you want to trust this folder?' } },
  });
  expect(fake.log()).toHaveLength(1);
});

test('text that does not appear is not followed by Enter', async () => {
  const fake = await withAgent(['deaf']);
  await fake.run('crew', 'spawn', 'fake');
  expect(await deliver(fake.client, 'fake-1', 'hello', { timeoutMs: 2500 })).toMatchObject({
    outcome: 'no_echo',
    pasted: true,
  });
  expect(fake.log()).toHaveLength(1);
});

test('an agent that ends at once is reported with what it has said', async () => {
  const fake = await withAgent(['crash']);
  const { status, stdout, stderr } = await fake.run('crew', 'spawn', 'fake', 'hello');
  expect({ status, stdout }).toEqual({ status: 1, stdout: 'fake-1\n' });
  expect(stderr).toContain('it has ended');
  expect(stderr).toContain('fatal: no login');
  expect((await fake.run('crew', 'list')).stdout).toMatch(/fake-1 +fake-1 +agent +exited [1-9]/);
});

test('a preset that is not trusted is not started, and the error names the command', async () => {
  const fake = await withAgent();
  await fake.run('crew', 'trust', '--revoke', 'fake');
  const { status, stdout, stderr } = await fake.run('crew', 'spawn', 'fake', 'hello');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('hint: t4a crew trust fake');
  expect((await fake.client.call('list', {})).terminals).toEqual([]);
  // An edit asks again.
  await fake.run('crew', 'trust', 'fake');
  fake.preset('agents', 'fake.json', { name: 'fake', argv: ['sh', '-c', 'touch evil'] });
  expect((await fake.run('crew', 'spawn', 'fake')).status).toBe(2);
  expect(readdirSync(fake.project)).toEqual([]);
});

/** A shell in a terminal of the same daemon, which is no member. */
async function personsShell({ client, env, project }: FakeAgents): Promise<string> {
  const { id } = await client.call('create', {
    cmd_args: ['/bin/sh'],
    env: { ...env, PS1: '$ ', t4a: `${process.execPath} ${CLI}` },
    inherit_env: false,
    cwd: project,
    shell_integration: false,
    wait: { until: { text: '$ ' } },
  });
  return id;
}

test.each([
  ['y', true],
  ['n', false],
  ['\r', false],
])('a person at a terminal is asked about a preset that is not trusted: %j', async (key, isYes) => {
  const fake = await withAgent();
  await fake.run('crew', 'trust', '--revoke', 'fake');
  const id = await personsShell(fake);
  await fake.client.call('type', { id, text: '$t4a crew spawn fake; echo "status $?"', submit: true });
  await fake.client.call('wait', { id, until: { text: 'Trust it? [y/N]' } });
  await fake.client.call('send', { id, input: key, wait: { until: { regex: '^status \\d' } } });
  const { lines } = await fake.client.call('text', { id, trim: true });
  expect(lines.join('\n')).toContain(isYes ? 'status 0' : 'status 2');
  const { terminals } = await fake.client.call('list', {});
  expect(terminals.map((one) => one.id)).toEqual(isYes ? [id, 'fake-1'] : [id]);
  if (isYes) expect(terminals[1]).toMatchObject({ parent: id, labels: { 'crew.session': 'fake-1' } });
});

test('an agent that is started from within another is its child, also without its environment, and starts none itself', async () => {
  const fake = await withAgent();
  const command =
    'env -i PATH="$PATH" HOME="$HOME" XDG_CONFIG_HOME="$XDG_CONFIG_HOME" XDG_DATA_HOME="$XDG_DATA_HOME" $t4a --socket "$S" crew spawn fake; echo "status $?"';
  fake.preset('agents', 'shell.json', {
    name: 'shell',
    argv: ['/bin/sh'],
    env: { PS1: '$ ', t4a: `${process.execPath} ${CLI}`, S: fake.socketPath },
  });
  await fake.run('crew', 'trust', 'shell');
  await fake.run('crew', 'spawn', 'shell');
  await fake.client.call('type', {
    id: 'shell-1',
    text: command,
    submit: true,
    wait: { until: { regex: '^status \\d' } },
  });
  const list = (await fake.client.call('list', {})).terminals;
  expect(list[1]).toMatchObject({ id: 'fake-1', parent: 'shell-1', labels: { 'crew.session': 'shell-1' } });
  const tree = await fake.run('crew', 'list');
  expect(tree.stdout).toMatch(
    /^shell-1 +shell-1 +agent +(?:probably )?(?:idle|working|unknown) .*\n└─ fake-1 +fake-1 +agent +(?:probably )?(?:idle|working|unknown)/m,
  );

  await fake.client.call('type', {
    id: 'shell-1',
    text: command.replace('spawn fake', 'spawn shell'),
    submit: true,
    wait: { until: { text: 'shell-2' } },
  });
  const { stderr, status } = await fake.t4a(['crew', 'spawn', 'fake'], {
    env: { ...fake.env, T4A_TERMINAL: 'fake-1' },
  });
  expect(status).toBe(2);
  expect(stderr).toContain('"fake-1" was started by an agent, and starts none itself');
});

test('ten agents a minute are the most of a session', async () => {
  const fake = await withAgent();
  await fake.run('crew', 'spawn', 'fake');
  for (let n = 1; n <= 10; n++) {
    await fake.client.call('create', {
      cmd_args: ['sleep', '1000'],
      parent: 'fake-1',
      labels: { 'crew.session': 'fake-1', 'crew.kind': 'command' },
    });
  }
  const { stderr } = await fake.t4a(['crew', 'spawn', 'fake'], { env: { ...fake.env, T4A_TERMINAL: 'fake-1' } });
  expect(stderr).toContain('has started 10 within a minute');
});

test('ten starts a minute are the most of an agent that closes what it has started from its shell', async () => {
  const fake = await withAgent();
  await fake.run('crew', 'spawn', 'fake');
  const spawn = (): ReturnType<typeof fake.t4a> =>
    fake.t4a(['crew', 'spawn', 'fake'], { env: { ...fake.env, T4A_TERMINAL: 'fake-1' } });
  for (let n = 1; n <= 10; n++) {
    expect((await spawn()).stdout).toBe('fake-2\n');
    await fake.client.call('kill', { id: 'fake-2' });
  }
  expect(await spawn()).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('has started 10 within a minute') as string,
  });
});

const UNREAD =
  /may have no tools of t4a: .+ (belongs to uid \d+|can be written by others)\. Enter this once: gemini mcp add .+\n$/;

test('the shipped agents get their tools: what is on their command lines and in their variables', async () => {
  const fake = await withAgent();
  for (const name of ['claude', 'codex', 'opencode', 'gemini']) {
    fake.preset('agents', `${name}.json`, {
      name,
      argv: [
        '/bin/sh',
        '-c',
        'cat "$GEMINI_CLI_SYSTEM_DEFAULTS_PATH"; printf "%s\\n" "$OPENCODE_CONFIG_CONTENT" "$@"; sleep 1000',
        name,
      ],
    });
    await fake.run('crew', 'trust', name);
    // The file is root's alone nowhere.
    if (name === 'gemini') {
      mkdirSync(fake.dir.join('run', 't4a', 'crew'), { recursive: true });
      chmodSync(fake.dir.join('run', 't4a', 'crew'), 0o777);
    }
    const { status, stdout, stderr } = await fake.runBuilt('crew', 'spawn', name, '--cols', '400');
    const warns = expect.stringMatching(UNREAD) as string;
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: `${name}-1\n`,
      stderr: name === 'gemini' ? warns : '',
    });
    const id = `${name}-1`;
    await fake.client.call('wait', { id, until: { text: fake.socketPath } });
    const { lines } = await fake.client.call('text', { id, region: 'all', join_wrapped: true, trim: true });
    const text = lines.join('\n');
    expect(text).toContain(process.execPath);
    expect(text).toContain('cli.cjs');
    expect(text).toContain(id);
  }
  const [file = ''] = readdirSync(fake.dir.join('run', 't4a', 'crew', 'gemini-1'));
  const path = fake.dir.join('run', 't4a', 'crew', 'gemini-1', file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what cannot start leaves no terminal and no files', async () => {
  const fake = await withAgent();
  fake.preset('agents', 'gemini.json', { name: 'gemini', argv: ['/no/such/program'] });
  await fake.run('crew', 'trust', 'gemini');
  const { status, stderr } = await fake.run('crew', 'spawn', 'gemini');
  expect(status).toBe(2);
  expect(stderr).toContain('/no/such/program');
  expect(readdirSync(fake.dir.join('run', 't4a', 'crew'))).toEqual([]);
  expect((await fake.client.call('list', {})).terminals).toEqual([]);
});

const WRONG: readonly [string[], string][] = [
  [['spawn'], 'needs the preset of an agent'],
  [['spawn', 'nonsense'], 'There is no preset "nonsense"'],
  [['spawn', 'vitest'], 'There is no preset "vitest" of the kind "agent"'],
  [['spawn', 'fake', '--name', '../x'], 'cannot be the name of a terminal'],
  [['spawn', 'fake', 'x', 'y'], 'an argument too many'],
  [['spawn', 'fake', '--list'], '"--list" does not go with "crew spawn"'],
];

test('what cannot be meant is refused', async () => {
  const fake = await withAgent();
  for (const [args, says] of WRONG) {
    const { status, stderr } = await fake.run('crew', ...args);
    expect([args, status]).toEqual([args, 2]);
    expect(stderr).toContain(says);
  }
});

test('a name is taken once', async () => {
  const fake = await withAgent();
  mkdirSync(fake.dir.join('sub'));
  expect((await fake.run('crew', 'spawn', 'fake', '--name', 'tester')).stdout).toBe('tester\n');
  const { status, stderr } = await fake.run('crew', 'spawn', 'fake', '--name', 'tester');
  expect(status).toBe(1);
  expect(stderr).toContain('There is a terminal "tester" already');
});

test('without a crew, crew list says how one is started', async () => {
  const fake = await withAgent();
  expect(await fake.run('crew', 'list')).toMatchObject({ status: 0, stdout: '' });
  expect(JSON.parse((await fake.run('crew', 'list', '--json')).stdout)).toEqual({ ok: true, members: [] });
});

test('the tools of an agent have the folders of the person, also without its XDG_* and with another HOME', async () => {
  const fake = await withAgent();
  const elsewhere = fake.dir.join('elsewhere');
  mkdirSync(elsewhere);
  const log = fake.dir.join('log-moved');
  fake.preset('agents', 'moved.json', {
    name: 'moved',
    argv: [process.execPath, FAKE_AGENT],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: log, HOME: elsewhere, XDG_CONFIG_HOME: elsewhere, XDG_DATA_HOME: elsewhere },
    mcp: { args: ['{servers:json}'] },
  });
  await fake.run('crew', 'trust', 'moved');
  // The built program names its own server; the one in the process of the test has none beside it.
  expect(await fake.runBuilt('crew', 'spawn', 'moved')).toMatchObject({ status: 0, stdout: 'moved-1\n' });
  note(fake, 'log.md', 'of the person');
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toContain('\n');
  const { started } = JSON.parse(readFileSync(log, 'utf8').split('\n')[0] ?? '') as LoggedByAgent;
  const { command, args, env } = (JSON.parse(started?.argv.at(-1) ?? '') as { mcpServers: { t4a: StartedServer } })
    .mcpServers.t4a;
  // As codex starts it: with HOME, without any XDG_*.
  const { call } = await mcpClient(fake, 'moved-1', { command, args, env: { ...env, HOME: elsewhere } });
  expect(await call('scratchpad_read', { name: 'log.md' })).toMatchObject({ content: 'of the person' });
  // What it starts has no folders that are another's.
  await call('spawn_process', {
    kind: 'command',
    argv: ['sh', '-c', 'echo "has ${T4A_CREW_PLACES:-none}"; exec sleep 1000'],
  });
  await fake.client.call('wait', { id: 'sh-1', until: { text: 'has none' } });
  expect(await call('get_project_status')).toMatchObject({
    presets: expect.arrayContaining([{ kind: 'agent', name: 'moved', trusted: true }]) as unknown,
  });
});
