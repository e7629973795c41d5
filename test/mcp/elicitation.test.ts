/** Questions that the client shows, too: of clients with a handshake by the server's request, of later ones by the result of the call. */
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Client, connect } from '../../src/client/index.js';
import { CLI } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { initialize, type McpLines, mcpLines, type McpMessage } from '../support/mcp-lines.js';
import { type AtEnd, ofFile } from '../support/of-file.js';
import { tempDir } from '../support/temp-dir.js';

const BY_CLIENT = 'answered in your client, not known to be by a person';

interface Asking {
  readonly lines: McpLines;
  /** A person. */
  readonly ada: Client;
}

/** A client with a handshake, and a person beside it. */
async function asking(capabilities: object = { elicitation: {} }, args: readonly string[] = []): Promise<Asking> {
  const lines = mcpLines(onTestFinished, args);
  await initialize(lines, '2025-06-18', capabilities);
  await tool(lines, 'list');
  const ada = await connect({ socketPath: lines.socketPath, autoStart: false, as: 'ada' });
  onTestFinished(() => ada.close());
  return { lines, ada };
}

const tool = (lines: McpLines, name: string, input: object = {}): Promise<McpMessage> =>
  lines.ask('tools/call', { name, arguments: input });

const textOf = ({ result }: McpMessage): string => result.content[0].text as string;

const shown = (lines: McpLines): Promise<McpMessage> => lines.message(({ method }) => method === 'elicitation/create');

const takenBack = (lines: McpLines, { id }: McpMessage): Promise<McpMessage> =>
  lines.message(({ method, params }) => method === 'notifications/cancelled' && params.requestId === id);

const openAsks = async (ada: Client): Promise<number[]> => (await ada.call('asks')).asks.map(({ ask }) => ask);

const transportOf = (socketPath: string, cwd: string) => ({
  command: process.execPath,
  args: [CLI, '--socket', socketPath, 'mcp'],
  env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  cwd,
  stderr: 'inherit' as const,
});

