/**
 * Triggers and rules: what they cost beside a flood and on busy screens, how soon they act, and what they cost unused. Each stage is
 * printed when it has ended. One alone: T4A_BENCH_MEANING=flood (or several, with commas).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EntryLog } from '../src/features/rules/entry-log.js';
import { ActivityFile, readTail } from '../src/features/rules/activity-file.js';
import type { Entry } from '../src/activity/entry.js';
import type { Client } from '../src/client/index.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';
import { unusedFigures } from './support/without-meaning.js';

const TRIGGERS = 32;
const FLOOD_LINES = 300_000;
const ROUNDS = 9;
const MARKS = 100;
const SPINNERS = 20;
/** A look is rarer after two seconds in which it found nothing. */
const SPUN_UP_MS = 3000;
const SPIN_MS = 5000;
const SPINS = ['none', 'generic', 'generic', 'none', 'none', 'generic', 'generic', 'none'] as const;
const ENTRIES = 100_000;
const READS = 20;

const STAGES: Readonly<Record<string, (context: BenchContext) => Promise<Figure[]>>> = {
  flood: ({ root }) => withDaemon(root, floodFigures),
  reaction: ({ root }) => withDaemon(root, reactionFigures),
  spinners: ({ root }) => withDaemon(root, spinnerFigures),
  entries: ({ root }) => withDaemon(root, entryFigures),
  unused: ({ root }) => unusedFigures(root),
};

export async function bench(context: BenchContext): Promise<Figure[]> {
  const wanted = process.env['T4A_BENCH_MEANING']?.split(',') ?? Object.keys(STAGES);
  const all: Figure[] = [];
  for (const name of wanted) {
    const stage = STAGES[name];
    if (stage === undefined) throw new Error(`There is no stage "${name}": ${Object.keys(STAGES).join(', ')}.`);
    const figures = await stage(context);
    for (const { name: figure, value, note } of figures) {
      console.log(`     (${name}) ${figure}: ${value.toFixed(3)}${note === undefined ? '' : `, ${note}`}`);
    }
    all.push(...figures);
  }
  return all;
}

async function withDaemon(root: string, measure: (daemon: BenchDaemon) => Promise<Figure[]>): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return await measure(daemon);
  } finally {
    await daemon.stop();
  }
}

const FLOOD = `seq -f '%.0f the quick brown fox jumps over the lazy dog and runs into the night' 1 ${FLOOD_LINES}`;

async function floodFigures({ client }: BenchDaemon): Promise<Figure[]> {
  const runs: Record<'without' | 'with', number[]> = { without: [], with: [] };
  await flood(client, 0);
  for (let i = 0; i < ROUNDS; i++) {
    for (const kind of i % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      runs[kind].push(await flood(client, kind === 'with' ? TRIGGERS : 0));
    }
  }
  const [without, having] = [median(runs.without), median(runs.with)];
  return [
    {
      name: `a flood of ${FLOOD_LINES} lines in a terminal with ${TRIGGERS} triggers, times that without`,
      value: having / without,
      // A rate of at least 0.95.
      limit: 1 / 0.95,
      note: `${having.toFixed(2)} s against ${without.toFixed(2)} s`,
    },
  ];
}

/** @returns seconds */
async function flood(client: Client, triggers: number): Promise<number> {
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', `read -r _; ${FLOOD}; printf THE-END; exec cat`],
  });
  await addTriggers(client, id, triggers);
  const start = performance.now();
  const done = client.call('wait', { id, until: { text: 'THE-END' }, timeout_ms: 120_000 });
  await client.call('press', { id, keys: ['Enter'] });
  await done;
  const seconds = (performance.now() - start) / 1000;
  await client.call('kill', { id });
  return seconds;
}

/** None of them ever fires. */
async function addTriggers(client: Client, id: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const when = i % 2 === 0 ? { text: `never ${i}` } : { regex: `^panic: .* at line ${i}$` };
    await client.call('trigger', { id, when, do: [{ notify: 'x' }] });
  }
}

const MARKER = "stty -echo; echo ready; while read -r n; do printf 'mark %s\\a\\n' $n; done";

