/**
 * `npm run soak`: a harness's day, for two minutes or as long as told: shells that are typed into and read, printers,
 * floods (every other one in raw mode), pictures, events, slow readers, terminals that come and go, all beside busy cores.
 * What is typed must appear, events must not be missing, nobody's program may end, and memory and descriptors must stay
 * where they were after the first fifth.
 */
import path from 'node:path';
import { connect, type Client, type Reply } from '../src/client/index.js';
import { startBusyLoops } from './support/busy-loops.js';
import { RAW_FLOOD } from './support/raw-flood.js';
import { Random } from './support/random.js';
import { Failures, type Report } from './support/report.js';
import { SlowReader, addProblems } from './support/slow-reader.js';
import { TrialDaemon } from './support/trial-daemon.js';

/** With their defaults; a seed of 0 is replaced by a random one, which is printed. `busy`: cores kept busy beside it. */
export const FLAGS = { seconds: 120, shells: 8, printers: 8, floods: 2, slow: 2, busy: 2, seed: 0 };

const APPEAR_MS = 20_000;
/** Full within the first fifth, so that what grows after it is no scrollback. */
const SCROLLBACK = 200;
const MAX_GROWTH = 1.3;
const MAX_GAINED_DESCRIPTORS = 4;

interface Tally {
  typed: number;
  pictures: number;
  cycles: number;
  events: number;
  lagged: number;
  readonly pingMs: number[];
}

export async function trial(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const failures = new Failures();
  const tally: Tally = { typed: 0, pictures: 0, cycles: 0, events: 0, lagged: 0, pingMs: [] };
  const daemon = await TrialDaemon.start(options.root);
  const client = await connect({
    socketPath: daemon.socketPath,
    daemonEntry: path.join(options.root, 'dist/daemon.cjs'),
  });
  const endMs = performance.now() + options.seconds * 1000;
  const isOver = (): boolean => performance.now() > endMs || failures.full || daemon.over;
  const random = new Random(options.seed);
  const stopWatching = watchEvents(client, tally, failures);
  const samples: Reply<'stats'>[] = [];
  const busyLoops = startBusyLoops(options.busy);
  const slow: SlowReader[] = [];
  try {
    await furnish(client, options);
    slow.push(...Array.from({ length: options.slow }, () => slowReader(daemon, options, random)));
    await Promise.all([
      ...Array.from({ length: options.shells }, (_, i) => typeInto(client, `shell${i}`, isOver, tally, failures)),
      comeAndGo(client, random, isOver, tally),
      drawPictures(client, random, options, isOver, tally),
      measure(client, isOver, tally, samples, options.seconds),
    ]);
    checkGrowth(samples, failures);
    for (const reader of slow) addProblems(reader, failures);
    if (!daemon.over) await checkBystanders(client, failures);
  } catch (error) {
    failures.add(`a day cut short: ${String(error)}`);
  } finally {
    if (daemon.over) failures.add(`the daemon ended: ${daemon.log.slice(-500)}`);
    if (/ error /.test(daemon.log)) failures.add(`the log says ${/.* error .*/.exec(daemon.log)?.[0]}`);
    busyLoops.stop();
    for (const reader of slow) reader.stop();
    stopWatching();
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  const last = samples.at(-1);
  const sorted = tally.pingMs.toSorted((a, b) => a - b);
  return {
    figures: [
      ['lines typed and seen', tally.typed],
      ['pictures', tally.pictures],
      ['terminals that came and went', tally.cycles],
      ['events, and those told as lagged', `${tally.events}, ${tally.lagged}`],
      ['replies to slow readers', slow.reduce((sum, { replies }) => sum + replies, 0)],
      ['output parsed, MB', Math.round((last?.output.parsed_bytes ?? 0) / 1e6)],
      ['ping p50, p99, ms', `${at(sorted, 0.5)}, ${at(sorted, 0.99)}`],
      ['memory at the first fifth and at the end, MB', `${mega(early(samples))}, ${mega(last)}`],
      ['descriptors at the first fifth and at the end', `${early(samples)?.descriptors}, ${last?.descriptors}`],
    ],
    failures: failures.list,
  };
}

async function furnish(client: Client, { shells, printers, floods }: typeof FLAGS): Promise<void> {
  await client.call('config', { scrollback: SCROLLBACK });
  const printer = ['bash', '-c', 'while :; do echo "line $RANDOM"; read -r -t 0.2; done'];
  for (let i = 0; i < shells; i++) await client.call('create', { name: `shell${i}`, cmd_args: ['cat'] });
  for (let i = 0; i < printers; i++) await client.call('create', { name: `print${i}`, cmd_args: printer });
  for (let i = 0; i < floods; i++) {
    await client.call('create', { name: `flood${i}`, cmd_args: i % 2 === 0 ? ['yes'] : RAW_FLOOD });
  }
}

/** None of the programs that run all day ends by itself. */
async function checkBystanders(client: Client, failures: Failures): Promise<void> {
  const { terminals } = await client.call('list', {});
  for (const { id, alive, exit_code: code, signal } of terminals) {
    if (!alive && !/^t\d+$/.test(id)) failures.add(`the program of ${id} ended with ${code ?? signal}`);
  }
}

function slowReader(daemon: TrialDaemon, { printers, floods }: typeof FLAGS, random: Random): SlowReader {
  const ids = [...numbered('print', printers), ...numbered('flood', floods)];
  const requests = (): object => {
    const id = random.pick(ids);
    return random.pick([
      { cmd: 'screenshot', id },
      { cmd: 'text', id, region: 'all' },
    ]);
  };
  return new SlowReader(daemon.socketPath, requests, () => false);
}

/** `cat` shows what is typed twice: by the terminal's echo, and by itself. */
async function typeInto(
  client: Client,
  id: string,
  isOver: () => boolean,
  tally: Tally,
  failures: Failures,
): Promise<void> {
  for (let number = 0; !isOver(); number++) {
    const line = `${id} says ${number}.`;
    await client.call('send', { id, input: `${line}\r` });
    const deadline = performance.now() + APPEAR_MS;
    for (let count = 0; count < 2;) {
      const { lines } = await client.call('text', { id, trim: true });
      count = lines.filter((each) => each === line).length;
      if (performance.now() > deadline)
        return failures.add(`${JSON.stringify(line)} was typed and did not appear twice`);
      if (count < 2) await pause(5);
    }
    tally.typed++;
    await pause(10);
  }
}

async function comeAndGo(client: Client, random: Random, isOver: () => boolean, tally: Tally): Promise<void> {
  while (!isOver()) {
    const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'seq 1 500; sleep 1000 & exec cat'] });
    await pause(random.below(50));
    await client.call('kill', { id });
    await client.call('run', { cmd_args: ['sh', '-c', 'printf "\\007"; seq 1 100'] });
    tally.cycles += 2;
  }
}

