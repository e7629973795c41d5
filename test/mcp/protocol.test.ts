/** The revisions of the Model Context Protocol: clients of each meet the same server. */
import { readFileSync } from 'node:fs';
import { Client as NewClient, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { logPath } from '../../src/protocol/socket-path.js';
import { CLI } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { initialize, mcpLines } from '../support/mcp-lines.js';
import { tempDir } from '../support/temp-dir.js';

async function newClient(options: ClientOptions = {}): Promise<{ client: NewClient; socketPath: string }> {
  const { socketPath, path } = tempDir();
  const transport = new NewTransport({
    command: process.execPath,
    args: [CLI, '--socket', socketPath, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    cwd: path,
    stderr: 'inherit',
  });
  const client = new NewClient({ name: 'modern', version: '1' }, options);
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    await endDaemonAt(socketPath);
  });
  return { client, socketPath };
}

describe('a client of an earlier revision', () => {
  test.for(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is served in it', async (revision) => {
    const lines = mcpLines(onTestFinished);
    const { result } = await initialize(lines, revision);
    expect(result).toMatchObject({
      protocolVersion: revision,
      serverInfo: { name: 't4a' },
      capabilities: { tools: {} },
    });
    expect(result.instructions).toContain('`run`');
    const listed = await lines.ask('tools/list');
    expect(listed.result.tools.find(({ name }: { name: string }) => name === 'run')).toMatchObject({
      inputSchema: { type: 'object', properties: { command: {} } },
      annotations: { readOnlyHint: false },
    });
    const ran = await lines.ask('tools/call', { name: 'run', arguments: { command: 'echo from $((40 + 2))' } });
    expect(ran.result).toMatchObject({ isError: false, content: [{ type: 'text' }] });
    expect(ran.result.content[0].text).toMatch(/^Exit code 0\.\nfrom 42$/);
    expect((await lines.ask('ping')).result).toEqual({});
  });

  test('of an unknown revision is offered the latest that begins with a handshake', async () => {
    const { result } = await initialize(mcpLines(onTestFinished), '2031-01-01');
    expect(result.protocolVersion).toBe('2025-11-25');
  });
});

describe('the client of version 2 of the SDK', () => {
  test.for([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const)('that negotiates "%s" speaks %s', async ([mode, revision]) => {
    const { client, socketPath } = await newClient({ versionNegotiation: { mode } });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toContain('`run`');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'list')?.annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    const made = await client.callTool({ name: 'create', arguments: { name: 'one', command: 'echo hi; exec cat' } });
    expect(made).toMatchObject({ isError: false });
    const picture = await client.callTool({ name: 'screenshot', arguments: { id: 'one' } });
    expect(picture.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    const wrong = await client.callTool({ name: 'text', arguments: { id: 'two' } });
    expect(wrong).toMatchObject({ isError: true });
    // The author has the name of the client.
    await using observer = await connect({ socketPath, autoStart: false });
    expect((await observer.call('list')).terminals.map(({ owner }) => owner)).toEqual([
      expect.stringMatching(/^modern-\w{4}$/),
    ]);
  });

  test('has results of text and pictures alone, which clients hand to the model as they are', async () => {
    const { client } = await newClient({ versionNegotiation: { mode: 'auto' } });
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    const calls = [
      ['create', { name: 'one', cmd_args: ['cat'], observe: 'both' }],
      ['list', {}],
      ['screenshot', { id: 'one' }],
      ['text', { id: 'two' }],
      ['kill', { id: 'one' }],
    ] as const;
    for (const [name, input] of calls) {
      const result = await client.callTool({ name, arguments: input });
      expect(result).not.toHaveProperty('structuredContent');
      expect(result.content.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'image')).toEqual([]);
    }
  });

  test('has the trace of a call in the log of the daemon, and not its state', async () => {
    const { client, socketPath } = await newClient({ versionNegotiation: { mode: 'auto' } });
    await client.callTool({ name: 'list', arguments: {} });
    await using observer = await connect({ socketPath, autoStart: false });
    await observer.call('config', { log_level: 'debug' });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const _meta = { traceparent, tracestate: 'vendor=kept-nowhere' };
    expect(await client.callTool({ name: 'run', arguments: { command: 'true' }, _meta })).toMatchObject({
      isError: false,
    });
    const malformed = { traceparent: 'never' };
    expect(await client.callTool({ name: 'list', arguments: {}, _meta: malformed })).toMatchObject({ isError: false });
    const log = readFileSync(logPath(socketPath), 'utf8');
    expect(log).toMatch(new RegExp(` debug "run" took [\\d.]+ ms, traceparent ${traceparent}\n`));
    expect(log).toMatch(/ debug "list" took [\d.]+ ms\n/);
    expect(log).not.toMatch(/kept-nowhere|never/);
  });

  test('that cancels a wait ends it in the daemon', async () => {
    const { client, socketPath } = await newClient({ versionNegotiation: { mode: 'auto' } });
    await client.callTool({ name: 'create', arguments: { name: 'quiet', cmd_args: ['cat'] } });
    await using observer = await connect({ socketPath, autoStart: false });
    const waits = async (): Promise<number> => (await observer.call('stats')).connections.in_flight;
    const controller = new AbortController();
    const waiting = client.callTool(
      { name: 'wait', arguments: { id: 'quiet', for: 'never' } },
      { signal: controller.signal },
    );
    await expect.poll(waits).toBe(2);
    controller.abort('enough');
    await expect(waiting).rejects.toThrow('enough');
    await expect.poll(waits).toBe(1);
  });
});