/** The bell is published when it is parsed, in the slice of the text that the trigger waits for. */
async function reactionFigures({ client }: BenchDaemon): Promise<Figure[]> {
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', MARKER],
    wait: { until: { text: 'ready' } },
  });
  const beside = await client.call('create', { cmd_args: ['sh', '-c', 'while :; do seq 1 20000; sleep 0.2; done'] });
  await addTriggers(client, id, TRIGGERS - 1);
  await client.call('trigger', { id, when: { regex: '^mark \\d+' }, do: [{ publish: { name: 'marked' } }] });
  const events = client.events({ types: ['bell', 'published'] });
  const reading = events[Symbol.asyncIterator]();
  await events.subscribed;
  const took: number[] = [];
  for (let i = 0; i < MARKS; i++) {
    // More than 50 firings within a second stop a trigger.
    if (i % 40 === 39) await delay(1000);
    void client.call('send', { id, input: `${i}\n` });
    let parsedMs = Number.NaN;
    for (;;) {
      const { value } = await reading.next();
      if (value?.event === 'bell') parsedMs = value.ts;
      if (value?.event !== 'published') continue;
      took.push(value.ts - parsedMs);
      break;
    }
  }
  events.close();
  for (const each of [id, beside.id]) await client.call('kill', { id: each });
  return [
    {
      name: `from the parse of a line to what a trigger publishes, 99th of 100, beside a flood, in ms`,
      value: percentile(took, 99),
      limit: 40,
      note: `median ${median(took).toFixed(1)} ms`,
    },
  ];
}

/** As an agent at work: a row that turns ten times a second, below text that stays. */
const SPINNER =
  "seq 1 18; while :; do for c in '|' / - '\\\\'; do printf '\\r%s Working (%s s, esc to interrupt)' \"$c\" \"$c\"; sleep 0.1; done; done";

async function spinnerFigures({ client }: BenchDaemon): Promise<Figure[]> {
  const runs: Record<'none' | 'generic', number[]> = { none: [], generic: [] };
  for (const rules of SPINS) runs[rules].push(await spin(client, rules));
  const [none, generic] = [median(runs.none), median(runs.generic)].map((share) => share * 100) as [number, number];
  return [
    {
      name: `rules on ${SPINNERS} screens with spinners, in % of a core`,
      value: generic - none,
      limit: 4,
      note: `the daemon takes ${generic.toFixed(1)} % with rules, ${none.toFixed(1)} % without`,
    },
  ];
}

/** @returns processor time of the daemon, as a share of a core */
async function spin(client: Client, rules: string): Promise<number> {
  const { pid } = await client.call('ping');
  const ids: string[] = [];
  for (let i = 0; i < SPINNERS; i++) {
    ids.push((await client.call('create', { cmd_args: ['sh', '-c', SPINNER], rules })).id);
  }
  await delay(SPUN_UP_MS);
  const start = performance.now();
  const before = cpuMs(pid);
  await delay(SPIN_MS);
  const share = (cpuMs(pid) - before) / (performance.now() - start);
  for (const id of ids) await client.call('kill', { id });
  return share;
}

/** Of all threads of a process, to the nanosecond: ticks of 10 ms miss most of what a short look takes. */
function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]);
  }
  return nanoseconds / 1e6;
}

/** Rules find 500 entries a second at most: the ring and the file are filled by their own functions. */
async function entryFigures({ dir }: BenchDaemon): Promise<Figure[]> {
  const log = new EntryLog();
  const file = new ActivityFile(`${dir}/entries.jsonl`, (message) => {
    throw new Error(message);
  });
  for (let i = 0; i < ENTRIES; i++) {
    const change = { op: 'upsert', entry: entryOf(i) } as const;
    file.append({ ...change, n: log.add(change) });
    if (i % 1000 === 999) await file.written();
  }
  await file.written();
  const fromRing: number[] = [];
  const fromFile: number[] = [];
  for (let i = 0; i < READS; i++) {
    let start = performance.now();
    if (log.read({ last: 100, max: 1000 }).entries.length !== 100) throw new Error('the ring has lost entries');
    fromRing.push(performance.now() - start);
    start = performance.now();
    const { changes } = await readTail(file.path, ENTRIES - 100, 50_000);
    fromFile.push(performance.now() - start);
    if (changes.length !== 100) throw new Error('the file has lost entries');
  }
  await file.close();
  const figure = (where: string, ms: readonly number[]): Figure => ({
    name: `the last 100 of ${ENTRIES} entries, from the ${where}, in ms`,
    value: median(ms),
    limit: 5,
    note: `at most ${Math.max(...ms).toFixed(2)} ms`,
  });
  return [figure('ring', fromRing), figure('file', fromFile)];
}

function entryOf(i: number): Entry {
  const data = { tool: 'cc', file: `src/part-${i}.c`, line: i, level: 'error', text: `part-${i}.c:${i}: error: no` };
  const place = { ts: 1_760_000_000_000 + i, rev: i, line: i, lines: 1 };
  return {
    id: `e${i}`,
    terminal: 't1',
    kind: 'diagnostic',
    rule: 'gcc',
    version: 1,
    open: false,
    confidence: 1,
    ...place,
    data,
  };
}
