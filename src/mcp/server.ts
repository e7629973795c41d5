/** The tools over the Model Context Protocol, on standard input and output. The daemon is reached by the first call. */
import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  Server,
  type Tool,
  TRACEPARENT_META_KEY,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../base/version.js';
import { connect, type Client } from '../client/client.js';
import { randomName } from '../client/envelope.js';
import { isAnother } from '../client/resume.js';
import { MAX_NAME_LENGTH } from '../protocol/limits.js';
import { readTraceparent } from '../protocol/traceparent.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import type { ToolInput } from '../tools/checked-input.js';
import { callTool, type CallToolOptions, type ToolResult } from '../tools/call-tool.js';
import { type AllowedReach, catalog, type ToolProfile } from '../tools/catalog.js';
import { errorContent } from '../tools/content.js';
import { mcpTool } from '../tools/formats.js';
import type { HintReader } from '../tools/tool-hints.js';
import { resultNeeding, sendShowing } from './client-forms.js';
import { AnswerNeeded, Elicitation } from './elicitation.js';
import { ToolHosts } from './hosts.js';
import { instructionsOf } from './instructions.js';
import { nameOfClient, showsForms } from './mcp-client.js';
import { StdioLines } from './stdio-lines.js';

/** Clients give a call up after 60 s: by then the model has to have the terminal in which its command goes on. */
const RUN_DEADLINE_MS = 50_000;

/** A tool that the server carries out itself. */
export interface LocalTool {
  readonly tool: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly call: (input: unknown) => Promise<ToolResult>;
}

export interface McpOptions {
  readonly profile: ToolProfile;
  readonly socketPath?: string | undefined;
  /**
   * What models may do. They neither change the daemon nor decide what a person alone may. Default: `create`, to start and
   * end programs.
   */
  readonly allow?: AllowedReach | undefined;
  /** Exactly these tools. Default: those of the profile. */
  readonly tools?: readonly string[] | undefined;
  /** Terminals of `create` end with the server. Default: false. */
  readonly tied?: boolean;
  /** Name of the author. Default: the client's, with a random part. */
  readonly as?: string | undefined;
  /** The daemon's program, if it is not beside this bundle. */
  readonly daemonEntry?: string | undefined;
  /** Beside those of the protocol. Default: none. */
  readonly localTools?: readonly LocalTool[] | undefined;
}

export { serveToolSet } from './tool-set-server.js';

type ToolContent = ToolResult['content'][number];

const REPLACED: ToolContent = {
  type: 'text',
  text: 'The daemon was replaced by another one since the last call: the terminals made before are gone.',
};

/**
 * Serves until the other side closes standard input. Calls under way end with it; terminals stay.
 * @throws T4aError `line_too_long`; `usage`: a name in `tools` is that of no tool, or of one that `allow` forbids
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { profile, allow = 'create', localTools = [] } = options;
  const offer = { profile, allow, tools: options.tools };
  const entries = catalog(offer);
  const hosts = ToolHosts.ofCaller();
  const tools = entries.map(mcpTool).map((tool) => hosts?.withHost(tool) ?? tool);
  /** Clients by the host; that of this machine has none. */
  const clients = new Map<string | undefined, Promise<Client>>();
  /** Hosts whose daemon is another one since the last result. */
  const replaced = new Set<string | undefined>();
  let author = options.as;

  const clientOf = (host: string | undefined, clientName: string | undefined): Promise<Client> => {
    const as = (author ??= authorOf(clientName));
    const open = clients.get(host) ?? connect({ ...(host === undefined ? options : { on: host }), as, reach: allow });
    if (!clients.has(host)) {
      clients.set(host, open);
      void open.then(
        (client) =>
          client.onReconnect(({ before, now }) => {
            if (isAnother(before, now)) replaced.add(host);
          }),
        // The next call tries again.
        () => clients.delete(host),
      );
    }
    return open;
  };

  const elicitation = new Elicitation();
  const transport = new StdioLines();

  /**
   * Server of one connection, whose client speaks either the protocol of 2026-07-28 or an earlier one: its first message shows
   * which.
   */
  const serverOf = ({ era }: McpRequestContext): Server => {
    const server = new Server(
      { name: 't4a', version: VERSION },
      { capabilities: { tools: {} }, instructions: instructionsOf(entries.map(({ name }) => name)) },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: [...tools, ...localTools.map(({ tool }) => tool)] as unknown as Tool[],
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      answer({ ...offer, tool: params.name }, async (notes) => {
        const { name } = params;
        const given = transport.argumentsOf(context.mcpReq.id) as ToolInput;
        const local = localTools.find(({ tool }) => tool.name === name);
        if (local !== undefined) return local.call(given);
        const { host, input, named } = hosts?.callOf(name, given) ?? { input: given };
        const call: CallToolOptions = {
          ...offer,
          signal: context.mcpReq.signal,
          traceparent: readTraceparent(context.mcpReq._meta?.[TRACEPARENT_META_KEY]),
          runDeadlineMs: RUN_DEADLINE_MS,
          tied: options.tied ?? false,
          host,
          ...(named !== undefined && { named }),
        };
        const client = await clientOf(host, nameOfClient(server, context));
        const send = sendShowing({ client, elicitation, server, context, era });
        const result = await callTool(client, name, input, showsForms(server, context) ? { ...call, send } : call);
        if (replaced.delete(host)) notes.push(REPLACED);
        return result;
      }),
    );
    return server;
  };

  const served = serveStdio(serverOf, { transport });
  try {
    await transport.closed;
  } finally {
    await served.close();
    await elicitation.close();
    const opened = await Promise.allSettled(clients.values());
    await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }
}

/** Two servers of one program are two authors. */
function authorOf(client = ''): string {
  const name = client.replaceAll(/[^\w.-]+/g, '-').replace(/^[^\w]+/, '') || 'mcp';
  const suffix = `-${randomName().slice(1, 1 + RANDOM_LENGTH)}`;
  return `${name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;
}

const RANDOM_LENGTH = 4;

async function answer(
  reader: HintReader,
  call: (notes: ToolContent[]) => Promise<ToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const notes: ToolContent[] = [];
  try {
    const { content, isError } = await call(notes);
    return { content: [...notes, ...content], isError };
  } catch (error) {
    if (error instanceof AnswerNeeded) return resultNeeding(error);
    const failure = isT4aError(error) ? error : new T4aError('internal', String(error));
    return { content: [...notes, ...errorContent(failure, reader)], isError: true };
  }
}
