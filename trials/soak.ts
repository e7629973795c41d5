/**
 * `npm run soak`: a harness's day, in mixed turns, beside printers, floods (every other one in raw mode), slow readers and
 * busy cores. What is typed must appear, events must not be missing, nobody's program may end, and what the daemon holds
 * (its garbage collected) after all turns must be what it held after a tenth of them. `--picture 1` draws its curve into docs/soak.svg.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../src/client/index.js';
import { curvePicture, growthOf, HELD, type Sample } from './soak/curve.js';
import { TURNS } from './soak/turns.js';
import { startBusyLoops } from './support/busy-loops.js';
import { RAW_FLOOD } from './support/raw-flood.js';
import { Random } from './support/random.js';
import { Failures, type Report } from './support/report.js';
import { SlowReader, addProblems } from './support/slow-reader.js';
import { TrialDaemon } from './support/trial-daemon.js';

/**
 * With their defaults; a seed of 0 is replaced by a random one, which is printed. `busy`: cores kept busy beside it. `warmup`:
 * turns before those that count, while the engine compiles what is used, and its allocator takes what it will ever need at once.
 */
export const FLAGS = {
  turns: 1000,
  warmup: 0,
  shells: 6,
  printers: 8,
  floods: 2,
  slow: 2,
  busy: 2,
  picture: 0,
  seed: 0,
};

/** What is bounded is filled before the first turn, so that what grows later is something else: each scrollback, and the history of events. */
const SCROLLBACK = 200;
const FILLED = 'i=0; while [ $((i += 1)) -le 300 ]; do echo "line $i of what was there before"; done';
const EVENTS = 5000;
/** Of slow readers: how far they are behind at most differs from hour to hour. */
const CLIENT_BUFFER = 256 * 1024;
/** Each shell takes so many turns; then what is held is counted, while none of them is under way. */
const TURNS_PER_ROUND = 5;

type Options = typeof FLAGS & { readonly root: string };

interface Tally {
  turns: number;
  events: number;
  lagged: number;
  readonly pingMs: number[];
  readonly samples: Sample[];
}

export async function trial(options: Options): Promise<Report> {
  const failures = new Failures();
  const tally: Tally = { turns: 0, events: 0, lagged: 0, pingMs: [], samples: [] };
  const daemon = await TrialDaemon.start(options.root);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const random = new Random(options.seed);
  const stopWatching = watchEvents(client, tally, failures);
  const busyLoops = startBusyLoops(options.busy);
  const slow: SlowReader[] = [];
  try {
    await furnish(client, options);
    slow.push(...Array.from({ length: options.slow }, () => slowReader(daemon, options, random)));
    const rig = { daemon, client, random, tally, failures, options };
    while (tally.turns < options.warmup + options.turns && !failures.full && !daemon.over) {
      await Promise.all(numbered('shell', options.shells).map((shell) => round(shell, rig)));
      if (!daemon.over) await sample(daemon, client, tally);
    }
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
  if (options.picture !== 0) {
    writeFileSync(
      path.join(options.root, 'docs/soak.svg'),
      curvePicture(tally.samples, options.warmup + options.turns),
    );
  }
  return { figures: [...figuresOf(tally, slow), ...checkGrowth(tally, options, failures)], failures: failures.list };
}

async function furnish(client: Client, { shells, printers, floods }: Options): Promise<void> {
  await client.call('config', { scrollback: SCROLLBACK, client_buffer_bytes: CLIENT_BUFFER });
  const notes = `i=0; while [ $((i += 1)) -le ${EVENTS} ]; do printf '\\033]9;note %d\\007' $i; done`;
  await client.call('run', { cmd_args: ['sh', '-c', notes] });
  const printer = ['bash', '-c', `${FILLED}; while :; do echo "line $RANDOM"; read -r -t 0.2; done`];
  const shell = ['sh', '-c', `${FILLED}; exec cat`];
  for (const name of numbered('shell', shells)) await client.call('create', { name, cmd_args: shell });
  for (const name of numbered('print', printers)) await client.call('create', { name, cmd_args: printer });
  for (const [i, name] of numbered('flood', floods).entries()) {
    await client.call('create', { name, cmd_args: i % 2 === 0 ? ['yes'] : RAW_FLOOD });
  }
}

interface Work {
  readonly daemon: TrialDaemon;
  readonly client: Client;
  readonly random: Random;
  readonly tally: Tally;
  readonly failures: Failures;
  readonly options: Options;
}

async function round(shell: string, { daemon, client, random, tally, failures, options }: Work): Promise<void> {
  const printers = numbered('print', options.printers);
  for (let i = 0; i < TURNS_PER_ROUND && !failures.full && !daemon.over; i++) {
    const name = random.pick(Object.keys(TURNS));
    const number = ++tally.turns;
    try {
      await TURNS[name]?.({ client, socketPath: daemon.socketPath, random, printers, shell, number });
    } catch (error) {
      failures.add(`${name}: ${String(error)}`);
    }
  }
}

async function sample(daemon: TrialDaemon, client: Client, { turns, pingMs, samples }: Tally): Promise<void> {
  const start = performance.now();
  await client.call('ping');
  pingMs.push(performance.now() - start);
  await daemon.collectGarbage();
  const { memory, descriptors, timers, listeners } = await client.call('stats', {});
  samples.push({ turn: turns, values: { memory: memory.rss, descriptors: descriptors ?? 0, timers, listeners } });
}

function slowReader(daemon: TrialDaemon, { printers, floods }: Options, random: Random): SlowReader {
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

/** None of the programs that run all day ends by itself. */
async function checkBystanders(client: Client, failures: Failures): Promise<void> {
  const { terminals } = await client.call('list', {});
  for (const { id, alive, exit_code: code, signal } of terminals) {
    if (!alive) failures.add(`the program of ${id} ended with ${code ?? signal}`);
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

function checkGrowth({ samples }: Tally, { turns, warmup }: Options, failures: Failures): [string, string][] {
  const counted = samples.map(({ turn, values }) => ({ turn: turn - warmup, values })).filter(({ turn }) => turn > 0);
  return HELD.map((held) => {
    const { early, late, tooMuch } = growthOf(counted, held, turns);
    if (tooMuch) failures.add(`${held} grew from ${early} to ${late}`);
    return [`${held} after a tenth and after all turns`, `${early}, ${late} (${(late / early).toFixed(3)})`];
  });
}

function figuresOf({ turns, events, lagged, pingMs }: Tally, slow: readonly SlowReader[]): [string, string | number][] {
  const sorted = pingMs.toSorted((a, b) => a - b);
  return [
    ['turns', turns],
    ['events, and those told as lagged', `${events}, ${lagged}`],
    ['replies to slow readers', slow.reduce((sum, { replies }) => sum + replies, 0)],
    ['ping p50, p99, ms', `${at(sorted, 0.5)}, ${at(sorted, 0.99)}`],
  ];
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}${i}`);
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}
