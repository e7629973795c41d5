/** The tools of the crew: by a client of MCP, by role, and with wrong input. */
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { crewPlaces } from '../../src/crew/places.js';
import { processPreset } from '../../src/crew/preset.js';
import { grantTrust, revokeTrust } from '../../src/crew/trust.js';
import { CREW_TOOLS } from '../../src/crew/tools/tool-set.js';
import { CLI, runCli } from '../support/cli.js';
import {
  callAs,
  type CrewCall as Call,
  type CrewReply as Reply,
  codeOf,
  mcpClient,
  spawned,
} from '../support/crew-tools.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

async function withRoot(): Promise<FakeAgents> {
  return spawned(await withAgent());
}

/** A command that prints this and stays. */
const printing = (text: string): object => ({
  kind: 'command',
  argv: ['/bin/sh', '-c', `printf '${text}'; exec sleep 1000`],
});

test('an agent starts another with its first prompt, and a command, and sees both below it', async () => {
  const fake = await withRoot();
  await fake.client.call('wait', { id: 'fake-1', until: { doing: 'idle' } });
  const { client, call } = await mcpClient(fake, 'fake-1');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(CREW_TOOLS.map(({ name }) => name));
  expect(await call('spawn_agent', { agent: 'fake', agent_instructions: 'fix it', name: 'Fixer of tests' })).toEqual({
    process_id: 'fake-2',
    name: 'Fixer of tests',
    delivered: 'submitted',
  });
  await fake.client.call('wait', { id: 'fake-2', until: { text: 'took: fix it' } });
  expect(fake.prompts()).toEqual(['fix it']);
  expect(await call('spawn_process', printing('ready'))).toEqual({ process_id: 'sh-1', name: 'sh-1' });
  await fake.client.call('wait', { id: 'sh-1', until: { text: 'ready' } });
  const { processes } = (await call('list_processes')) as { processes: Reply[] };
  expect(processes).toMatchObject([
    {
      process_id: 'fake-1',
      kind: 'agent',
      status: 'running',
      state: 'idle',
      parent_process_id: null,
      trusted: true,
    },
    { process_id: 'fake-2', kind: 'agent', name: 'Fixer of tests', parent_process_id: 'fake-1', trusted: true },
    { process_id: 'sh-1', kind: 'command', parent_process_id: 'fake-1', status: 'running' },
  ]);
  expect(processes[2]).not.toHaveProperty('trusted');
  expect((await call('list_processes', { kind: 'command' }))['processes']).toHaveLength(1);
  const status = await call('get_project_status');
  expect(status).toMatchObject({
    project: { path: realpathSync(fake.project), key: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    caller: { process_id: 'fake-1', role: 'orchestrator', name: 'fake-1', parent_process_id: null },
  });
  expect((status['presets'] as Reply[]).find(({ name }) => name === 'fake')).toEqual({
    kind: 'agent',
    name: 'fake',
    trusted: true,
  });
});

test('a server whose environment was cleared is known by its parents', async () => {
  const fake = await withAgent();
  fake.preset('agents', 'shell.json', { name: 'shell', argv: ['/bin/sh'], env: { PS1: '$ ' } });
  await fake.run('crew', 'trust', 'shell');
  await fake.run('crew', 'spawn', 'shell', '--cols', '500');
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'get_project_status', arguments: { include_tools: false } } },
  ];
  writeFileSync(fake.dir.join('in'), messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  const places = Object.entries(fake.env).filter(([name]) => name === 'HOME' || name.startsWith('XDG_'));
  const server = [
    'env -i',
    ...places.map((one) => one.join('=')),
    `setsid '${process.execPath}' '${CLI}' --socket '${fake.socketPath}' mcp --profile crew`,
  ];
  // Its standard input stays open: calls under way end with it.
  writeFileSync(
    fake.dir.join('serve.sh'),
    `(cat '${fake.dir.join('in')}'; read -r _) | ${server.join(' ')}\necho "it ended: $((6 * 7))"\n`,
  );
  await fake.client.call('type', { id: 'shell-1', text: `sh '${fake.dir.join('serve.sh')}'`, submit: true });
  const { match } = await fake.client.call('wait', { id: 'shell-1', until: { regex: '"caller.*?}' } });
  expect(match?.text.replaceAll('\\', '')).toContain('"process_id":"shell-1","role":"orchestrator"');
  await fake.client.call('press', { id: 'shell-1', keys: ['Enter'] });
  // In a session of its own it would outlive the shell, and write into a folder that is being removed.
  const end = await fake.client.call('wait', { id: 'shell-1', until: { text: 'it ended: 42' } });
  expect(end.outcome).toBe('matched');
});

