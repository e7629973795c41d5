/** A model with the tools of t4a, over MCP and standard streams. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Agent, type CountTokens } from './agent.js';

export interface McpPlace {
  /** The command line of t4a. */
  readonly cli: string;
  readonly socketPath: string;
  /** In which programs start. */
  readonly directory: string;
}

export class McpAgent extends Agent {
  readonly #client: Client;
  readonly offered: string;

  private constructor(count: CountTokens, client: Client, offered: string) {
    super(count);
    this.#client = client;
    this.offered = offered;
  }

  static async start(
    count: CountTokens,
    { cli, socketPath, directory }: McpPlace,
    options: readonly string[] = [],
  ): Promise<McpAgent> {
    const client = new Client({ name: 'model', version: '1' });
    const args = [cli, '--socket', socketPath, 'mcp', ...options];
    const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args,
        cwd: directory,
        env: env as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    const { tools } = await client.listTools();
    // What a provider takes; annotations stay with the client.
    const schemas = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    return new McpAgent(count, client, `${client.getInstructions() ?? ''}\n${JSON.stringify(schemas)}`);
  }

  call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return this.counted(name, input, this.#result(name, input));
  }

  async #result(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
    const { content, isError } = (await this.#client.callTool({ name, arguments: input })) as CallToolResult;
    const text = content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
    if (isError === true) throw new Error(`${name} ${JSON.stringify(input)} failed: ${text}`);
    return text;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
