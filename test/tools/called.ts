/** A tool call, of the full profile unless another is given, with a client that notes its requests. */
import type { Client } from '../../src/client/client.js';
import { callTool, type CallToolOptions } from '../../src/tools/call-tool.js';

interface Called {
  readonly requests: unknown[][];
  readonly text: string;
  readonly isError: boolean;
}

export async function called(
  name: string,
  input?: unknown,
  options?: CallToolOptions,
  answer: () => object = () => ({}),
): Promise<Called> {
  const requests: unknown[][] = [];
  const client = {
    within: () => Promise.resolve(client),
    call(...request: unknown[]) {
      requests.push(request);
      return new Promise((resolve) => resolve(answer()));
    },
  } as unknown as Client;
  const { content, isError } = await callTool(client, name, input, { profile: 'full', ...options });
  return {
    requests,
    isError,
    text: content.map((block) => (block.type === 'text' ? block.text : block.data)).join('\n'),
  };
}