test('the life of a command: output, search, stop, start, restart, rename, close', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  const id = 'sh-1';
  await call('spawn_process', printing('one\\n\\n\\n\\n\\033[31mtwo\\033[0m\\n'));
  expect(await call('wait_for_pattern', { process_id: id, pattern: 't.o', timeout_seconds: 20 })).toEqual({
    matched: true,
    snippet: 'two',
  });
  expect(await call('get_process_output', { process_id: id })).toMatchObject({
    content: 'one\n\ntwo',
    mode: 'grid',
    active_screen: 'main',
    status: 'running',
    cursor: { x: 0, y: 5 },
    screen_version: expect.any(Number) as number,
  });
  const stream = await call('get_process_output', { process_id: id, mode: 'stream' });
  expect(stream).toMatchObject({ content: 'one\n\n\n\ntwo\n', new_offset: 25 });
  expect(await call('get_process_output', { process_id: id, mode: 'stream', since_offset: 25 })).toMatchObject({
    content: '',
    new_offset: 25,
  });
  expect(await call('get_process_raw_output', { process_id: id })).toEqual({
    content: 'one\r\n\r\n\r\n\r\n\u001b[31mtwo\u001b[0m\r\n',
    new_offset: 25,
    more: false,
    status: 'running',
  });
  expect(await call('search_output', { process_id: id, pattern: 'one|two' })).toEqual({
    matches: [
      { line_no: 0, text: 'one' },
      { line_no: 4, text: 'two' },
    ],
    truncated: false,
  });
  expect(await call('search_output', { process_id: id, pattern: '31m', kind: 'raw' })).toMatchObject({
    matches: [{ line_no: 4 }],
  });
  expect(await call('search_output', { process_id: id, pattern: '.', limit: 1 })).toMatchObject({ truncated: true });
  expect(await call('get_process_status', { process_id: id })).toMatchObject({
    working_dir: realpathSync(fake.project),
    argv: ['/bin/sh', '-c', expect.any(String) as string],
    started_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    rows: 40,
    cols: 120,
  });
  expect(await call('get_process_ports', { process_id: id })).toEqual({ ports: [] });
  expect(await call('stop_process', { process_id: id, signal: 'TERM' })).toEqual({ process_id: id, status: 'stopped' });
  expect(await call('stop_process', { process_id: id })).toEqual({ process_id: id, status: 'stopped' });
  expect(await call('get_process_output', { process_id: id })).toMatchObject({
    content: 'one\n\ntwo',
    status: 'stopped',
  });
  expect(await call('start_process', { process_id: id })).toMatchObject({ process_id: id, status: 'running' });
  expect(await call('start_process', { process_id: id })).toMatchObject({ status: 'running' });
  const before = (await fake.client.call('status', { id })).generation;
  expect(await call('restart_process', { process_id: id })).toMatchObject({ process_id: id });
  expect((await fake.client.call('status', { id })).generation).toBe(before + 1);
  expect(await call('rename_process', { process_id: id, name: 'The server' })).toEqual({ ok: true });
  expect(await call('get_process_status', { process_id: id })).toMatchObject({ name: 'The server' });
  expect(await call('close_process', { process_id: id })).toEqual({ ok: true });
  expect(codeOf(await call('get_process_status', { process_id: id }))).toBe('not_found');
});

test('output of more than a call has is read from its newest end, or on from an offset', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  const id = 'sh-1';
  const argv = ['/bin/sh', '-c', 'seq 1 30000; echo FINAL; exec sleep 1000'];
  await call('spawn_process', { kind: 'command', argv });
  await call('wait_for_pattern', { process_id: id, pattern: 'FINAL', timeout_seconds: 60 });
  const stream = { process_id: id, mode: 'stream' };
  const newest = await call('get_process_output', stream);
  expect(newest).toMatchObject({ more: false });
  const lines = String(newest['content']).split('\n');
  // Whole lines alone.
  expect(lines.slice(-3)).toEqual(['30000', 'FINAL', '']);
  expect(lines[1]).toBe(String(Number(lines[0]) + 1));
  const raw = await call('get_process_raw_output', { process_id: id });
  expect(String(raw['content']).replaceAll('\r\n', '\n')).toBe(newest['content']);
  let [text, since, calls] = ['', 0, 0];
  for (let more = true; more; calls++) {
    const part = await call('get_process_output', { ...stream, since_offset: since });
    [more, since] = [part['more'], part['new_offset']] as [boolean, number];
    text += String(part['content']);
  }
  expect(calls).toBeGreaterThan(2);
  expect(text).toBe(`${Array.from({ length: 30_000 }, (_, i) => i + 1).join('\n')}\nFINAL\n`);
});