describe('a question of the kind text or choice', () => {
  test('is answered by the client of version 1 of the SDK', async () => {
    const { socketPath, path } = tempDir();
    const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } });
    const forms: unknown[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      forms.push(params);
      return { action: 'accept', content: { answer: 'main' } };
    });
    await client.connect(new OldTransport(transportOf(socketPath, path)));
    onTestFinished(async () => {
      await client.close();
      await endDaemonAt(socketPath);
    });
    const result = await client.callTool({ name: 'ask', arguments: { question: 'Which\u001b[2J branch?' } });
    expect(result.content).toEqual([{ type: 'text', text: `Question 1: ${BY_CLIENT}: "main"` }]);
    expect(forms).toEqual([
      {
        message: 'Which[2J branch?',
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer' } },
          required: ['answer'],
        },
      },
    ]);
  });

  test.for([['legacy'], ['auto']] as const)(
    'is answered by the client of version 2, negotiating "%s"',
    async ([mode]) => {
      const { socketPath, path } = tempDir();
      const client = new NewClient(
        { name: 'new', version: '1' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
      );
      const forms: unknown[] = [];
      client.setRequestHandler('elicitation/create', ({ params }) => {
        forms.push(params);
        return { action: 'accept', content: { answer: 'right' } };
      });
      await client.connect(new NewTransport(transportOf(socketPath, path)));
      onTestFinished(async () => {
        await client.close();
        await endDaemonAt(socketPath);
      });
      await client.callTool({ name: 'create', arguments: { name: 'fork', cmd_args: ['cat'] } });
      const question = { id: 'fork', question: 'Where to?', kind: 'choice', choices: ['left', 'right'] };
      const result = await client.callTool({ name: 'ask', arguments: question });
      expect(result.content[0]).toEqual({ type: 'text', text: `Question 1: ${BY_CLIENT}: "right"` });
      expect(forms).toMatchObject([
        {
          message: 'About terminal fork (cat):\nWhere to?',
          requestedSchema: { properties: { answer: { enum: ['left', 'right'] } } },
        },
      ]);
      await using ada = await connect({ socketPath, autoStart: false, as: 'ada' });
      expect(await openAsks(ada)).toEqual([]);
    },
  );

  test('says to others that the answer is not known to be by a person', async () => {
    const { lines, ada } = await asking();
    await using events = ada.events({ types: ['answered'] });
    await events.subscribed;
    const call = tool(lines, 'ask', { question: 'Which?' });
    const form = await shown(lines);
    lines.send({ id: form.id, result: { action: 'accept', content: { answer: 'this' } } });
    expect(textOf(await call)).toBe(`Question 1: ${BY_CLIENT}: "this"`);
    for await (const event of events) {
      expect(event).toMatchObject({ ask: 1, outcome: 'answered', by: 'elicitation', person: false });
      break;
    }
  });

  test('that a person answers first is taken back in the client, and what the client says later is nothing', async () => {
    const { lines, ada } = await asking();
    const call = tool(lines, 'ask', { question: 'Which?' });
    const form = await shown(lines);
    await ada.call('answer', { ask: 1, text: 'of ada' });
    expect(textOf(await call)).toBe('Question 1: answered by ada: "of ada"');
    await takenBack(lines, form);
    lines.send({ id: form.id, result: { action: 'accept', content: { answer: 'late' } } });
    expect(textOf(await tool(lines, 'ask', { resume: 1 }))).toBe('Question 1: answered by ada: "of ada"');
  });

  test.for([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['accepts without content', { action: 'accept' }],
    ['accepts without an answer', { action: 'accept', content: {} }],
    ['answers with a number', { action: 'accept', content: { answer: 7 } }],
    ['answers with what is no choice', { action: 'accept', content: { answer: 'neither' } }],
    ['answers with too much', { action: 'accept', content: { answer: 'x'.repeat(5000) } }],
    ['does what no protocol has', { action: 'never heard of' }],
    ['says nothing', {}],
  ] as const)('stays open for a person where the client %s', async ([, result]) => {
    const { lines, ada } = await asking();
    const call = tool(lines, 'ask', { question: 'Which?', kind: 'choice', choices: ['a', 'b'] });
    const form = await shown(lines);
    lines.send({ id: form.id, result });
    // The answer of the client has been read by then.
    await lines.ask('ping');
    expect(await openAsks(ada)).toEqual([1]);
    await ada.call('answer', { ask: 1, text: 'b' });
    expect(textOf(await call)).toBe('Question 1: answered by ada: "b"');
  });

  test('stays open for a person where the client fails', async () => {
    const { lines, ada } = await asking();
    const call = tool(lines, 'ask', { question: 'Which?' });
    const form = await shown(lines);
    lines.send({ id: form.id, error: { code: -32_601, message: 'Method not found' } });
    await lines.ask('ping');
    await ada.call('answer', { ask: 1, text: 'b' });
    expect(textOf(await call)).toBe('Question 1: answered by ada: "b"');
  });

  test('that the client never answers holds nothing up, and a late answer counts', async () => {
    const { lines, ada } = await asking({ elicitation: {} }, ['--profile', 'full']);
    expect(textOf(await tool(lines, 'ask', { question: 'Which?', timeout_ms: 50 }))).toBe(
      'Question 1: open. Call again with resume 1 to wait on.',
    );
    const form = await shown(lines);
    expect(textOf(await tool(lines, 'list'))).toBe('No terminals.');
    expect(await openAsks(ada)).toEqual([1]);
    const resumed = tool(lines, 'ask', { resume: 1 });
    lines.send({ id: form.id, result: { action: 'accept', content: { answer: 'late' } } });
    expect(textOf(await resumed)).toBe(`Question 1: ${BY_CLIENT}: "late"`);
    // Once only.
    expect(lines.received.filter(({ method }) => method === 'elicitation/create')).toHaveLength(1);
  });

  test('whose call is cancelled is withdrawn, and taken back in the client', async () => {
    const { lines, ada } = await asking();
    lines.send({ id: 'mine', method: 'tools/call', params: { name: 'ask', arguments: { question: 'Which?' } } });
    const form = await shown(lines);
    lines.send({ method: 'notifications/cancelled', params: { requestId: 'mine', reason: 'enough' } });
    await takenBack(lines, form);
    expect(await openAsks(ada)).toEqual([]);
  });

  test('ends with the daemon, also in the client', async () => {
    const { lines, ada } = await asking();
    const call = tool(lines, 'ask', { question: 'Which?' });
    const form = await shown(lines);
    process.kill(ada.daemon.pid, 'SIGKILL');
    expect(textOf(await call)).toContain('connection_lost');
    await takenBack(lines, form);
    expect((await tool(lines, 'list')).result.isError).toBe(false);
  });

  test('of a client that closes the connection is withdrawn', async () => {
    const { lines, ada } = await asking();
    lines.send({ id: 'mine', method: 'tools/call', params: { name: 'ask', arguments: { question: 'Which?' } } });
    await shown(lines);
    expect(await openAsks(ada)).toEqual([1]);
    lines.child.stdin?.end();
    await lines.exited;
    expect(await openAsks(ada)).toEqual([]);
  });
});

