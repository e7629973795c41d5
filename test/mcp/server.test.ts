/** The MCP server seen by a client: the SDK's own client, over the standard streams of the built command line. */
import { rmSync, writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { CLI } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { ofFile, type AtEnd } from '../support/of-file.js';
import { recordedDaemon } from '../support/recorded-daemon.js';
import { isRunning } from '../support/processes.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

interface McpSession {
  readonly client: Client;
  readonly socketPath: string;
  readonly serverPid: number;
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Of the call's text blocks. */
  readonly text: (name: string, input?: Record<string, unknown>) => Promise<string>;
}

async function mcpSession(
  args: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
  of?: string,
): Promise<McpSession> {
  const { socketPath: own, path } = tempDir(atEnd);
  const socketPath = of ?? own;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, '--socket', socketPath, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', FROM_THE_CLIENT: 'yes' },
    cwd: path,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  atEnd(async () => {
    await client.close();
    if (of === undefined) await endDaemonAt(socketPath);
  });
  const call = (name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: input }) as Promise<CallToolResult>;
  return {
    client,
    socketPath,
    serverPid: transport.pid ?? -1,
    call,
    text: async (name, input) => textOf(await call(name, input)),
  };
}

const ofThisFile = ofFile((atEnd) => mcpSession([], atEnd));