test('input: a line, a paste, a key, a prompt for an agent, and an answer that is bound to its question', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  await call('spawn_process', { kind: 'command', argv: ['cat'], name: 'cat' });
  const id = 'cat-1';
  expect(await call('send_input', { process_id: id, kind: 'text', text: 'hello', wait_ms: 300 })).toMatchObject({
    ok: true,
    tail: { mode: 'stream', content: 'hello\nhello\n' },
  });
  expect(await call('send_input', { process_id: id, kind: 'paste', text: 'pasted' })).toEqual({ ok: true });
  expect(
    await call('send_input', { process_id: id, kind: 'key', key: 'enter', wait_ms: 300, tail_mode: 'grid' }),
  ).toMatchObject({
    tail: { mode: 'grid', content: 'hello\nhello\npasted\npasted' },
  });
  await call('send_input', { process_id: id, kind: 'key', key: 'ctrl-c' });
  expect(await call('wait_for_pattern', { process_id: id, pattern: 'never', timeout_seconds: 20 })).toEqual({
    matched: false,
    status: 'exited',
  });
  expect(codeOf(await call('send_input', { process_id: id, kind: 'text', text: 'x' }))).toBe('terminal_exited');

  fake.preset('agents', 'asks.json', {
    name: 'asks',
    argv: [...(await fake.client.call('list', {})).terminals[0]!.cmd, 'ask'],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: fake.dir.join('log') },
  });
  expect(codeOf(await call('spawn_agent', { agent: 'asks', agent_instructions: 'go' }))).toBe('needs_trust');
  await fake.run('crew', 'trust', 'asks');
  const spawned = await call('spawn_agent', { agent: 'asks', agent_instructions: 'go' });
  expect(spawned).toMatchObject({
    process_id: 'asks-1',
    delivered: 'question',
    question: { text: 'Do you want to trust this folder?' },
  });
  const refused = await call('send_input', { process_id: 'asks-1', kind: 'text', text: 'go' });
  expect(refused).toMatchObject({ error: { code: 'not_delivered', delivered: 'question' } });
  const asked = async () =>
    (await call('get_process_status', { process_id: 'asks-1' })) as { question: { entry: string }; state: string };
  // A question counts once it has stood for two looks.
  await expect.poll(async () => (await asked()).state).toBe('waiting');
  const { question } = await asked();
  for (const typed of [
    { kind: 'paste', text: '1' },
    { kind: 'text', text: '1', submit: false },
  ]) {
    const kept = await call('send_input', { process_id: 'asks-1', ...typed });
    expect(kept).toMatchObject({ error: { code: 'not_delivered', question: { entry: question.entry } } });
    const wrong = await call('send_input', { process_id: 'asks-1', ...typed, if_entry: 'abcdef@9' });
    expect(codeOf(wrong)).toBe('entry_changed');
  }
  expect((await fake.client.call('status', { id: 'asks-1' })).inputs).toBe(0);
  const stale = await call('send_input', { process_id: 'asks-1', kind: 'key', key: 'enter', if_entry: 'abcdef@9' });
  expect(codeOf(stale)).toBe('entry_changed');
  expect(fake.log().some(({ approved }) => approved)).toBe(false);
  await call('send_input', { process_id: 'asks-1', kind: 'key', key: 'enter', if_entry: question.entry });
  await fake.client.call('wait', { id: 'asks-1', until: { gone: 'trust this folder' } });
  expect(await call('send_input', { process_id: 'asks-1', kind: 'text', text: 'go' })).toEqual({
    ok: true,
    delivered: 'submitted',
  });
  await fake.client.call('wait', { id: 'asks-1', until: { text: 'took: go' } });
  expect(fake.prompts()).toEqual(['go']);
});

