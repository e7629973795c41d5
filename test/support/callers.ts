/** Every client, as an object that makes a call on request and reports its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import type { CallName } from '../../src/client/connection.js';
import { isT4aError } from '../../src/protocol/errors.js';
import { CLI, runCli } from './cli.js';
import { builtDaemonEntry } from './daemon.js';

export interface Outcome {
  /** Of the failure; undefined where the call went well. */
  readonly code?: string;
  readonly message?: string;
}

export interface Caller {
  /** Connects before the first one. A request is answered, or its failure told; nothing else is an outcome. */
  readonly call: (cmd: string, fields?: Readonly<Record<string, unknown>>) => Promise<Outcome>;
}

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const PYTHON_CALLER = fileURLToPath(new URL('programs/python_caller.py', import.meta.url));

/** Of a place where a daemon may be started if none runs. All of them end with the test. */
export const CALLERS: Readonly<Record<string, (socketPath: string) => Caller>> = {
  TypeScript(socketPath) {
    let client: Client | undefined;
    onTestFinished(() => client?.close());
    return {
      async call(cmd, fields = {}) {
        try {
          client ??= await connect({ socketPath, daemonEntry: builtDaemonEntry });
          await client.call(cmd as 'list', fields);
          return {};
        } catch (error) {
          if (isT4aError(error)) return { code: error.code, message: error.message };
          throw error;
        }
      },
    };
  },

  MCP(socketPath) {
    const client = new McpClient({ name: 'test', version: '1' });
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
    const args = [CLI, '--socket', socketPath, 'mcp', '--profile', 'full'];
    let connected: Promise<void> | undefined;
    onTestFinished(() => client.close());
    return {
      async call(cmd, fields = {}) {
        await (connected ??= client.connect(
          new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }),
        ));
        const result = await client.callTool({ name: cmd, arguments: { ...fields } });
        const [{ text = '' } = {}] = result.content as { text?: string }[];
        return result.isError === true ? { code: /\((\w+)\)/.exec(text)?.[1] ?? '', message: text } : {};
      },
    };
  },

  'command line': (socketPath) => ({
    async call(cmd, fields = {}) {
      const { status, stderr } = await runCli([cmd, ...flags(fields), '--json'], { socketPath });
      if (status === 0) return {};
      const { code, error } = JSON.parse(stderr) as { code: CallName; error: string };
      return { code, message: error };
    },
  }),

  Python: (socketPath) => pythonCaller(socketPath, 'sync'),

  asyncio: (socketPath) => pythonCaller(socketPath, 'async'),
};

/** `{ command: 'true' }` is `--command true`. */
function flags(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

function pythonCaller(socketPath: string, how: 'sync' | 'async'): Caller {
  const starter = JSON.stringify([process.execPath, CLI]);
  const child = spawn('python3', ['-B', PYTHON_CALLER, socketPath, how, starter], {
    env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, XDG_CONFIG_HOME: '/nonexistent' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async call(cmd, fields = {}) {
      child.stdin.write(`${JSON.stringify({ cmd, ...fields })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the Python client ended: ${complaints}`);
      if (complaints !== '') throw new Error(`the Python client complains: ${complaints}`);
      return JSON.parse(value) as Outcome;
    },
  };
}