test('questions to confirm, secrets and hands are for persons alone', async () => {
  const { lines, ada } = await asking();
  await tool(lines, 'create', { name: 'cat', cmd_args: ['cat'] });
  for (const kind of ['confirm', 'secret', 'hand']) {
    const call = tool(lines, 'ask', { id: 'cat', question: 'Sure?', kind });
    const asked = async (): Promise<number> => (await openAsks(ada)).at(-1) ?? 0;
    await expect.poll(asked).toBeGreaterThan(0);
    await ada.call('answer', { ask: await asked(), decline: true });
    expect(textOf(await call)).toMatch(/declined by ada/);
  }
  expect(lines.received.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
  // Nor has a model the field by which the client answers.
  const forged = await tool(lines, 'ask', { resume: 1, elicited: 'yes' });
  expect(forged.result.isError).toBe(true);
  expect(textOf(forged)).toContain('has no field "elicited"');
});

test.for([[{}], [{ elicitation: { url: {} } }]])(
  'a client that declares %j is shown nothing',
  async ([capabilities]) => {
    const { lines, ada } = await asking(capabilities);
    const call = tool(lines, 'ask', { question: 'Which?' });
    await expect.poll(() => openAsks(ada)).toEqual([1]);
    await ada.call('answer', { ask: 1, text: 'this' });
    expect(textOf(await call)).toBe('Question 1: answered by ada: "this"');
    expect(lines.received.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
  },
);

describe('since 2026-07-28', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'later', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };

  const later = (lines: McpLines, name: string, input: object = {}, more: object = {}): Promise<McpMessage> =>
    lines.ask('tools/call', { name, arguments: input, _meta: META, ...more });

  async function laterAsking(atEnd: AtEnd = onTestFinished): Promise<Asking> {
    const lines = mcpLines(atEnd);
    await later(lines, 'list');
    const ada = await connect({ socketPath: lines.socketPath, autoStart: false, as: 'ada' });
    atEnd(() => ada.close());
    return { lines, ada };
  }

  /** With one question, which no test of those that share it answers. */
  const asked = ofFile(async (atEnd) => {
    const asking = await laterAsking(atEnd);
    await later(asking.lines, 'ask', { question: 'Which?' });
    return asking;
  });

  test('a call is answered with the form, and the same call with the answer', async () => {
    const { lines, ada } = await laterAsking();
    const input = { question: 'Which?' };
    const { result } = await later(lines, 'ask', input);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create', params: { message: 'Which?' } } },
    });
    expect(await openAsks(ada)).toEqual([1]);
    const { requestState } = result;
    const inputResponses = { answer: { action: 'accept', content: { answer: 'this' } } };
    expect(textOf(await later(lines, 'ask', input, { requestState, inputResponses }))).toBe(
      `Question 1: ${BY_CLIENT}: "this"`,
    );
  });

  test('a person may answer before the client, and after the client has declined', async () => {
    const { lines, ada } = await laterAsking();
    const input = { question: 'Which?' };
    const first = await later(lines, 'ask', input);
    await ada.call('answer', { ask: 1, text: 'of ada' });
    const accepted = { answer: { action: 'accept', content: { answer: 'late' } } };
    const more = { requestState: first.result.requestState, inputResponses: accepted };
    expect(textOf(await later(lines, 'ask', input, more))).toBe('Question 1: answered by ada: "of ada"');
    const second = await later(lines, 'ask', input);
    const declined = { answer: { action: 'decline' } };
    const { requestState } = second.result;
    const waiting = later(lines, 'ask', input, { requestState, inputResponses: declined });
    await ada.call('answer', { ask: 2, text: 'then' });
    expect(textOf(await waiting)).toBe('Question 2: answered by ada: "then"');
  });

  test.for(['', '{}', 'null', '7', '{"ask":-1}', '{"ask":1}', '{"ask":1,"pid":1}', '['.repeat(10_000)])(
    'a state that is not of this server answers nothing: %#',
    async (requestState) => {
      const { lines, ada } = await asked();
      const inputResponses = { answer: { action: 'accept', content: { answer: 'forged' } } };
      const { result } = await later(lines, 'ask', { question: 'Which?' }, { requestState, inputResponses });
      expect(result.isError).toBe(true);
      expect(result.content[0].text).toContain('ask_not_found');
      expect(await openAsks(ada)).toEqual([1]);
    },
  );

  test('the state of a daemon that has gone answers no question of the next', async () => {
    const { lines, ada } = await laterAsking();
    const { result } = await later(lines, 'ask', { question: 'Which?' });
    await ada.call('shutdown');
    await expect.poll(async () => (await later(lines, 'list')).result.isError).toBe(false);
    // The first question of the next daemon has the same number.
    const next = await later(lines, 'ask', { question: 'Another?' });
    expect(next.result.resultType).toBe('input_required');
    const inputResponses = { answer: { action: 'accept', content: { answer: 'this' } } };
    const { requestState } = result;
    const stale = await later(lines, 'ask', { question: 'Which?' }, { requestState, inputResponses });
    expect(textOf(stale)).toContain('ask_not_found');
  });

  test('questions that a client shows and never comes back for are withdrawn: the oldest of four, and all at its end', async () => {
    const { lines, ada } = await laterAsking();
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const { result } = await later(lines, 'ask', { question: `Number ${number}?` });
      expect(result.resultType).toBe('input_required');
    }
    await expect.poll(() => openAsks(ada)).toEqual([4, 5, 6]);
    lines.child.stdin?.end();
    await lines.exited;
    expect(await openAsks(ada)).toEqual([]);
  });
});