/** Fields that are right for each tool, about a process that is not there: only roles are asked about. */
const INPUTS: Readonly<Record<string, object>> = {
  spawn_agent: { agent: 'nonsense', agent_instructions: 'x' },
  spawn_process: { kind: 'command', preset: 'nonsense' },
  rename_process: { process_id: 'nonsense', name: 'x' },
  list_processes: {},
  get_project_status: {},
  search_output: { process_id: 'nonsense', pattern: 'x' },
  wait_for_pattern: { process_id: 'nonsense', pattern: 'x', timeout_seconds: 1 },
  send_input: { process_id: 'nonsense', kind: 'key', key: 'enter' },
  send_message: { target_process_id: 'nonsense', message: 'x' },
  request_human_attention: { process_id: 'nonsense', reason: 'x' },
  whoami: {},
  timer_wait: { seconds: 1000 },
  timer_fire_when_idle_any: { process_ids: ['nonsense'] },
  timer_fire_when_idle_all: { process_ids: ['nonsense'] },
  timer_cancel: { timer_id: 'nonsense' },
  timer_list: {},
  help: {},
  scratchpad_list: {},
  scratchpad_read: { name: 'nonsense' },
  scratchpad_write: { name: 'a', content: 'b' },
  scratchpad_append: { name: 'a', content: 'b' },
  scratchpad_delete: { name: 'nonsense' },
};

const READING = [
  'list_processes',
  'get_process_status',
  'get_project_status',
  'get_process_output',
  'get_process_raw_output',
  'search_output',
  'wait_for_pattern',
  'get_process_ports',
  'whoami',
  'help',
  'scratchpad_list',
  'scratchpad_read',
];
const ACTING = [
  'spawn_process',
  'start_process',
  'restart_process',
  'stop_process',
  'close_process',
  'rename_process',
  'send_input',
  'send_message',
  'request_human_attention',
  'select_process',
  'timer_wait',
  'timer_fire_when_idle_any',
  'timer_fire_when_idle_all',
  'timer_cancel',
  'timer_list',
  'scratchpad_write',
  'scratchpad_append',
  'scratchpad_delete',
];

test('each role has the tools of the table, and no other', async () => {
  const fake = await withRoot();
  await callAs(fake, 'fake-1')('spawn_process', printing(''));
  await fake.client.call('create', {
    name: 'child',
    cmd_args: ['cat'],
    parent: 'fake-1',
    labels: { 'crew.session': 'fake-1', 'crew.kind': 'agent' },
  });
  const callers: [string, Call, string[]][] = [
    ['orchestrator', callAs(fake, 'fake-1'), ['spawn_agent', ...ACTING, ...READING]],
    ['orchestrator', callAs(fake, undefined, true), ['spawn_agent', ...ACTING, ...READING]],
    ['sub-agent', callAs(fake, 'child'), [...ACTING, ...READING]],
    // A command of a session, and what is in no terminal.
    ['process', callAs(fake, 'sh-1'), READING],
    ['process', callAs(fake), READING],
    ['process', callAs(fake, 'no-such-terminal'), READING],
  ];
  for (const [role, call, allowed] of callers) {
    const { caller } = (await call('get_project_status')) as { caller: { role: string; available_tools: string[] } };
    expect(caller.role).toBe(role);
    expect(caller.available_tools.toSorted()).toEqual(allowed.toSorted());
    for (const { name } of CREW_TOOLS) {
      const code = codeOf(await call(name, INPUTS[name] ?? { process_id: 'nonsense' }));
      if (!allowed.includes(name)) expect([role, name, code]).toEqual([role, name, 'role_forbidden']);
      else expect(['not_found', 'unknown_agent', 'unknown_preset', 'no_terminal', undefined]).toContain(code);
    }
  }
});

test('an agent acts on what is below it, sees its session, and nothing of others', async () => {
  const fake = await withRoot();
  await fake.run('crew', 'spawn', 'fake');
  await fake.client.call('create', { name: 'mine', cmd_args: ['cat'] });
  const [first, second] = [callAs(fake, 'fake-1'), callAs(fake, 'fake-2')];
  await first('spawn_process', printing('x'));
  await fake.client.call('create', {
    name: 'child',
    cmd_args: ['cat'],
    parent: 'fake-1',
    labels: { 'crew.session': 'fake-1', 'crew.kind': 'agent' },
  });
  const child = callAs(fake, 'child');
  expect(codeOf(await child('get_process_status', { process_id: 'sh-1' }))).toBeUndefined();
  expect(codeOf(await child('close_process', { process_id: 'sh-1' }))).toBe('role_forbidden');
  expect(codeOf(await child('close_process', { process_id: 'fake-1' }))).toBe('role_forbidden');
  expect(codeOf(await first('close_process', { process_id: 'fake-1' }))).toBe('role_forbidden');
  for (const id of ['sh-1', 'fake-1', 'mine', '@', '../x']) {
    expect([id, codeOf(await second('get_process_output', { process_id: id }))]).toEqual([id, 'not_found']);
    expect([id, codeOf(await second('close_process', { process_id: id }))]).toEqual([id, 'not_found']);
  }
  // What a child has started is below its parent, too, and ends with it.
  await child('spawn_process', printing('y'));
  expect(await first('close_process', { process_id: 'child' })).toEqual({ ok: true });
  const { terminals } = await fake.client.call('list', {});
  expect(terminals.map(({ id }) => id).toSorted()).toEqual(['fake-1', 'fake-2', 'mine', 'sh-1']);
});

