/**
 * What is refused costs nobody else a turn, and neither does what waits: of each load, at each door and level, the longest that another
 * client of the door waits beside it. The judge counts the processor's time of those who answer while that client waits: it is the same on
 * a busy machine.
 */
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { cacheHome, startDaemon } from '../../test/support/daemon.js';
import { connect } from '../../src/client/index.js';
import { REFUSED, SHOWN, WAITING } from './loads.js';
import { type Level, type Pipe, type Way, WAYS, workedMs } from './ways.js';

const ASKS = 60;
const MAX_MS = 100;
const PAUSE_MS = 3;

interface Worst {
  /** Of the processor, for the answer that took most. */
  readonly workMs: number;
  readonly wallMs: number;
}

const rows: Record<string, string | number>[] = [];
afterAll(() => {
  console.table(rows);
});

async function worstOf(other: Pipe, pids: readonly number[]): Promise<Worst> {
  let [workMs, wallMs] = [0, 0];
  for (let n = 0; n < ASKS; n++) {
    await pause();
    const [workBefore, beganMs] = [workedMs(pids), performance.now()];
    const answer = await other.ask({ cmd: 'text', id: 'other' });
    workMs = Math.max(workMs, workedMs(pids) - workBefore);
    wallMs = Math.max(wallMs, performance.now() - beganMs);
    expect(answer).toMatchObject({ ok: true });
  }
  return { workMs: Math.round(workMs), wallMs: Math.round(wallMs) };
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });

/** Until it is ended. A client that is shut out comes again. @returns how often it has written */
function flood(way: Way, first: string, chunk: string): () => Promise<number> {
  let [isOver, writes] = [false, 0];
  let end = (): void => {};
  const ended = new Promise<false>((resolve) => (end = () => resolve(false)));
  const flooding = (async () => {
    let pipe: Pipe | undefined;
    while (!isOver) {
      if (pipe === undefined) {
        pipe = await way.open();
        if (first !== '') await pipe.write(first);
      }
      writes++;
      if (await Promise.race([pipe.write(chunk), ended])) continue;
      pipe.close();
      pipe = undefined;
    }
    pipe?.close();
  })();
  return async () => {
    isOver = true;
    end();
    await flooding;
    return writes;
  };
}

/** The first daemon of a build keeps its compiled code a second after its start, in a step of 60 ms that is no load's. */
async function codeKept(): Promise<void> {
  const first = await startDaemon();
  const isKept = (): boolean =>
    readdirSync(cacheHome, { recursive: true }).some((name) => String(name).includes('daemon'));
  while (!isKept()) await pause();
  await first.stop();
}

async function daemon(): Promise<Client> {
  await codeKept();
  const started = await startDaemon();
  ends.push(() => started.stop());
  const client = await connect({ socketPath: started.socketPath, autoStart: false });
  ends.push(() => client.close());
  await client.call('create', { name: 'other', cmd_args: ['cat'] });
  await client.call('create', SHOWN);
  return client;
}

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const shared = daemon();

const doors = Object.entries(WAYS).flatMap(([door, { levels, open }]) =>
  levels.map((level) => ({ door, level, open })),
);

test.each(doors)(
  'what is refused at $door, level $level, costs another one less than 100 ms',
  async ({ door, level, open }) => {
    const client = await shared;
    const way = await open(client, level);
    const pids = [client.daemon.pid, ...way.pids];
    const other = await way.open();
    const atRest = await worstOf(other, pids);
    const beyond: object[] = [];
    for (const { name, chunk, first = '', isOfLines = false } of REFUSED) {
      if (isOfLines && !way.takesLines) continue;
      const end = flood(way, first, chunk);
      const worst = await worstOf(other, pids);
      const writes = await end();
      note(`${name}, ${writes} times`, { door, level, worst, atRest, beyond });
    }
    other.close();
    expect(beyond).toEqual([]);
  },
  1_800_000,
);

interface Noted {
  readonly door: string;
  readonly level: Level;
  readonly worst: Worst;
  readonly atRest: Worst;
  readonly beyond: object[];
}

function note(load: string, { door, level, worst, atRest, beyond }: Noted): void {
  const row = {
    door,
    level,
    load,
    'work, ms': worst.workMs,
    'at rest': atRest.workMs,
    'by the clock, ms': worst.wallMs,
    'at rest, too': atRest.wallMs,
  };
  rows.push(row);
  // A door takes minutes.
  console.log(Object.values(row).join(' | '));
  if (worst.workMs > MAX_MS) beyond.push(row);
}

const waitingDoors = doors.filter(({ level }) => level === 'create');

test.each(waitingDoors)(
  'what waits at $door costs another one less than 100 ms',
  async ({ door, level, open }) => {
    const client = await shared;
    const way = await open(client, level);
    const pids = [client.daemon.pid, ...way.pids];
    const other = await way.open();
    const atRest = await worstOf(other, pids);
    const beyond: object[] = [];
    for (const { name, requests, chunk } of WAITING) {
      const asker = await way.open();
      await asker.write(
        requests
          .map((one) => `${JSON.stringify(one)}\n`)
          .join('')
          .trimEnd(),
      );
      const end = chunk === undefined ? undefined : flood(way, '', chunk);
      const worst = await worstOf(other, pids);
      await end?.();
      asker.close();
      note(name, { door, level, worst, atRest, beyond });
    }
    other.close();
    expect(beyond).toEqual([]);
  },
  1_800_000,
);

test('the judge sees the work of a long request', async () => {
  const client = await shared;
  const pids = [client.daemon.pid];
  expect(readdirSync(`/proc/${pids[0]}/task`).length).toBeGreaterThan(1);
  const before = workedMs(pids);
  await client.call('create', { name: 'large', cols: 1000, rows: 1000, cmd_args: ['cat'] });
  await client.call('kill', { id: ['large'] });
  expect(workedMs(pids) - before).toBeGreaterThan(1);
});
