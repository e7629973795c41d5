/** The tools over the Model Context Protocol, on standard input and output. The daemon is reached by the first call. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../base/version.js';
import { connect, type Client } from '../client/client.js';
import { randomName } from '../client/envelope.js';
import { MAX_NAME_LENGTH } from '../protocol/limits.js';
import { isT4aError } from '../protocol/errors.js';
import { callTool, type ToolResult } from '../tools/call-tool.js';
import { catalog, type Profile } from '../tools/catalog.js';
import { errorContent } from '../tools/content.js';
import { mcpTool } from '../tools/formats.js';

/** Clients give a call up after 60 s: by then the model has to have the terminal in which its command goes on. */
const RUN_DEADLINE_MS = 50_000;

export interface McpOptions {
  readonly profile: Profile;
  readonly socketPath?: string | undefined;
  /** Terminals of `create` end with the server. Default: false. */
  readonly tied?: boolean;
  /** Name of the author. Default: the client's, with a random part. */
  readonly as?: string | undefined;
  /** The daemon's program, if it is not beside this bundle. */
  readonly daemonEntry?: string | undefined;
}

const INSTRUCTIONS =
  'Real terminals. run: a command that ends by itself. Else: create a terminal, type or press into it, wait for what should appear, then look: screenshot for layout, text for exact lines. Terminals stay until kill.';

/** Serves until the other side closes standard input. Calls under way end with it; terminals stay. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const server = new Server(
    { name: 't4a', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  let client: Promise<Client> | undefined;
  let author = options.as;
  const tools = catalog(options.profile).map(mcpTool);

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    client ??= connect({ ...options, as: (author ??= authorOf(server.getClientVersion()?.name)) }).catch(
      (error: unknown) => {
        // The next call tries again.
        client = undefined;
        throw error;
      },
    );
    return { ...(await answer(client, params.name, params.arguments ?? {}, options, signal)) };
  });

  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport does not report that its other side has gone.
    process.stdin.once('end', resolve).once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await client?.then(
    (open) => open.close(),
    () => {
      // It never was connected.
    },
  );
}

/** Two servers of one program are two authors. */
function authorOf(client = ''): string {
  const name = client.replaceAll(/[^\w.-]+/g, '-').replace(/^[^\w]+/, '') || 'mcp';
  const suffix = `-${randomName().slice(1, 1 + RANDOM_LENGTH)}`;
  return `${name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;
}

const RANDOM_LENGTH = 4;

async function answer(
  client: Promise<Client>,
  name: string,
  input: Readonly<Record<string, unknown>>,
  { profile, tied = false }: McpOptions,
  signal: AbortSignal,
): Promise<{ content: ToolResult['content'][number][]; isError: boolean }> {
  try {
    const { content, isError } = await callTool(await client, name, input, {
      profile,
      signal,
      runDeadlineMs: RUN_DEADLINE_MS,
      tied,
    });
    return { content: [...content], isError };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return { content: errorContent(error), isError: true };
  }
}
