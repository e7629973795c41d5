/** No call has an effect beyond the rights of its caller, and each has an answer: random calls through every door. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { type Door, type DoorTraits, judge } from '../support/authority.js';
import {
  gatewayDoor,
  grpcDoor,
  guestDoor,
  interminaiDoor,
  natsDoor,
  natsRequestDoor,
  pageDoor,
  restricted,
} from '../support/doors.js';
import { clientOfFilesDaemon, endFilesDaemon } from '../support/launch.js';
import { Victim } from '../support/observed.js';
import { type Kept, keptInFile } from '../support/of-file.js';
import { itNeeds } from '../support/programs.js';
import { drawRights, permits, type Rights, seeded } from '../support/rights.js';
import { tempDir } from '../support/temp-dir.js';
import { callToolDoor, crewDoor, mcpDoor, pythonDoor, servedToolsDoor, stdioDoor } from '../support/tool-doors.js';
import { tmuxDoor } from '../support/tmux-calls.js';
import { runsOf } from '../support/trial.js';

const SEED = Number(process.env['T4A_TEST_SEED'] ?? runsOf({ suite: 1, trial: Date.now() % 2 ** 31 }));
const RIGHTS = runsOf({ suite: 1, trial: 10 });
/** With those of all doors, 21,000 in a trial. */
const CALLS = runsOf({ suite: 18, trial: 150 });
const MAX_MS = runsOf({ suite: 120_000, trial: 3_600_000 });

// The last to end.
afterAll(endFilesDaemon);
const kept = keptInFile();

type Level = Rights['allow'];

interface Tried extends DoorTraits {
  /** @param n of the draws of this door */
  readonly open: (client: Client, rights: Rights, kept: Kept, n: number) => Promise<Door>;
  /** That it can have. */
  readonly levels: readonly Level[];
  /** Whether a list of tools may be given. */
  readonly hasTools?: true;
  readonly needs?: string;
}

const ALL: readonly Level[] = ['read', 'use', 'create'];
const OF_TOOLS = { levels: ALL, hasTools: true, givesNames: true } as const;

const DOORS: Readonly<Record<string, Tried>> = {
  'socket, restrict': { levels: ALL, open: async ({ socketPath }, rights) => restricted(socketPath, rights) },
  't4a stdio': { levels: ALL, open: stdioDoor },
  callTool: { ...OF_TOOLS, open: callToolDoor },
  'tools --serve': { ...OF_TOOLS, open: servedToolsDoor },
  'Python call_tool': { ...OF_TOOLS, open: pythonDoor },
  't4a mcp': { ...OF_TOOLS, open: mcpDoor },
  "t4a mcp, the crew's tools": { levels: ['read', 'create'], givesNames: true, hasOwnNames: true, open: crewDoor },
  gateway: { levels: ALL, open: gatewayDoor },
  'NATS, a link': { levels: ALL, needs: 'nats-server', open: natsDoor },
  'NATS, one message': { levels: ['read'], needs: 'nats-server', open: natsRequestDoor },
  page: { levels: ['read', 'create'], isPersons: true, open: pageDoor },
  'page of a link to one terminal': { levels: ['read'], open: guestDoor },
  't4a grpc': { levels: ['create'], hasOwnNames: true, open: grpcDoor },
  't4a interminai, about others': { levels: ['read'], hasOwnCalls: true, open: interminaiDoor },
  't4a tmux': { levels: ['create'], givesNames: true, hasOwnNames: true, open: tmuxDoor },
};

const table: object[] = [];

const tests = Object.entries(DOORS).map(([door, tried]) => ({ door, ...tried }));

for (const [index, { door, open, levels: all, hasTools = false, needs, ...traits }] of tests.entries()) {
  // An opening costs more than its calls: the suite has the lowest level of each door, and one of the others in turn.
  const above = all.slice(1);
  const levels = runsOf({ suite: all.filter((one, i) => i === 0 || one === above[index % above.length]), trial: all });
  const it = needs === undefined ? test : itNeeds(needs);
  it(
    `through ${door} no caller does more than its rights say, and each call is answered`,
    async () => {
      const random = seeded(SEED + index);
      const client = await clientOfFilesDaemon();
      const { path: dir } = tempDir();
      let hidden: Victim | undefined;
      for (let n = 0; n < Math.max(levels.length, RIGHTS); n++) {
        const rights = drawRights(random, n, levels, hasTools);
        const opened = await open(client, rights, kept, n);
        // Who may end programs may end it.
        if (hidden?.isAlive !== true) hidden = await Victim.start(client, dir, 'hidden');
        const judgement = await judge(client, dir, { door: opened, traits, rights, hidden, random, calls: CALLS });
        const { unanswered, beyond, unexplained, effects } = judgement;
        const { tools, ...others } = rights;
        const row = { ...others, tools: tools?.join(' ') ?? 'all', calls: CALLS, effects, beyond: beyond.length };
        table.push({ door, ...row });
        expect({ seed: SEED, rights, unanswered, beyond, unexplained }).toEqual({
          seed: SEED,
          rights,
          unanswered: [],
          beyond: [],
          unexplained: [],
        });
        // A judge that sees nothing done where much may be done sees nothing.
        const { typed, programs } = permits(rights, traits.isPersons);
        const does =
          tools === undefined ? typed || programs : tools.some((name) => name === 'create' || name === 'run');
        if (does) expect({ rights, effects }).not.toEqual({ rights, effects: 0 });
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
    const { typed, programs } = permits({ allow, isHeld: false } as Rights);
    return programs ? 'starts and ends programs' : typed ? 'types' : 'looks';
  };
  const rows = tests.map(({ door, levels }) => `| ${[door, ...ALL.map((level) => cell(levels, level))].join(' | ')} |`);
  expect(page).toContain(`\n|---|---|---|---|\n${rows.join('\n')}\n`);
});