/** Of tests that leave server and daemon as they were. Terminals end with each. */
async function sharedSession(): Promise<McpSession> {
  const shared = await ofThisFile();
  onTestFinished(async () => {
    // The first call starts the daemon.
    await shared.call('list');
    await using client = await connect({ socketPath: shared.socketPath, autoStart: false });
    const { terminals } = await client.call('list');
    await Promise.all(terminals.map(({ id }) => client.call('kill', { id, grace_ms: 100 })));
  });
  return shared;
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

describe('an MCP client', () => {
  test('lists a few tools with hints by default, and more in the full profile', async () => {
    const { client } = await sharedSession();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [
        'ask',
        'create',
        'entries',
        'film',
        'kill',
        'list',
        'press',
        'run',
        'screenshot',
        'text',
        'type',
        'wait',
      ].toSorted(),
    );
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list', 'screenshot', 'text', 'wait']),
    );
    expect(client.getInstructions()).toContain('screenshot');
    const full = await (await mcpSession(['--profile', 'full'])).client.listTools();
    expect(full.tools.length).toBeGreaterThan(tools.length);
    expect(full.tools.map(({ name }) => name)).toContain('grep');
  });

  test('runs a command until a text appears, and the command goes on in its terminal', async () => {
    const { text, client } = await sharedSession();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'run')?.inputSchema.properties).toMatchObject({ wait: {}, observe: {} });
    const begun = await text('run', { command: 'echo ready; exec cat', wait: { for: 'ready' } });
    const [, id = ''] = /^Terminal (t\d+)\.\nScreen \w+@\d+:\n.*ready/s.exec(begun) ?? [];
    expect(await text('type', { id, text: 'still here', submit: true })).toContain('still here');
    expect(await text('run', { command: 'exit 3', wait: { for: 'done', timeout_ms: 20_000 } })).toContain(
      'Exit code 3',
    );
  });

  test('runs a command in its own directory and environment, and receives the output and the exit code', async () => {
    const { text } = await sharedSession();
    const output = await text('run', { command: 'pwd; echo $FROM_THE_CLIENT; exit 3' });
    expect(output).toMatch(/^Exit code 3\.\n\/tmp\/t4a-test-\w+\nyes$/);
  });

  itNeeds('bash')('runs commands in a persistent shell', async () => {
    const { call, text } = await sharedSession();
    await call('create', { name: 'sh', cmd_args: ['bash'] });
    expect(await text('run', { id: 'sh', command: 'cd / && pwd; (exit 4)' })).toMatch(/^Exit code 4\.\n\/$/);
    expect(await text('run', { id: 'sh', command: 'echo )' })).toMatch(/^Not run: .*\n.*syntax error/);
    expect(await text('run', { id: 'sh', command: 'sleep 60', timeout_ms: 300 })).toMatch(
      /^Goes on in terminal sh after/,
    );
    const busy = await call('run', { id: 'sh', command: 'true' });
    expect(busy.isError).toBe(true);
    expect(textOf(busy)).toContain('shell_busy');
    expect(await text('kill', { id: 'sh' })).toBe('Ended sh: ended by SIGHUP');
  });

  test('types, waits, takes a screenshot and reads text in a terminal', async () => {
    const { call, text } = await sharedSession();
    expect(await text('create', { name: 'shout', cmd_args: ['cat'] })).toMatch(/^Screen shout@\d+:\n\(blank\)$/);
    expect(await text('type', { id: 'shout', text: 'hello', submit: true })).toMatch(
      /^Screen shout@\d+:\nhello\nhello$/,
    );
    expect(await text('wait', { id: 'shout', until: { regex: '^hello$' } })).toMatch(
      /^matched: "hello" after \d+ ms\nhello/,
    );
    const picture = await call('screenshot', { id: '@' });
    expect(picture.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const [image] = picture.content;
    const data = image?.type === 'image' ? Buffer.from(image.data, 'base64') : Buffer.alloc(0);
    expect(data.subarray(1, 4).toString()).toBe('PNG');
    expect(await text('text', { id: 'shout' })).toBe('hello\nhello');
    expect(await text('list')).toMatch(/^shout: cat: running cat, 80x24, idle for \d+m?s, made by you$/);
    expect(await text('kill', { id: 'shout' })).toBe('Ended shout: ended by SIGHUP');
    expect(await text('list')).toBe('No terminals.');
  });

  itNeeds('bash')('acts, waits and sees in one call', async () => {
    const { call, text } = await sharedSession();
    const created = await call('create', { name: 'one', cmd_args: ['bash'], observe: 'both' });
    expect(created.content.map(({ type }) => type)).toEqual(['image', 'text']);
    const line = { id: 'one', text: 'echo out; (exit 3)', submit: true };
    expect(await text('type', { ...line, wait: { for: 'done' } })).toMatch(
      /^Done: exit code 3 \(echo out; \(exit 3\)\)\.\nScreen one@\d+:\n.*\nout\n/s,
    );
    expect(await text('type', { ...line, text: 'read x', wait: { for: 'input' }, observe: 'none' })).toMatch(
      /^bash waits for input \(line\)\.$/,
    );
    const late = { id: 'one', keys: ['Enter'], wait: { for: 'never', timeout_ms: 50 }, observe: 'none' };
    expect(await text('press', late)).toMatch(/The wait was not met after \d+ ms\.$/);
    expect(await text('type', { ...line, text: 'exit 5', wait: { for: 'exit' } })).toMatch(/^Ended: exit code 5\./);
    expect(await text('create', { command: 'echo $((40 + 2)); sleep 60', wait: { for: '42' } })).toMatch(
      /^Terminal (t\d+)\.\nScreen \1@\d+:\n42$/,
    );
    const asked = await text('run', { command: 'read x' });
    expect(asked).toMatch(/^sh waits for input \(line\): type \{"id":"t\d+"/);
    const wrong = await call('press', { id: 'one', keys: ['a'] });
    expect(textOf(wrong)).toMatch(/\(terminal_exited\)\nHint: the tool kill with \{"id":"one"\}/);
  });

  itNeeds('less')('is given the act that answers a pager, a question and a password', async () => {
    const { call, text } = await sharedSession();
    const actIn = async (words: string, tool: string): Promise<string> => {
      const [, fields = ''] = new RegExp(`: ${tool} (\\{.*?\\})\\.`).exec(words) ?? [];
      return text(tool, { ...(JSON.parse(fields) as object), wait: { for: 'exit' }, observe: 'none' });
    };
    const paged = await text('run', { command: 'seq 1 200 | less' });
    expect(paged).toMatch(/^less (probably )?waits for input \(raw\): press \{"id":"t\d+","keys":\["q"\]\}\.\n1\n/);
    expect(await actIn(paged, 'press')).toMatch(/^Ended: exit code 0/);
    const asked = await text('run', { command: 'printf "Go on? [y/N] "; read a; test "$a" = y' });
    // Consent is the caller's.
    expect(asked).toContain('"text":"ANSWER (y or n)"');
    expect(await actIn(asked.replace('ANSWER (y or n)', 'y'), 'type')).toMatch(/^Ended: exit code 0/);
    const named = await text('run', { command: 'printf "Passphrase (empty for none): "; read a; test -z "$a"' });
    const [, enter = '{}'] = /, or press (\{.*\}) for an empty answer\.\n/.exec(named) ?? [];
    const after = { wait: { for: 'exit' }, observe: 'none' };
    expect(await text('press', { ...(JSON.parse(enter) as object), ...after })).toMatch(/^Ended: exit code 0/);
    const hidden = await text('run', { command: 'printf "PIN: "; stty -echo; read a; stty echo; test "$a" = ANSWER' });
    expect(hidden).toContain('"text":"ANSWER","submit":true,"secret":true}');
    expect(await actIn(hidden, 'type')).toMatch(/^Ended: exit code 0/);
    await call('kill', { id: ['@'] });
  });

  test('receives each error with its next step as a result for the model', async () => {
    const { call } = await sharedSession();
    const wrong = async (name: string, input: Record<string, unknown>): Promise<string> => {
      const result = await call(name, input);
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    await call('create', { name: 'build', cmd_args: ['cat'] });
    expect(await wrong('text', { id: 'biuld' })).toMatch(
      /No terminal "biuld".*\(terminal_not_found\)\nClosest: build\nHint: /s,
    );
    expect(await wrong('press', { id: 'build', keys: 'Enter' })).toMatch(/"keys" of "press" is "Enter".*invalid_field/);
    expect(await wrong('press', { id: 'build', keys: ['Entr'] })).toMatch(/unknown_key/);
    expect(await wrong('txet', {})).toMatch(/no tool "txet".*\nHint: Did you mean "text"\?/);
    // In the full profile only.
    expect(await wrong('grep', { id: 'build', pattern: 'x' })).toMatch(/no tool "grep"/);
  });

  test('receives an answer to deeply nested arguments', async () => {
    const { call, text } = await sharedSession();
    // As deep as the client can write it, and what the daemon refuses.
    for (const depth of [3, 1000]) {
      const id: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      expect((await call('text', { id })).isError).toBe(true);
    }
    expect(await text('list')).toBe('No terminals.');
  });

  test('receives an error if the daemon is killed during a call, and a new daemon with the next call', async () => {
    const { call, text, socketPath } = await mcpSession();
    await call('list');
    await using observer = await connect({ socketPath, autoStart: false });
    const created = observer.events({ types: ['created'] });
    await created.subscribed;
    const running = call('run', { command: 'sleep 60' });
    for await (const _ of created) break;
    process.kill(observer.daemon.pid, 'SIGKILL');
    const result = await running;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('connection_lost');
    expect(await text('run', { command: 'echo again' })).toContain('again');
  });

  test('receives how its wait ended if the daemon shuts down meanwhile', async () => {
    const { call, socketPath } = await mcpSession();
    await call('create', { name: 'quiet', cmd_args: ['cat'] });
    await using observer = await connect({ socketPath, autoStart: false });
    const waiting = call('wait', { id: 'quiet', for: 'never' });
    const waits = async (): Promise<number> => (await observer.call('stats')).connections.in_flight;
    await expect.poll(waits).toBe(2);
    await observer.call('shutdown');
    expect(textOf(await waiting)).toMatch(/exited|terminal_not_found|shutting_down|connection_lost/);
  });

  test('receives an error if no daemon can start, and a reply as soon as one can', async () => {
    const { call, text, socketPath } = await mcpSession();
    writeFileSync(socketPath, '');
    const refused = await call('list');
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(socketPath);
    rmSync(socketPath);
    expect(await text('list')).toBe('No terminals.');
  });

  test('that cancels a wait ends it in the daemon, and can make further calls', async () => {
    const { client, call, text, socketPath } = await mcpSession();
    await call('create', { name: 'quiet', cmd_args: ['cat'] });
    await using observer = await connect({ socketPath, autoStart: false });
    await observer.call('config', { max_waits: 1 });
    const controller = new AbortController();
    const input = { id: 'quiet', for: 'never' };
    const waiting = client.callTool({ name: 'wait', arguments: input }, undefined, { signal: controller.signal });
    controller.abort('enough');
    await expect(waiting).rejects.toThrow('enough');
    expect((await call('list')).isError).toBe(false);
    const another = (): Promise<string> => text('wait', { ...input, timeout_ms: 0 });
    await expect.poll(another).not.toContain('too_many_waits');
    expect(await another()).toContain('timeout');
  });

  test('has the tools that --allow admits, and no other can be called', async () => {
    const reading = await mcpSession(['--profile', 'full', '--allow', 'read']);
    await reading.call('list');
    await using person = await connect({ socketPath: reading.socketPath, autoStart: false, as: 'ada' });
    await person.call('create', { name: 'hers', command: 'echo here; exec cat', wait: { until: { text: 'here' } } });
    const { tools } = await reading.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list', 'text', 'screenshot', 'wait', 'debug']));
    for (const name of ['type', 'press', 'create', 'run', 'kill', 'resize']) {
      expect(names).not.toContain(name);
      const refused = await reading.call(name, { id: 'hers', keys: ['x'], text: 'x' });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch(/needs the reach "(use|create)", and only "read" is allowed\. \(not_allowed\)/);
    }
    expect(await reading.text('list')).toMatch(/^hers: .*, made by ada$/);
    expect(await reading.text('text', { id: 'hers' })).toBe('here');
    // A field may need more than its tool.
    expect(tools.find(({ name }) => name === 'debug')?.inputSchema.properties).not.toHaveProperty('clear');
    expect((await reading.call('debug', { id: 'hers', clear: true })).isError).toBe(true);
    expect(reading.client.getInstructions()).not.toMatch(/create|type|run/);
    const { socketPath, requests } = await recordedDaemon({}, ['restrict']);
    const recorded = await mcpSession(['--profile', 'full', '--allow', 'read'], onTestFinished, socketPath);
    await recorded.call('list');
    expect(requests[0]).toMatchObject({ cmd: 'restrict', reach: 'read' });
    expect(requests.filter(({ cmd }) => cmd === 'restrict')).toHaveLength(1);
  });

  test('has exactly the tools of --tools, and no other can be called', async () => {
    const { client, call, text } = await mcpSession(['--tools', 'create,press,resize,text']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['create', 'text', 'press', 'resize']);
    await call('create', { name: 'c', cmd_args: ['cat'] });
    expect(await text('press', { id: 'c', keys: ['h', 'i', 'Enter'] })).toMatch(/Screen c@\d+:\nhi\nhi$/);
    // A turn as the profile has it.
    expect(await text('resize', { id: 'c', cols: 40, rows: 10 })).toMatch(/Screen c@\d+:\nhi\nhi$/);
    const refused = await call('run', { command: 'true' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe('There is no tool "run". (unknown_cmd)\nHint: One of: create, text, press, resize.');
  });

  test('that may use terminals types into those of others, and makes and ends none', async () => {
    const { call, text, client, socketPath } = await mcpSession(['--allow', 'use']);
    await call('list');
    await using person = await connect({ socketPath, autoStart: false });
    await person.call('create', { name: 'hers', cmd_args: ['cat'] });
    expect(await text('type', { id: 'hers', text: 'hello', submit: true })).toMatch(/hello\nhello$/);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('create');
    for (const name of ['create', 'run', 'kill']) expect(await text(name, { id: 'hers' })).toContain('not_allowed');
    expect((await call('list')).isError).toBe(false);
    expect((await person.call('list')).terminals.map(({ id }) => id)).toEqual(['hers']);
  });

  test('that disconnects during a call ends the server, but not its terminals', async () => {
    const { client, call, socketPath, serverPid } = await mcpSession();
    await call('create', { name: 'kept', cmd_args: ['cat'] });
    const waiting = call('wait', { id: 'kept', for: 'never' });
    await client.close();
    await Promise.allSettled([waiting]);
    // The transport has waited for the process; had it not ended by itself, it would have been killed after 2 s.
    expect(isRunning(serverPid)).toBe(false);
    await using observer = await connect({ socketPath, autoStart: false });
    expect((await observer.call('list')).terminals.map(({ id }) => id)).toEqual(['kept']);
  });
});

test('what a run leaves out is read from its ended terminal, by the call that its result names', async () => {
  const { text } = await sharedSession();
  const command = `awk 'BEGIN { for (i = 1; i <= 3000; i++) { print i * i; if (i == 1000) print "main.c:7: error: no" } }'; exit 3`;
  const lines = (await text('run', { command })).split('\n');
  expect(lines).toHaveLength(1 + 60 + 1);
  expect([lines[1], lines[30], lines[32], lines.at(-1)]).toEqual(['1', '900', `${2971 ** 2}`, '9000000']);
  const [, left, input = '{}', numbers] =
    /^… (\d+) lines left out: text (\{.*\}); errors or warnings in ([\d, ]+) …$/.exec(lines[31] ?? '') ?? [];
  expect([left, numbers]).toEqual(['2941', '1000']);
  const rest = (await text('text', JSON.parse(input) as Record<string, unknown>)).split('\n');
  expect(rest).toHaveLength(2941);
  expect([rest[0], rest[970], rest.at(-1)]).toEqual(['961', 'main.c:7: error: no', `${2970 ** 2}`]);
  // Nothing is left of a run that was told whole.
  await text('run', { command: 'echo short' });
  expect((await text('list')).split('\n')).toHaveLength(1);
});

test.each([
  ['one line', `print('x' * 40000 + 'in the middle' + 'y' * 40000)`],
  ['few lines', `print('x' * 20000); print('in the middle'); print('y' * 20000)`],
  [
    'many long lines',
    `[print(str(i) * 500) for i in range(1000, 1250)]; print('in the middle'); [print(str(i) * 500) for i in range(250)]`,
  ],
])('what a run leaves out by its characters is read likewise: of %s', async (_, program) => {
  const { text } = await sharedSession();
  let lines = (await text('run', { command: `python3 -c "${program}"` })).split('\n');
  const seen = [...lines];
  for (let reads = 0; !seen.some((line) => line.includes('in the middle')); reads++) {
    expect(reads).toBeLessThan(100);
    const [, input = '{}'] =
      lines.map((line) => /^… \d+ lines left out: text (\{.*\}) …$/.exec(line)).find(Boolean) ?? [];
    lines = (await text('text', JSON.parse(input) as Record<string, unknown>)).split('\n');
    seen.push(...lines);
  }
});

test('a range by number says which of its lines are gone, and where the lines end', async () => {
  const { text } = await sharedSession();
  const created = await text('create', { command: 'seq 1 12000; read -r end', wait: { for: '12000' } });
  const id = /Terminal (\w+)/.exec(created)?.[1] ?? '';
  const range = (from: number, most: number): Promise<string> => text('text', { id, from_line: from, max_lines: most });
  const [, oldest = ''] = /oldest line that is kept is (\d+)/.exec(await range(1, 5)) ?? [];
  const first = Number(oldest);
  expect(await range(1, 5)).toBe(`… 5 lines from line 1 on are gone: the oldest line that is kept is ${first} …`);
  expect((await range(first - 3, 5)).split('\n')).toEqual([
    `… 3 lines from line ${first - 3} on are gone: the oldest line that is kept is ${first} …`,
    `${first + 1}`,
    `${first + 2}`,
  ]);
  expect(await range(first, 1)).toBe(`${first + 1}`);
  expect(await range(50_000, 5)).toBe(`There is no line 50000: the terminal has the lines ${first} to 12000.`);
});

test('a text that is too long names the call that reads its middle', async () => {
  const { text } = await sharedSession();
  const command = `awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%05d %030d\\n", i, i }'; read -r end`;
  const id = /Terminal (\w+)/.exec(await text('create', { command, wait: { for: '02999' } }))?.[1] ?? '';
  const all = { id, from_line: 0, max_lines: 3000 };
  const read: string[] = [];
  for (let input: Record<string, unknown> | undefined = all, left = 9; input !== undefined && left > 0; left--) {
    const lines: string[] = (await text('text', input)).split('\n');
    const at = lines.findIndex((line) => line.startsWith('… '));
    const next: string | undefined = /: text (\{.*\}) …$/.exec(lines[at] ?? '')?.[1];
    read.push(...lines.filter((_, i) => i !== at));
    input = next === undefined ? undefined : (JSON.parse(next) as Record<string, unknown>);
  }
  expect(read.toSorted()).toEqual(
    Array.from({ length: 3000 }, (_, i) => `${String(i).padStart(5, '0')} ${String(i).padStart(30, '0')}`),
  );
});
