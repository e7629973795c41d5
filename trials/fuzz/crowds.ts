/**
 * Clients that ask for much at once: pipelined bursts of reads, huge screens made, resized and read, hostile files opened. A bystander
 * beside them is answered all the time, every request is answered once, and memory stays where it was.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { connect, type Client } from '../../src/client/index.js';
import { RawConnection } from '../../test/support/raw.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { TrialDaemon } from '../support/trial-daemon.js';

/** On a machine whose cores are all busy; without the schedule of requests a burst holds the daemon for half a minute. */
const MAX_WAIT_MS = 2000;
const MAX_GROWTH_BYTES = 400_000_000;
const HUGE = 'huge';
const BYSTANDER = 'bystander';

const PAINTER = String.raw`
for (let row = 0; row < 2000; row++) {
  let line = '';
  for (let col = 0; col < 80; col++) line += '\x1b[3' + ((row + col) % 8) + ';4' + (col % 5) + 'mabcd efg';
  process.stdout.write(line + '\x1b[m\r\n');
}
process.stdout.write('PAINTED');
process.stdin.resume();
`;

interface Round {
  readonly daemon: TrialDaemon;
  readonly random: Random;
  readonly failures: Failures;
}

const ROUNDS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  'pipelined bursts': burst,
  'huge screens': hugeScreens,
  'hostile files': hostileFile,
};