test('what an external orchestrator has started is its own, and starts no agents', async () => {
  const fake = await withAgent();
  const { call } = await mcpClient(fake, undefined);
  expect(await call('spawn_agent', { agent: 'fake', agent_instructions: 'go' })).toMatchObject({
    process_id: 'fake-1',
    delivered: 'submitted',
  });
  expect(await call('list_processes')).toMatchObject({
    processes: [{ process_id: 'fake-1', parent_process_id: null }],
  });
  const below = callAs(fake, 'fake-1');
  expect(await below('get_project_status')).toMatchObject({ caller: { role: 'sub-agent' } });
  expect(codeOf(await below('spawn_agent', { agent: 'fake', agent_instructions: 'go' }))).toBe('role_forbidden');
  expect((await fake.run('crew', 'spawn', 'fake')).stdout).toBe('fake-2\n');
  expect(codeOf(await call('get_process_status', { process_id: 'fake-2' }))).toBe('not_found');
  expect(await call('close_process', { process_id: 'fake-1' })).toEqual({ ok: true });
});

test('ten starts a minute are the most of a caller, also if it closes them', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  // What has not been started is none of them.
  for (let n = 0; n < 11; n++) {
    expect(codeOf(await call('spawn_agent', { agent: 'nonsense', agent_instructions: 'x' }))).toBe('unknown_agent');
  }
  for (let n = 0; n < 10; n++) {
    const { process_id: id } = await call('spawn_process', { kind: 'command', argv: ['true'] });
    expect(await call('close_process', { process_id: id })).toEqual({ ok: true });
  }
  expect(codeOf(await call('spawn_process', { kind: 'command', argv: ['true'] }))).toBe('limit_reached');
});

test('bounds are those that the person has set, and a broken file starts nothing', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  const file = `${fake.env['XDG_CONFIG_HOME'] ?? ''}/t4a/crew.json`;
  const set = (text: string): void => writeFileSync(file, text, { mode: 0o600 });
  const start = { kind: 'command', argv: ['sleep', '1000'] };
  set('{"limits": {"children": 1, "depth": 1}}');
  expect(await call('spawn_process', start)).toMatchObject({ process_id: 'sleep-1' });
  expect(await call('spawn_process', start)).toMatchObject({
    error: { code: 'limit_reached', message: expect.stringContaining('1 living children') as string },
  });
  expect(codeOf(await call('spawn_agent', { agent: 'fake', agent_instructions: 'x' }))).toBe('limit_reached');
  set('{"limits": {"children": 2, "spawns_a_minute": 2}}');
  expect(await call('spawn_process', start)).toMatchObject({ process_id: 'sleep-2' });
  expect(codeOf(await call('spawn_process', start))).toBe('limit_reached');
  set('{"limits": {\n"children": "two"}}');
  expect(await call('spawn_process', start)).toMatchObject({
    error: { message: expect.stringContaining('line 2: "limits.children"') as string },
  });
  expect(await call('list_processes')).toMatchObject({ processes: [{}, {}, {}] });
});

test('of a session 16 live at once, also if several of its agents have started them', async () => {
  const fake = await withRoot();
  const labels = { 'crew.session': 'fake-1', 'crew.kind': 'command' };
  for (let n = 1; n < 16; n++) {
    await fake.client.call('create', { cmd_args: ['sleep', '1000'], name: `s${n}`, parent: 'fake-1', labels });
  }
  const agent = { ...labels, 'crew.kind': 'agent' };
  await fake.client.call('create', { cmd_args: ['cat'], name: 'child', parent: 's1', labels: agent });
  for (const caller of ['fake-1', 'child']) {
    expect(await callAs(fake, caller)('spawn_process', { kind: 'command', argv: ['true'] })).toMatchObject({
      error: { code: 'limit_reached', message: expect.stringContaining('16 living children') as string },
    });
  }
});