async function drawPictures(
  client: Client,
  random: Random,
  { shells, printers }: typeof FLAGS,
  isOver: () => boolean,
  tally: Tally,
): Promise<void> {
  const ids = [...numbered('shell', shells), ...numbered('print', printers)];
  while (!isOver() && ids.length > 0) {
    await client.call('screenshot', { id: random.pick(ids) });
    tally.pictures++;
    await pause(100);
  }
}

async function measure(
  client: Client,
  isOver: () => boolean,
  tally: Tally,
  samples: Reply<'stats'>[],
  seconds: number,
): Promise<void> {
  while (!isOver()) {
    for (let i = 0; i < 20 && !isOver(); i++) {
      const start = performance.now();
      await client.call('ping');
      tally.pingMs.push(performance.now() - start);
      await pause((seconds * 1000) / 2000);
    }
    samples.push(await client.call('stats', {}));
  }
}

/** Numbers without a gap, but for those that `lagged` accounts for. */
function watchEvents(client: Client, tally: Tally, failures: Failures): () => void {
  const controller = new AbortController();
  const watch = async (): Promise<void> => {
    let lastSeq: number | undefined;
    let missed = 0;
    for await (const event of client.events({}, { signal: controller.signal })) {
      if (event.event === 'lagged') {
        missed = event.missed;
        tally.lagged += missed;
        continue;
      }
      const gap = lastSeq === undefined ? 0 : event.seq - lastSeq - 1;
      if (gap !== missed) failures.add(`events ${lastSeq} to ${event.seq} with ${missed} told as lost`);
      lastSeq = event.seq;
      missed = 0;
      tally.events++;
    }
  };
  watch().catch((error: unknown) => {
    if (!controller.signal.aborted) failures.add(`the event stream ended: ${String(error)}`);
  });
  return () => controller.abort();
}

function checkGrowth(samples: readonly Reply<'stats'>[], failures: Failures): void {
  const first = early(samples);
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return;
  const held = Math.min(...samples.slice(-5).map(({ memory }) => memory.rss));
  if (held > first.memory.rss * MAX_GROWTH) failures.add(`memory grew from ${first.memory.rss} to ${held} bytes`);
  const descriptors = Math.min(...samples.slice(-5).map((sample) => sample.descriptors ?? 0));
  if (descriptors > (first.descriptors ?? 0) + MAX_GAINED_DESCRIPTORS) {
    failures.add(`descriptors grew from ${first.descriptors} to ${descriptors}`);
  }
}

function early(samples: readonly Reply<'stats'>[]): Reply<'stats'> | undefined {
  return samples[Math.floor(samples.length / 5)];
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}${i}`);
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}

function mega(sample: Reply<'stats'> | undefined): string {
  return ((sample?.memory.rss ?? 0) / 1e6).toFixed(0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
