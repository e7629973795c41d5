/** The MCP server as a stream of JSON lines: for what the SDK's clients do not send. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CLI } from './cli.js';
import { endDaemonAt } from './end-daemon.js';
import type { AtEnd } from './of-file.js';
import { tempDir } from './temp-dir.js';

export interface McpMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  // oxlint-disable-next-line no-explicit-any -- tests look at what the server sends
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
  // oxlint-disable-next-line no-explicit-any -- as above
  readonly params?: any;
}

export interface McpLines {
  readonly socketPath: string;
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** One line as it is. */
  readonly write: (line: string) => void;
  /** A request or a notification. */
  readonly send: (message: object) => void;
  /** The first message that fits, of all so far and to come. @throws if the server ends before */
  readonly message: (fits: (message: McpMessage) => boolean) => Promise<McpMessage>;
  /** The reply to a request with a new number. */
  readonly ask: (method: string, params?: object) => Promise<McpMessage>;
  readonly received: readonly McpMessage[];
}

export function mcpLines(atEnd: AtEnd, args: readonly string[] = []): McpLines {
  const { socketPath, path } = tempDir(atEnd);
  const child = spawn(process.execPath, [CLI, '--socket', socketPath, 'mcp', ...args], {
    cwd: path,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  atEnd(async () => {
    child.stdin.end();
    await exited;
    await endDaemonAt(socketPath);
  });
  const received: McpMessage[] = [];
  const waiting = new Set<() => void>();
  let ended = false;
  const look = (): void => {
    for (const each of waiting) each();
  };
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      received.push(JSON.parse(line) as McpMessage);
      look();
    })
    .once('close', () => {
      ended = true;
      look();
    });
  const write = (line: string): void => void child.stdin.write(`${line}\n`);
  const send = (message: object): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const message = (fits: (message: McpMessage) => boolean): Promise<McpMessage> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = received.find(fits);
        if (found === undefined && !ended) return;
        waiting.delete(check);
        if (found === undefined) reject(new Error('The server ended without it.'));
        else resolve(found);
      };
      waiting.add(check);
      check();
    });
  let last = 0;
  return {
    socketPath,
    child,
    exited,
    write,
    send,
    message,
    received,
    ask(method, params) {
      const id = `r${++last}`;
      send({ id, method, ...(params !== undefined && { params }) });
      return message((reply) => reply.id === id && reply.method === undefined);
    },
  };
}

/** @returns the reply to `initialize` */
export async function initialize(
  lines: McpLines,
  protocolVersion = '2025-06-18',
  capabilities: object = {},
): Promise<McpMessage> {
  const clientInfo = { name: 'lines', version: '1' };
  const reply = await lines.ask('initialize', { protocolVersion, capabilities, clientInfo });
  lines.send({ method: 'notifications/initialized' });
  return reply;
}
