/** The tools of the crew in the process of the test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { CrewTools } from '../../src/crew/tools/tool-set.js';
import { CLI } from './cli.js';
import type { FakeAgents } from './fake-agent.js';

export { CrewTools };

export type CrewReply = Record<string, unknown>;
export type CrewCall = (name: string, input?: object) => Promise<CrewReply>;

/** As if from that terminal. */
export function callAs({ client, env, project }: FakeAgents, terminal?: string, isExternal = false): CrewCall {
  const tools = new CrewTools({
    client: () => Promise.resolve(client),
    // The test itself runs in no terminal of this daemon.
    caller: { pid: process.pid, env: { ...env, ...(terminal === undefined ? {} : { T4A_TERMINAL: terminal }) } },
    folder: project,
    isExternal,
  });
  onTestFinished(() => tools.close());
  return async (name, input) => {
    const { content } = await tools.call(name, input);
    const [block] = content;
    return JSON.parse(block?.type === 'text' ? block.text : '') as CrewReply;
  };
}

export const codeOf = (reply: CrewReply): string | undefined => (reply['error'] as { code?: string } | undefined)?.code;

export interface StartedServer {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** A client of the built server, which runs as if in that terminal; without one it is external. @param server as an agent was given it */
export async function mcpClient(
  { env, project }: FakeAgents,
  terminal: string | undefined,
  server?: StartedServer,
): Promise<{ client: Client; call: CrewCall; transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--profile', 'crew', ...(terminal === undefined ? ['--external'] : [])],
    env: { ...env, ...(terminal === undefined ? {} : { T4A_TERMINAL: terminal }) },
    ...server,
    cwd: project,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    transport,
    async call(name, input = {}) {
      const { content } = (await client.callTool({ name, arguments: input as CrewReply })) as CallToolResult;
      return JSON.parse(content[0]?.type === 'text' ? content[0].text : '') as CrewReply;
    },
  };
}

/** With its first agent, `fake-1`. */
export async function spawned(fake: FakeAgents): Promise<FakeAgents> {
  expect((await fake.run('crew', 'spawn', 'fake')).stdout).toBe('fake-1\n');
  return fake;
}