test('commands by presets need trust, to start and to start again', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  fake.preset('processes', 'dev.json', { name: 'dev', argv: ['sleep', '1000'], env: { A: 'b' } });
  expect(codeOf(await call('spawn_process', { kind: 'command', preset: 'dev' }))).toBe('needs_trust');
  await fake.run('crew', 'trust', 'dev');
  expect(await call('spawn_process', { kind: 'command', preset: 'dev' })).toEqual({
    process_id: 'dev-1',
    name: 'dev-1',
  });
  await call('stop_process', { process_id: 'dev-1' });
  await fake.run('crew', 'trust', '--revoke', 'dev');
  for (const name of ['start_process', 'restart_process']) {
    expect(codeOf(await call(name, { process_id: 'dev-1' }))).toBe('needs_trust');
  }
  fake.preset('processes', 'dev.json', { name: 'dev', disabled: true });
  expect(codeOf(await call('start_process', { process_id: 'dev-1' }))).toBe('needs_trust');
  expect(await call('list_processes', { kind: 'command' })).toMatchObject({
    processes: [{ status: 'stopped', trusted: false }],
  });
  // Trust in what the preset says by now is none in what the process was started with.
  fake.preset('processes', 'dev.json', { name: 'dev', argv: ['sleep', '2000'] });
  await fake.run('crew', 'trust', 'dev');
  expect(await call('start_process', { process_id: 'dev-1' })).toMatchObject({
    error: { code: 'needs_trust', message: expect.stringContaining('something else by now') as string },
  });
});

test('a preset starts where it is trusted: elsewhere, and with other programs behind its names, it is not', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  const [inside, other, link] = ['shop/inside', 'other', 'link'].map((name) => fake.dir.join(name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [inside, other]) mkdirSync(folder);
  symlinkSync(other, link);
  const argv = ['sh', '-c', 'pwd > "$0"; exec sleep 1000', fake.dir.join('ran')];
  fake.preset('processes', 'dev.json', { name: 'dev', argv });
  fake.preset('agents', 'helper.json', { name: 'helper', argv, composer: '^> $' });
  for (const name of ['dev', 'helper']) await fake.run('crew', 'trust', name);
  const process = { kind: 'command', preset: 'dev' };
  const agent = { agent: 'helper', agent_instructions: 'go' };
  for (const folder of [inside, other, link, path.relative(fake.project, other)]) {
    for (const [name, input] of [
      ['spawn_agent', agent],
      ['spawn_process', process],
    ] as const) {
      const refused = await call(name, { ...input, working_dir: folder });
      expect(refused).toMatchObject({ error: { code: 'needs_trust', ask: expect.any(Number) as number } });
    }
  }
  const others =
    'PATH LD_PRELOAD NODE_OPTIONS PYTHONPATH GIT_SSH_COMMAND BASH_ENV ENV PERL5LIB GNUMAKEFLAGS MAKEFLAGS VIMRUNTIME VIM VIMINIT ' +
    'ESBUILD_BINARY_PATH PYTEST_ADDOPTS CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_X NPM_CONFIG_X RUSTC_WRAPPER LESSOPEN MANPAGER FZF_DEFAULT_COMMAND ' +
    'port LANGX NO_SUCH_NAME';
  for (const name of others.split(' ')) {
    expect(codeOf(await call('spawn_process', { ...process, env: { PORT: '1', [name]: 'x' } }))).toBe('needs_trust');
  }
  const byPath = { ...process, env: { LANG: '../evil' } };
  expect(codeOf(await call('spawn_process', byPath))).toBe('needs_trust');
  expect(existsSync(fake.dir.join('ran'))).toBe(false);
  grantTrust(crewPlaces(fake.env), realpathSync(other), 'process', processPreset.parse({ name: 'dev', argv }));
  expect(await call('spawn_process', { ...process, working_dir: link, env: { PORT: '1' } })).toMatchObject({
    process_id: 'dev-1',
  });
  await expect
    .poll(() => existsSync(fake.dir.join('ran')) && readFileSync(fake.dir.join('ran'), 'utf8'))
    .toBe(`${realpathSync(other)}\n`);
  await call('stop_process', { process_id: 'dev-1' });
  revokeTrust(crewPlaces(fake.env), realpathSync(other), 'process', 'dev');
  expect(codeOf(await call('start_process', { process_id: 'dev-1' }))).toBe('needs_trust');
  expect(await call('spawn_process', { ...process, working_dir: '.', env: { PORT: '1' } })).toMatchObject({
    process_id: 'dev-2',
  });
  // A link is followed once, by the look: where it leads a moment later is nothing to the start.
  const home = fake.dir.join('home-link');
  symlinkSync(fake.project, home);
  const { process_id: id } = await call('spawn_process', { ...process, working_dir: home });
  expect(await call('get_process_status', { process_id: id })).toMatchObject({
    working_dir: realpathSync(fake.project),
  });
  // What the preset names, and the person has trusted with it, is an agent's to set.
  fake.preset('processes', 'named.json', { name: 'named', argv, env_names: ['MAKEFLAGS'] });
  await fake.run('crew', 'trust', 'named');
  const named = { kind: 'command', preset: 'named' };
  expect(await call('spawn_process', { ...named, env: { MAKEFLAGS: '-k', LC_ALL: 'C' } })).toMatchObject({
    process_id: 'named-1',
  });
  expect(codeOf(await call('spawn_process', { ...named, env: { GNUMAKEFLAGS: '-k' } }))).toBe('needs_trust');
});

