/** No call has an effect beyond the rights of its caller, and each has an answer: random calls through every door. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { ReplyReader } from '../../src/client/reply-reader.js';
import { callTool } from '../../src/tools/call-tool.js';
import { type Door, drawRights, judge, permits, type Rights, seeded } from '../support/authority.js';
import { CLI, environmentOf } from '../support/cli.js';
import {
  crewOf,
  gatewayDoor,
  grpcDoor,
  guestDoor,
  interminaiDoor,
  natsDoor,
  natsRequestDoor,
  ofCrew,
  pageDoor,
  restricted,
  written,
} from '../support/doors.js';
import { clientOfFilesDaemon, endFilesDaemon } from '../support/launch.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { runsOf } from '../support/trial.js';

const SEED = Number(process.env['T4A_TEST_SEED'] ?? runsOf({ suite: 1, trial: Date.now() % 2 ** 31 }));
const RIGHTS = runsOf({ suite: 1, trial: 10 });
/** With those of all doors, 21,000 in a trial. */
const CALLS = runsOf({ suite: 20, trial: 150 });
const MAX_MS = runsOf({ suite: 120_000, trial: 3_600_000 });

afterAll(endFilesDaemon);

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
function linesOf(command: string, args: readonly string[], env = {}, cwd?: string) {
  const child = spawn(command, args, {
    env: { ...environmentOf({}), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const answered = (answer: { readonly req?: unknown; readonly id?: unknown }): void =>
    waiting.get(answer.req ?? answer.id)?.(answer);
  // Pictures follow their line.
  const reader = new ReplyReader({ reply: answered, garbage: () => child.kill() });
  child.stdout.on('data', (chunk: Buffer) => reader.push(new Uint8Array(chunk)));
  return (req: number, line: string): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(req, resolve);
      child.stdin.write(`${line}\n`);
    });
}

async function toolsOverMcp(args: readonly string[], env = {}, cwd?: string): Promise<Door['call']> {
  const ask = linesOf(process.execPath, [CLI, 'mcp', ...args], env, cwd);
  const rpc = (id: number, method: string, params: object): Promise<unknown> =>
    ask(id, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const clientInfo = { name: 'judge', version: '1' };
  await rpc(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  return async (name, input, req) => {
    const { error } = (await rpc(req, 'tools/call', { name, arguments: input })) as { error?: { code: number } };
    // An internal error is no answer.
    if (error?.code === -32_603) throw new Error(JSON.stringify(error));
    return true;
  };
}

type Level = Rights['allow'];

interface Tried {
  readonly open: (client: Client, rights: Rights) => Promise<Door>;
  /** That it can have. */
  readonly levels: readonly Level[];
  /** Whether a list of tools may be given. */
  readonly hasTools?: true;
  readonly needs?: string;
}

const ALL: readonly Level[] = ['read', 'use', 'create'];

const DOORS: Readonly<Record<string, Tried>> = {
  'socket, restrict': { levels: ALL, open: async ({ socketPath }, rights) => restricted(socketPath, rights) },
  't4a stdio': {
    levels: ALL,
    open: async ({ socketPath }, { allow }) => {
      const ask = linesOf(process.execPath, [CLI, 'stdio', '--allow', allow, '--socket', socketPath]);
      return { call: (name, input, req) => ask(req, written(req, name, input)) };
    },
  },
  callTool: {
    levels: ALL,
    hasTools: true,
    open: async (client, rights) => ({
      call: (name, input) => callTool(client, name, input, rights),
    }),
  },
  'tools --serve': {
    levels: ALL,
    hasTools: true,
    open: async ({ socketPath }, rights) => {
      const ask = linesOf(process.execPath, [CLI, 'tools', '--serve', '--json', '--socket', socketPath]);
      return {
        call: (name, input, req) => ask(req, JSON.stringify({ ...rights, name, input, req })),
      };
    },
  },
  'Python call_tool': {
    levels: ALL,
    hasTools: true,
    open: async ({ socketPath }, rights) => {
      const command = JSON.stringify([process.execPath, CLI]);
      const ask = linesOf('python3', ['-Bc', PYTHON, socketPath, command], { PYTHONPATH: PYTHON_CLIENT });
      return { call: (name, input, req) => ask(req, JSON.stringify({ rights, name, input, req })) };
    },
  },
  't4a mcp': {
    levels: ALL,
    hasTools: true,
    open: async ({ socketPath }, { allow, profile, tools }) => {
      const offer = [
        '--allow',
        allow,
        '--profile',
        profile,
        ...(tools === undefined ? [] : ['--tools', tools.join(',')]),
      ];
      return { call: await toolsOverMcp([...offer, '--socket', socketPath]) };
    },
  },
  "t4a mcp, the crew's tools": {
    // Of a program in a terminal of a crew, and of an agent above it.
    levels: ['read', 'create'],
    open: async (client, { allow }) => {
      const { made, env, cwd } = await crewOf(client, allow === 'create');
      let call: Door['call'] | undefined;
      return {
        made,
        async about(id) {
          const ask = await toolsOverMcp(['--profile', 'crew'], env(id), cwd);
          call = (name, input, req) => ask(...ofCrew(name, input, id, req), req);
        },
        call: (name, input, req) => call?.(name, input, req) ?? Promise.reject(new Error('The crew has no terminal.')),
      };
    },
  },
  gateway: { levels: ALL, open: gatewayDoor },
  'NATS, a link': { levels: ALL, needs: 'nats-server', open: natsDoor },
  'NATS, one message': { levels: ['read'], needs: 'nats-server', open: natsRequestDoor },
  page: { levels: ['read', 'create'], open: pageDoor },
  'page of a link to one terminal': { levels: ['read'], open: guestDoor },
  't4a grpc': { levels: ['create'], open: grpcDoor },
  't4a interminai, about others': { levels: ['read'], open: interminaiDoor },
};

const table: object[] = [];

const tests = Object.entries(DOORS).map(([door, tried]) => ({ door, ...tried }));

for (const [index, { door, open, levels: all, hasTools = false, needs }] of tests.entries()) {
  // An opening costs more than its calls: the suite has the lowest level of each door, and one of the others in turn.
  const above = all.slice(1);
  const levels = runsOf({ suite: all.filter((one, i) => i === 0 || one === above[index % above.length]), trial: all });
  const it = needs === undefined ? test : itNeeds(needs);
  it(
    `through ${door} no caller does more than its rights say, and each call is answered`,
    async () => {
      const random = seeded(SEED);
      const client = await clientOfFilesDaemon();
      const { path: dir } = tempDir();
      for (let n = 0; n < Math.max(levels.length, RIGHTS); n++) {
        // Each level once with all tools, then what is drawn.
        const { tools, ...others } = drawRights(random, n < levels.length ? levels.slice(n, n + 1) : levels, hasTools);
        const rights: Rights = n < levels.length || tools === undefined ? others : { ...others, tools };
        const opened = await open(client, rights);
        const { unanswered, beyond, effects } = await judge(client, dir, {
          door: opened,
          rights,
          random,
          calls: CALLS,
        });
        const { allow, profile } = rights;
        const has = rights.tools?.join(' ') ?? 'all';
        table.push({ door, allow, profile, tools: has, calls: CALLS, effects, beyond: beyond.length });
        expect({ seed: SEED, rights, unanswered, beyond }).toEqual({ seed: SEED, rights, unanswered: [], beyond: [] });
        // A judge that sees nothing done where much may be done sees nothing.
        if (allow !== 'read' && rights.tools === undefined) expect(effects).toBeGreaterThan(0);
      }
      if (RIGHTS > 3) console.table(table.filter((row) => (row as { door: string }).door === door));
    },
    MAX_MS,
  );
}

test('the table of rights and doors of docs/agents.md is that of the judge', () => {
  const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
  const cell = (levels: readonly Level[], allow: Level): string => {
    if (!levels.includes(allow)) return '';
    const { typed, programs } = permits({ allow, profile: 'full' });
    return programs ? 'starts and ends programs' : typed ? 'types' : 'looks';
  };
  const rows = tests.map(({ door, levels }) => `| ${[door, ...ALL.map((level) => cell(levels, level))].join(' | ')} |`);
  expect(page).toContain(`\n|---|---|---|---|\n${rows.join('\n')}\n`);
});
