/** What no client should send to the MCP server: each is answered, and the next call is as ever. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { ofFile } from '../support/of-file.js';
import { initialize, type McpLines, mcpLines, type McpMessage } from '../support/mcp-lines.js';

const initialized = ofFile(async (atEnd) => {
  const lines = mcpLines(atEnd);
  await initialize(lines);
  return lines;
});

const tool = (lines: McpLines, name: string, input: object = {}): Promise<McpMessage> =>
  lines.ask('tools/call', { name, arguments: input });

const textOf = ({ result }: McpMessage): string => result.content[0].text as string;

async function stillServes(lines: McpLines): Promise<void> {
  expect(textOf(await tool(lines, 'run', { command: 'echo served' }))).toMatch(/^Exit code 0\.\nserved$/);
}

describe('a call with several wrong fields is answered with all of them, and with what the tool takes', () => {
  test.for([
    [
      'run',
      { command: 7, timeout_ms: 'x', bogus: 1, observe: 'nothing', wait: { for: 3 } },
      [
        '"command" (expected a text)',
        '"timeout_ms" (expected a number)',
        '"bogus" (unknown)',
        '"wait.for" (expected a text)',
        '"observe" (expected one of text, image, both, none)',
      ],
      'id: text, cwd: text, command: text (required),',
    ],
    [
      'press',
      { keys: 'Enter', idd: 7, 'my password': 1 },
      ['"id" (missing)', '"keys" (expected a list)', '"idd" (unknown: "id"?)', 'a name that is no field (unknown)'],
      '{id: text (required), keys: [text] (required),',
    ],
    [
      'wait',
      { id: 7, until: { gone: 7, txt: 1 }, timeout_ms: [] },
      [
        '"id" (expected a text)',
        '"until.gone" (expected a text)',
        '"until.txt" (unknown)',
        '"timeout_ms" (expected a number)',
      ],
      'until: {regex: text, gone: text, control: "free" | "mine" | "lost"}',
    ],
    [
      'type',
      { id: 't1', text: ['s3cret'], secret: 's3cret', submit: 's3cret' },
      ['"text" (expected a text)', '"submit" (expected true or false)', '"secret" (expected true or false)'],
      'text: text (required)',
    ],
  ] as const)('%s', async ([name, input, wrong, shape]) => {
    const lines = await initialized();
    const reply = await tool(lines, name, input);
    expect(reply.result.isError).toBe(true);
    const text = textOf(reply);
    expect(text).toMatch(
      new RegExp(`^Wrong fields of "${name}": .*\\. It takes \\{.*\\}\\. \\((invalid|unknown)_field\\)$`),
    );
    for (const words of [...wrong, shape]) expect(text).toContain(words);
    expect(text).not.toContain('s3cret');
    expect(text.split('; ')).toHaveLength(wrong.length);
    await stillServes(lines);
  });
});

test('a call with one wrong field names it as that of the tool', async () => {
  const lines = await initialized();
  expect(textOf(await tool(lines, 'run', { command: 7, wait: { for: 'x' } }))).toBe(
    '"command" of "run" is 7: expected a text. (invalid_field)',
  );
  expect(textOf(await tool(lines, 'type', { id: 't', text: 'b', submit: 'x' }))).toBe(
    '"submit" of "type" is "x": expected true or false. (invalid_field)',
  );
});

const crew = ofFile(async (atEnd) => {
  const lines = mcpLines(atEnd, ['--profile', 'crew']);
  await initialize(lines);
  return lines;
});

// As a text: a literal would set the prototype.
const prototype = (input: string): string => input.replace('PROTO', '"__proto__"');

test.for([
  ['tools', 'list', '{PROTO:{"all":true}}'],
  ['tools', 'list', '{"\\u005f_proto__":{"all":true}}'],
  ['tools', 'wait', '{"id":"@","until":{"gone":"x",PROTO:{"exit":true}}}'],
  ['the crew', 'list_processes', '{PROTO:{"all":true}}'],
] as const)('of %s, %s refuses %s as any unknown field', async ([of, name, input]) => {
  const lines = await (of === 'tools' ? initialized() : crew());
  for (const written of [prototype(input), input.replace(/PROTO|"\\u005f_proto__"/, '"proto_type"')]) {
    const id = `${name} ${written}`;
    lines.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}","arguments":${written}}}`,
    );
    const { result } = await lines.message((reply) => reply.id === id);
    expect([written, result]).toEqual([written, expect.objectContaining({ isError: true })]);
    expect(result.content[0].text).toMatch(/has no field|A field of .* is unknown/);
  }
});

test.for([
  ['fields', `{${Array.from({ length: 5000 }, (_, i) => `"f${i}":1`).join()}}`, 'more than 4096 fields'],
  ['levels', `{"id":${'['.repeat(70)}${']'.repeat(70)}}`, 'more than 64 levels'],
  ['values', `{"id":[${'1,'.repeat(70_000)}1]}`, 'more than 65536 values'],
] as const)(
  'a call with too many %s is refused, with the reason and before they are looked at',
  async ([what, input, why]) => {
    for (const lines of [await initialized(), await crew()]) {
      lines.write(
        `{"jsonrpc":"2.0","id":"${what}","method":"tools/call","params":{"name":"list","arguments":${input}}}`,
      );
      const { result } = await lines.message((reply) => reply.id === what);
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0].text).toContain(why);
      lines.write(`{"jsonrpc":"2.0","id":"ping ${what}","method":"ping","params":{"_meta":${input}}}`);
      const { error } = await lines.message((reply) => reply.id === `ping ${what}`);
      expect(error?.message).toContain(why);
    }
  },
);

test('64 KiB of arguments are taken, or refused without being repeated', async () => {
  const lines = await initialized();
  const long = 'x'.repeat(65_536);
  expect(textOf(await tool(lines, 'run', { command: `echo ${long} | wc -c` }))).toMatch(/\n65537$/);
  for (const [name, input] of [
    ['text', { id: long }],
    ['press', { id: 't', keys: [long] }],
    ['create', { [long]: long, cols: long }],
    [long, {}],
  ] as const) {
    const reply = await tool(lines, name, input);
    expect(reply.result.isError).toBe(true);
    expect(textOf(reply).length).toBeLessThan(1500);
  }
  await stillServes(lines);
});

test('requests before the handshake are answered, and a second handshake, too', async () => {
  const lines = mcpLines(onTestFinished);
  expect((await lines.ask('ping')).result).toEqual({});
  expect((await lines.ask('tools/list')).result.tools.length).toBeGreaterThan(5);
  await stillServes(lines);
  for (const revision of ['2024-11-05', '2025-06-18']) {
    expect((await initialize(lines, revision)).result.protocolVersion).toBe(revision);
  }
  await stillServes(lines);
});

test('each message of a batch is answered', async () => {
  const lines = await initialized();
  const batch = ['b1', 'b2'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  lines.write(JSON.stringify([...batch, { jsonrpc: '2.0', method: 'notifications/initialized' }]));
  for (const { id } of batch) expect((await lines.message((reply) => reply.id === id)).result).toEqual({});
  await stillServes(lines);
});

test.for([
  ['{"jsonrpc":"2.0","id":1,', -32_700, null],
  ['hello', -32_700, null],
  ['\u0000\ufffd', -32_700, null],
  ['7', -32_600, null],
  ['[]', -32_600, null],
  ['[[]]', -32_600, null],
  ['{}', -32_600, null],
  ['{"id":"mine","method":"ping"}', -32_600, 'mine'],
  ['{"jsonrpc":"2.0","id":"own","method":7}', -32_600, 'own'],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
] as const)('%j is answered with an error of JSON-RPC', async ([line, code, id]) => {
  const lines = await initialized();
  const before = new Set(lines.received);
  lines.write('');
  lines.write(line);
  const reply = await lines.message((message) => message.error !== undefined && !before.has(message));
  expect(reply).toMatchObject({ id, error: { code } });
  await stillServes(lines);
});

test.for([
  ['tools/call', { name: 7, arguments: {} }, -32_602],
  ['tools/call', { name: 'list', arguments: [] }, -32_602],
  ['tools/call', undefined, -32_602],
  ['resources/list', {}, -32_601],
  ['no/such', {}, -32_601],
] as const)('%s of %j is answered with an error of the protocol', async ([method, params, code]) => {
  const lines = await initialized();
  expect((await lines.ask(method, params)).error?.code).toBe(code);
  await stillServes(lines);
});

test('a message beyond the bound is refused, and ends the server', async () => {
  const lines = mcpLines(onTestFinished);
  await initialize(lines);
  lines.child.stdin?.on('error', () => {
    // The server no longer reads.
  });
  lines.write('x'.repeat(11 * 1024 * 1024));
  const { error } = await lines.message((message) => message.error !== undefined);
  expect(error).toMatchObject({ code: -32_600, message: 'A message has more than the 10485760 bytes allowed.' });
  expect(await lines.exited).toEqual([2, null]);
});

test('calls while the daemon is replaced are answered, and one result says that it was', async () => {
  const lines = mcpLines(onTestFinished);
  await initialize(lines);
  await tool(lines, 'create', { name: 'lost', cmd_args: ['cat'] });
  await using ada = await connect({ socketPath: lines.socketPath, autoStart: false });
  const waiting = tool(lines, 'wait', { id: 'lost', for: 'never' });
  await expect.poll(async () => (await ada.call('stats')).connections.in_flight).toBe(2);
  process.kill(ada.daemon.pid, 'SIGKILL');
  expect(textOf(await waiting)).toContain('connection_lost');
  const replies = await Promise.all(Array.from({ length: 5 }, () => tool(lines, 'list')));
  expect(replies.filter(({ result }) => result.isError)).toEqual([]);
  const texts = replies.map(({ result }) => result.content.map(({ text }: { text: string }) => text) as string[]);
  expect(texts.map((blocks) => blocks.at(-1))).toEqual(Array.from({ length: 5 }, () => 'No terminals.'));
  expect(texts.filter((blocks) => blocks[0]?.startsWith('The daemon was replaced'))).toHaveLength(1);
});

test('a client that closes its output in the middle of a wait ends the server, and no terminal', async () => {
  const lines = mcpLines(onTestFinished);
  await initialize(lines);
  await tool(lines, 'create', { name: 'kept', cmd_args: ['cat'] });
  await using ada = await connect({ socketPath: lines.socketPath, autoStart: false });
  lines.send({
    id: 'w',
    method: 'tools/call',
    params: { name: 'wait', arguments: { id: 'kept', for: 'x' } },
  });
  const waits = async (): Promise<number> => (await ada.call('stats')).connections.in_flight;
  await expect.poll(waits).toBe(2);
  lines.child.stdin?.end();
  expect(await lines.exited).toEqual([0, null]);
  await expect.poll(waits).toBe(1);
  expect((await ada.call('list')).terminals.map(({ id }) => id)).toEqual(['kept']);
});
