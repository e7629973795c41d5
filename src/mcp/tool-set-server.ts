/** Any set of tools over the Model Context Protocol, on standard input and output. */
import {
  type CallToolResult,
  type McpRequestContext,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../base/version.js';
import { isT4aError } from '../protocol/errors.js';
import { errorContent } from '../tools/content.js';
import type { ToolResult } from '../tools/call-tool.js';
import type { ListedTool } from '../tools/formats.js';
import { StdioLines } from './stdio-lines.js';

export interface ToolSet {
  readonly instructions: string;
  readonly schemas: () => readonly ListedTool[];
  /** @param options `progress`: reports that the call goes on, after so many seconds */
  readonly call: (
    name: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly progress: (seconds: number) => void },
  ) => Promise<ToolResult>;
}

/** Serves until the other side closes standard input. Calls under way end with it. @throws T4aError `line_too_long` */
export async function serveToolSet({ instructions, schemas, call }: ToolSet): Promise<void> {
  const serverOf = (_context: McpRequestContext): Server => {
    const server = new Server({ name: 't4a', version: VERSION }, { capabilities: { tools: {} }, instructions });
    server.setRequestHandler('tools/list', () => ({ tools: [...schemas()] as unknown as Tool[] }));
    server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult> => {
      const { signal, id } = context.mcpReq;
      try {
        const { content, isError } = await call(params.name, transport.argumentsOf(id), {
          signal,
          progress: progressOf(context),
        });
        return { content: [...content], isError };
      } catch (error) {
        if (!isT4aError(error)) throw error;
        return { content: errorContent(error), isError: true };
      }
    });
    return server;
  };
  const transport = new StdioLines();
  const served = serveStdio(serverOf, { transport });
  try {
    await transport.closed;
  } finally {
    await served.close();
  }
}

/** Only a client that gave a token gets it. */
function progressOf({ mcpReq }: ServerContext): (seconds: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  return (progress) => {
    if (progressToken === undefined) return;
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } }).catch(() => {
      // The client has gone: the call ends with it.
    });
  };
}
