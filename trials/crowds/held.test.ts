/**
 * What clients send without an end, and what they do not read, is theirs alone: beside a thousand of them, as many as a door takes, each
 * process stays within its bound, nobody loses a line, and once they have gone there is room at once.
 */
import { readFileSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { startDaemon } from '../../test/support/daemon.js';
import { type Held, UNFINISHED, UNREAD, UNREAD_REFUSALS } from './loads.js';
import { type Pipe, WAYS, workedMs } from './ways.js';

const MIB = 1024 * 1024;
/** Of the daemon. */
const MOST_BYTES = 400 * MIB;
const LINES = 5000;

/** As many clients as the door takes beside another one, and what its own process may grow by. */
const DOORS: readonly (readonly [door: string, clients: number, mostBytes: number])[] = [
  ['socket', 1000, MOST_BYTES],
  ['gateway', 1000, 448 * MIB],
  ['NATS', 120, 256 * MIB],
  ['page', 30, 256 * MIB],
];

const rows: object[] = [];
afterAll(() => {
  console.table(rows);
});

function residentBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

const STILL_MS = 3000;

/** Until each has been shut out or has written all, and those who answer rest. @returns how many were shut out */
async function pressAll(pipes: readonly Pipe[], load: Held, pids: readonly number[]): Promise<number> {
  let [shutOut, writes, seen] = [0, 0, -1];
  const each = pipes.map(async (pipe) => {
    if (load.isUnread) pipe.stopReading();
    for (let i = 0; i < load.times; i++) {
      const isOpen = await pipe.write(load.chunk);
      writes++;
      if (isOpen) continue;
      shutOut++;
      return;
    }
  });
  void Promise.all(each);
  for (let workedBefore = -Infinity; writes !== seen || workedMs(pids) - workedBefore > STILL_MS / 10;) {
    [seen, workedBefore] = [writes, workedMs(pids)];
    await new Promise((resolve) => {
      setTimeout(resolve, STILL_MS);
    });
  }
  return shutOut;
}

const cases = DOORS.flatMap(([door, clients, mostBytes]) =>
  [UNFINISHED, UNREAD, UNREAD_REFUSALS]
    .filter((load) => load.isUnread || door !== 'page')
    .map((load) => ({ door, clients, mostBytes, load, name: load.name })),
);

test.each(cases)(
  '$clients clients at $door, with $name, fill no memory of others',
  async ({ door, clients, mostBytes, load }) => {
    const started = await startDaemon();
    onTestFinished(() => started.stop());
    const client = await connect({ socketPath: started.socketPath, autoStart: false });
    onTestFinished(() => client.close());
    await client.call('config', { max_memory_bytes: MOST_BYTES });
    await client.call('create', {
      name: 'mine',
      scrollback: LINES,
      cmd_args: ['sh', '-c', `seq -f '%.0f ${'x'.repeat(60)}' 1 ${LINES}; printf '\\a'; cat`],
      wait: { until: { event: 'bell' }, timeout_ms: 60_000 },
    });
    const way = await WAYS[door]!.open(client, 'read');
    const other = await way.open();
    const pids = [client.daemon.pid, ...way.pids];
    const before = pids.map((pid) => residentBytes(pid, 'VmRSS'));
    const pipes: Pipe[] = [];
    while (pipes.length < clients) pipes.push(await way.open());
    const shutOut = await pressAll(pipes, load, pids);
    const answer = await other.ask({ cmd: 'text', id: 'mine' });
    const highest = pids.map((pid) => residentBytes(pid, 'VmHWM'));
    const { memory } = await client.call('stats', {});
    for (const pipe of pipes) pipe.close();
    const created = await client
      .call('create', { name: 'afterwards', cmd_args: ['cat'] })
      .catch((error: unknown) => error);
    const mega = (bytes: number): number => Math.round(bytes / MIB);
    rows.push({
      door,
      load: load.name,
      clients,
      'shut out': shutOut,
      'MiB before': before.map(mega).join(' + '),
      'at most': highest.map(mega).join(' + '),
      'lines dropped': memory.scrollback_lines_dropped,
    });
    expect(answer).toMatchObject({ ok: true });
    expect(memory).toMatchObject({ scrollback_lines_dropped: 0, terminals_removed: 0 });
    expect(created).toMatchObject({ id: 'afterwards' });
    expect(highest[0]).toBeLessThan(MOST_BYTES);
    expect((highest[1] ?? 0) - (before[1] ?? 0)).toBeLessThan(mostBytes);
  },
  1_800_000,
);