export async function fuzzCrowds(root: string, rounds: number, random: Random): Promise<Report> {
  const failures = new Failures();
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const done = new Map(Object.keys(ROUNDS).map((name) => [name, 0]));
  let worstMs = 0;
  try {
    await client.call('create', { name: BYSTANDER, cmd_args: ['cat'] });
    const cmdArgs = [process.execPath, '-e', PAINTER];
    await client.call('create', { name: HUGE, cols: 1000, rows: 1000, scrollback: 2000, cmd_args: cmdArgs });
    await client.call('wait', { id: HUGE, until: { text: 'PAINTED' }, timeout_ms: 120_000 });
    let baseline: number | undefined;
    for (let number = 0; number < rounds && !failures.full && !daemon.over; number++) {
      // Each kind in turn, so that few rounds have all.
      const name = [...done.keys()][number % done.size] ?? '';
      done.set(name, (done.get(name) ?? 0) + 1);
      const worst = await besides(client, () => ROUNDS[name]?.({ daemon, random, failures }));
      worstMs = Math.max(worstMs, worst);
      if (worst > MAX_WAIT_MS) failures.add(`round ${number} (${name}): the bystander waited ${Math.round(worst)} ms`);
      const { memory } = await client.call('stats', {});
      if (number >= done.size) baseline ??= memory.rss;
      const grown = memory.rss - (baseline ?? memory.rss);
      if (grown > MAX_GROWTH_BYTES) failures.add(`round ${number} (${name}): memory grew by ${grown} bytes`);
    }
    const { faults } = await client.call('stats', {});
    if (faults > 0) failures.add(`${faults} faults: ${/.* error .*/.exec(daemon.log)?.[0] ?? 'not in the log'}`);
  } catch (error) {
    failures.add(`${String(error)}; the log ends with ${daemon.log.slice(-500)}`);
  } finally {
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  return { figures: [...done, ['longest wait of a bystander, ms', Math.round(worstMs)]], failures: failures.list };
}

/** @returns the longest time of a small read meanwhile */
async function besides(client: Client, act: () => Promise<void> | undefined): Promise<number> {
  let isOver = false;
  let worst = 0;
  const acting = Promise.resolve(act()).finally(() => (isOver = true));
  while (!isOver) {
    const beganMs = performance.now();
    await client.call('text', { id: BYSTANDER });
    worst = Math.max(worst, performance.now() - beganMs);
  }
  await acting;
  return worst;
}

const READS: readonly object[] = [
  { cmd: 'text', format: 'ansi' },
  { cmd: 'text', format: 'runs', highlights: true, links: true },
  { cmd: 'text', format: 'html', region: 'all' },
  { cmd: 'text', region: 'all', join_wrapped: true },
  { cmd: 'text', format: 'cells', last: 200 },
  { cmd: 'text', at: 'end', format: 'ansi' },
  { cmd: 'export' },
  { cmd: 'export', from: '-1s' },
  { cmd: 'watch' },
  { cmd: 'grep', pattern: 'a.*g$', max: 10 },
  { cmd: 'wait', until: { idle_ms: 1 }, observe: { text: true } },
  { cmd: 'film', from: 'start', format: 'text' },
  { cmd: 'marker', label: 'x'.repeat(200) },
  { cmd: 'status' },
];

/** Some of its readers go before they have read. */
async function burst({ daemon, random, failures }: Round): Promise<void> {
  const connection = new RawConnection(daemon.socketPath);
  const count = 20 + random.below(100);
  const requests = Array.from({ length: count }, (_, req) => ({ ...random.pick(READS), id: HUGE, req }));
  connection.write(requests.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const read = random.chance(0.3) ? random.below(count) : count;
  const answered = new Set<unknown>();
  for (let i = 0; i < read; i++) answered.add((await connection.reply()).header['req']);
  if (answered.size !== read) failures.add(`${read} replies to a burst answer ${answered.size} requests`);
  connection.close();
}

async function hugeScreens({ daemon, random, failures }: Round): Promise<void> {
  const connections = Array.from({ length: 4 }, () => new RawConnection(daemon.socketPath));
  await Promise.all(
    connections.map(async (connection, i) => {
      const name = `huge${i}`;
      const size = (): object => ({ cols: 2 + random.below(999), rows: 1 + random.below(1000) });
      const steps: object[] = [
        { cmd: 'create', name, ...size(), cmd_args: ['cat'], observe: { text: true } },
        ...Array.from({ length: 6 }, () => ({ cmd: 'resize', id: random.chance(0.3) ? HUGE : name, ...size() })),
        { cmd: 'forget', id: name, from: 'start' },
        { cmd: 'export', id: name },
        { cmd: 'kill', id: name, grace_ms: 0 },
      ];
      for (const step of steps) {
        const { header } = await connection.request(step);
        if (header['code'] === 'internal') failures.add(`${JSON.stringify(step)}: ${JSON.stringify(header)}`);
      }
      connection.close();
    }),
  );
}

async function hostileFile({ daemon, random, failures }: Round): Promise<void> {
  const file = path.join(daemon.dir, random.chance(0.5) ? 'hostile.cast' : 'hostile.cast.gz');
  const content = random.pick(FILES)(random);
  writeFileSync(file, file.endsWith('.gz') ? gzipSync(content) : content);
  const connection = new RawConnection(daemon.socketPath);
  const name = 'hostile';
  const { header } = await connection.request({ cmd: 'open', path: file, name });
  if (header['code'] === 'internal') failures.add(`open of ${content.length} bytes: ${JSON.stringify(header)}`);
  if (header['ok'] === true) {
    const { header: text } = await connection.request({ cmd: 'text', id: name, region: 'all', max_bytes: 100_000 });
    if (text['ok'] !== true) failures.add(`text of an opened file: ${JSON.stringify(text)}`);
    await connection.request({ cmd: 'kill', id: name });
  }
  connection.close();
}

const HEADER = '{"version":3,"term":{"cols":80,"rows":24}}\n';

const lines = (count: number, line: (i: number) => unknown): Buffer =>
  Buffer.from(HEADER + Array.from({ length: count }, (_, i) => `${JSON.stringify(line(i))}\n`).join(''));

const FILES: readonly ((random: Random) => Buffer)[] = [
  (random) => lines(200 + random.below(2000), (i) => [0.001, 'r', i % 2 === 0 ? '1000x1000' : '999x999']),
  (random) => lines(20_000, (i) => [0, 'm', 'x'.repeat(random.below(50)) + String(i)]),
  () => lines(100, (i) => [0.1, 'o', '\x1b[31m\u{1F600}'.repeat(20_000) + String(i)]),
  (random) => lines(50_000, () => [random.next() - 0.5, 'o', '\x1b[H\x1b[2J']),
  (random) => Buffer.from(`${HEADER}${'['.repeat(1000 + random.below(1_000_000))}`),
  (random) =>
    Buffer.from(`{"version":1,"width":80,"height":24,"stdout":[${'[0,"x"],'.repeat(random.below(100_000))}[0,"y"]]}`),
  (random) => Buffer.from(Array.from({ length: 100_000 }, () => random.below(256))),
  // One line without an end.
  () => Buffer.concat([Buffer.from(`${HEADER}[0,"o","`), Buffer.alloc(20_000_000, 'x')]),
];