test.each([
  ['of too many bytes', '漢'.repeat(65_536)],
  ['that is no Unicode text', 'a\ud800'],
  ['that shows nothing', ' \n\u200b'],
])('for a text %s no agent is started', async (_what, text) => {
  const fake = await withRoot();
  const reply = await callAs(fake, 'fake-1')('spawn_agent', { agent: 'fake', agent_instructions: text });
  expect(codeOf(reply)).toBe('invalid_field');
  expect(await fake.run('crew', 'spawn', 'fake', text)).toMatchObject({ status: 2, stdout: '' });
  expect((await fake.client.call('list', {})).terminals).toHaveLength(1);
});

test('an agent that ends at once is not said to run on', async () => {
  const fake = await withRoot();
  fake.preset('agents', 'ends.json', { name: 'ends', argv: ['sh', '-c', 'echo no login; exit 7'] });
  await fake.run('crew', 'trust', 'ends');
  const { error } = await callAs(fake, 'fake-1')('spawn_agent', { agent: 'ends', agent_instructions: 'go' });
  expect(error).toMatchObject({
    code: 'not_delivered',
    message: expect.stringContaining('was started and has ended') as string,
    process_id: 'ends-1',
    delivered: 'exited',
    tail: ['no login'],
  });
});

test('starts at once do not exceed what a session may have', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  // Of another agent of the session.
  const labels = { 'crew.session': 'fake-1', 'crew.kind': 'command' };
  for (let n = 1; n < 6; n++) {
    await fake.client.call('create', { cmd_args: ['cat'], name: `s${n}`, parent: 'fake-1', labels });
  }
  // With names of their own, none waits for another's.
  const names = Array.from({ length: 10 }, (_, n) => `own${n}`);
  const replies = await Promise.all(
    names.map((name) => call('spawn_process', { kind: 'command', argv: ['cat'], name })),
  );
  expect(replies.filter((reply) => codeOf(reply) === 'limit_reached')).toHaveLength(5);
  const { terminals } = await fake.client.call('list', {});
  expect(terminals.filter(({ labels: of }) => of['crew.kind'] === 'command')).toHaveLength(10);
});

test('input that was sent is no failure if its program has gone before the tail', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  await call('spawn_process', { kind: 'command', argv: ['sh', '-c', 'read x; sleep 1; echo read; exec sleep 1000'] });
  const sent = call('send_input', { process_id: 'sh-1', kind: 'key', key: 'enter', wait_ms: 3000 });
  await fake.client.call('wait', { id: 'sh-1', until: { text: 'read' } });
  await fake.client.call('kill', { id: 'sh-1' });
  expect(await sent).toEqual({ ok: true, warning: expect.stringContaining('there is no tail') as string });
});

test('an agent is not started again once it has ended, and a shell is no command', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  const { process_id: id } = await call('spawn_process', { kind: 'terminal', name: 'shell' });
  expect(await call('get_process_status', { process_id: id })).toMatchObject({
    argv: ['/bin/sh', '-i'],
    kind: 'terminal',
  });
  expect(codeOf(await call('start_process', { process_id: id }))).toBe('wrong_kind');
  await call('stop_process', { process_id: id });
  expect(codeOf(await call('restart_process', { process_id: id }))).toBe('wrong_kind');
});

