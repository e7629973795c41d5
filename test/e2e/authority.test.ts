/** No call has an effect beyond the rights of its caller, and each has an answer: random calls through every door. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { callTool } from '../../src/tools/call-tool.js';
import { type Door, drawRights, judge, type Rights, seeded } from '../support/authority.js';
import { CLI, environmentOf } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf } from '../support/trial.js';

const SEED = Number(process.env['T4A_TEST_SEED'] ?? runsOf({ suite: 1, trial: Date.now() % 2 ** 31 }));
const RIGHTS = runsOf({ suite: 3, trial: 12 });
const CALLS = runsOf({ suite: 25, trial: 200 });

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const PYTHON = `
import json, sys, t4a
client = t4a.connect(sys.argv[1], t4a_command=json.loads(sys.argv[2]))
for line in sys.stdin:
    call = json.loads(line)
    result = client.call_tool(call["name"], call["input"], **call["rights"])
    print(json.dumps({"req": call["req"], "is_error": result.is_error}), flush=True)
`;

/** A program of lines of JSON, whose answers have the number of their call. */
function linesOf(command: string, args: readonly string[], env = {}) {
  const child = spawn(command, args, { env: { ...environmentOf({}), ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting = new Map<unknown, (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { req?: unknown; id?: unknown };
    waiting.get(answer.req ?? answer.id)?.(answer);
  });
  return (req: number, line: string): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(req, resolve);
      child.stdin.write(`${line}\n`);
    });
}

/** Two writings of one line: what is behind comes first for who reads the first field, and escapes hide a name. */
function written(req: number, cmd: string, input: unknown): string {
  const fields = JSON.stringify({ ...(typeof input === 'object' ? input : {}), req });
  const escaped = cmd.replace(/^./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`);
  const line = `{"cmd":"list",${fields.slice(1, -1)},"c\\u006dd":"${escaped}"}`;
  return req % 3 === 0 ? `\uFEFF${line}` : req % 3 === 1 ? line : JSON.stringify({ ...JSON.parse(line) });
}

const DOORS: Readonly<Record<string, (client: Client, rights: Rights) => Promise<Door>>> = {
  'socket, restrict': async ({ socketPath }, { allow }) => ({
    hasTools: false,
    async call(name, input, req) {
      const connection = new RawConnection(socketPath);
      try {
        connection.write(`{"cmd":"restrict","reach":"${allow}","person":false}\n`);
        await connection.reply();
        connection.write(`${written(req, name, input)}\n`);
        return await connection.reply();
      } finally {
        connection.close();
      }
    },
  }),
  't4a stdio': async ({ socketPath }, { allow }) => {
    const ask = linesOf(process.execPath, [CLI, 'stdio', '--allow', allow, '--socket', socketPath]);
    return { hasTools: false, call: (name, input, req) => ask(req, written(req, name, input)) };
  },
  callTool: async (client, rights) => ({
    hasTools: true,
    call: (name, input) => callTool(client, name, input, rights),
  }),
  'tools --serve': async ({ socketPath }, rights) => {
    const ask = linesOf(process.execPath, [CLI, 'tools', '--serve', '--json', '--socket', socketPath]);
    return {
      hasTools: true,
      call: (name, input, req) => ask(req, JSON.stringify({ ...rights, name, input, req })),
    };
  },
  'Python call_tool': async ({ socketPath }, rights) => {
    const command = JSON.stringify([process.execPath, CLI]);
    const ask = linesOf('python3', ['-Bc', PYTHON, socketPath, command], { PYTHONPATH: PYTHON_CLIENT });
    return { hasTools: true, call: (name, input, req) => ask(req, JSON.stringify({ rights, name, input, req })) };
  },
  't4a mcp': async ({ socketPath }, { allow, profile, tools }) => {
    const offer = [
      '--allow',
      allow,
      '--profile',
      profile,
      ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
    ];
    const ask = linesOf(process.execPath, [CLI, 'mcp', ...offer, '--socket', socketPath]);
    const rpc = (id: number, method: string, params: object): Promise<unknown> =>
      ask(id, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const clientInfo = { name: 'judge', version: '1' };
    await rpc(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    return {
      hasTools: true,
      async call(name, input, req) {
        const { error } = (await rpc(req, 'tools/call', { name, arguments: input })) as { error?: { code: number } };
        // An internal error is no answer.
        if (error?.code === -32_603) throw new Error(JSON.stringify(error));
        return true;
      },
    };
  },
};

const table: object[] = [];

test.each(Object.keys(DOORS))(
  'through %s no caller does more than its rights say, and each call is answered',
  async (door) => {
    const random = seeded(SEED);
    const client = await clientOfOwnDaemon();
    const { path: dir } = tempDir();
    for (let n = 0; n < RIGHTS; n++) {
      const hasTools = !['socket, restrict', 't4a stdio'].includes(door);
      const rights = {
        ...drawRights(random, hasTools),
        ...(n < 3 ? { allow: (['read', 'use', 'create'] as const)[n] } : {}),
      };
      const { tools, ...others } = rights as Rights;
      const safe: Rights = tools === undefined || n > 2 ? rights : others;
      const opened = await (DOORS[door] as (typeof DOORS)[string])(client, safe);
      const { calls, unanswered, beyond, effects } = await judge(client, dir, {
        door: opened,
        rights: safe,
        random,
        calls: CALLS,
      });
      table.push({
        door,
        allow: safe.allow,
        profile: safe.profile,
        tools: safe.tools?.join(' ') ?? 'all',
        calls,
        effects,
        beyond: beyond.length,
      });
      expect({ seed: SEED, rights: safe, unanswered, beyond }).toEqual({
        seed: SEED,
        rights: safe,
        unanswered: [],
        beyond: [],
      });
      // A judge that sees nothing done where all may be done sees nothing.
      if (safe.allow === 'create' && safe.tools === undefined) expect(effects).toBeGreaterThan(0);
    }
    if (RIGHTS > 3) console.table(table.filter((row) => (row as { door: string }).door === door));
  },
);