const WRONG: readonly [string, object, string][] = [
  ['spawn_process', { kind: 'command' }, 'invalid_field'],
  ['spawn_process', { kind: 'command', argv: ['x'], preset: 'y' }, 'invalid_field'],
  ['spawn_process', { kind: 'command', preset: 'vitest', shell: true }, 'invalid_field'],
  ['spawn_process', { kind: 'command', argv: [] }, 'invalid_field'],
  ['spawn_process', { kind: 'command', argv: ['/no/such'] }, 'program_not_found'],
  ['spawn_process', { kind: 'command', argv: ['true'], working_dir: 'no/such' }, 'cwd_not_found'],
  ['spawn_process', { kind: 'agent' }, 'invalid_field'],
  ['spawn_process', { kind: 'command', argv: ['true'], name: 'a\u001b[2J' }, 'invalid_field'],
  ['spawn_agent', { agent: 'fake' }, 'invalid_field'],
  ['spawn_agent', { agent: '../fake', agent_instructions: 'x' }, 'unknown_agent'],
  ['spawn_agent', { agent: '__proto__', agent_instructions: 'x' }, 'unknown_agent'],
  ['spawn_agent', { agent: 'vitest', agent_instructions: 'x' }, 'unknown_agent'],
  ['spawn_process', { kind: 'command', preset: 'claude' }, 'unknown_preset'],
  ['list_processes', { kind: 'x' }, 'invalid_field'],
  ['list_processes', { id: 'x' }, 'invalid_field'],
  ['search_output', { process_id: 'cat', pattern: '(' }, 'bad_regex'],
  ['search_output', { process_id: 'cat', pattern: '(', kind: 'raw' }, 'bad_regex'],
  ['wait_for_pattern', { process_id: 'cat', pattern: '(', timeout_seconds: 1 }, 'bad_regex'],
  ['wait_for_pattern', { process_id: 'cat', pattern: 'x', timeout_seconds: 0 }, 'invalid_field'],
  ['send_input', { process_id: 'cat', kind: 'key', key: 'nonsense' }, 'unknown_key'],
  ['send_input', { process_id: 'cat', kind: 'key', text: 'x' }, 'invalid_field'],
  ['send_input', { process_id: 'cat', kind: 'text' }, 'invalid_field'],
  ['send_input', { process_id: 'cat', kind: 'text', text: 'x', if_entry: 'a@1' }, 'invalid_field'],
  ['get_process_output', { process_id: 7 }, 'invalid_field'],
  ['get_process_output', { process_id: 'cat', since_offset: 0 }, 'invalid_field'],
  ['get_process_output', { process_id: 'cat', mode: 'stream', since_offset: 10_000 }, 'offset_gone'],
  ['get_process_raw_output', { process_id: 'cat', since_offset: 10_000 }, 'offset_gone'],
  ['send_input', { process_id: 'cat', kind: 'text', text: 'a\ud800' }, 'invalid_field'],
  ['rename_process', { process_id: 'cat', name: 'a\ud800' }, 'invalid_field'],
  ['send_inputs', {}, 'unknown_tool'],
];

test('wrong input is refused with its code, and a sentence', async () => {
  const fake = await withAgent();
  const call = callAs(fake, 'root');
  const labels = { 'crew.session': 'root', 'crew.kind': 'agent' };
  await fake.client.call('create', { name: 'root', cmd_args: ['cat'], labels });
  const child = { ...labels, 'crew.kind': 'command' };
  await fake.client.call('create', { name: 'cat', cmd_args: ['cat'], parent: 'root', labels: child });
  for (const [name, input, code] of WRONG) {
    const reply = await call(name, input);
    expect([name, input, codeOf(reply)]).toEqual([name, input, code]);
    expect((reply['error'] as { message: unknown }).message).toEqual(expect.stringMatching(/\.$/));
  }
});

test('a pattern that takes for ever over raw output is given up', async () => {
  const fake = await withRoot();
  const call = callAs(fake, 'fake-1');
  await call('spawn_process', printing(`${'a'.repeat(200)}b`));
  await fake.client.call('wait', { id: 'sh-1', until: { text: 'ab' } });
  expect(await call('search_output', { process_id: 'sh-1', pattern: '(a+)+$', kind: 'raw' })).toMatchObject({
    error: { code: 'bad_regex' },
  });
});

test.each(['anthropic', 'openai', 'gemini', 'mcp'])(
  't4a tools --profile crew prints the tools for %s',
  async (format) => {
    const fake = await withAgent();
    const { status, stdout } = await fake.run('tools', '--profile', 'crew', '--format', format);
    expect(status).toBe(0);
    for (const { name } of CREW_TOOLS) expect(stdout).toContain(name);
    expect(stdout.length).toBeLessThan(14 * 1024);
  },
);

test.each([
  [['mcp', '--profile', 'crew', '--tools', 'run'], '"--tools" does not go with'],
  [['mcp', '--profile', 'crew', '--allow', 'read'], '"--allow" does not go with'],
  [['mcp', '--external'], 'goes with "--profile crew"'],
  [['tools', '--profile', 'crew', '--serve'], '"--serve" does not go with'],
])('t4a %j is refused', async (args, says) => {
  const { status, stderr } = await runCli(args);
  expect(status).toBe(2);
  expect(stderr).toContain(says);
});
