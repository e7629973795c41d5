/**
 * What it costs that a daemon is replaced: for how long none answers, what stays of the old one, and what carried terminals cost that do
 * nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type BenchDaemon, startBenchDaemon } from './support/bench-daemon.js';
import type { BenchContext, Figure } from './support/figure.js';

const LINES = 10_000;
const FULL = [1, 10, 50, 200];
const WITHOUT_SCROLLBACK = 200;
const MANY = 500;
const WITHIN_MS = 60_000;
const CHAIN = 5;
const SETTLE_MS = 2000;
const CONNECTS = 10_000;
/** At once. */
const CALLERS = 16;
/** Carried programs whose ends are timed. */
const ENDS = 20;

/** Of `USER_HZ`, on all systems of this day. */
const TICKS_A_SECOND = 100;
const IDLE_MS = 10_000;
/** New terminals look more often at first, and the engine compiles. */
const REST_MS = 15_000;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of FULL) {
    const { pauseMs, bytes, leftKib } = await replaced(root, count, LINES);
    const what = `${count} terminals of ${LINES} lines x 120`;
    figures.push({ name: `pause of a replacement, ${what}`, value: pauseMs, unit: 'ms', note: `${mib(bytes)} MiB` });
    figures.push({ name: `what waits for their programs (PSS), ${what}`, value: leftKib / 1024, unit: 'MiB' });
  }
  const many = await replaced(root, WITHOUT_SCROLLBACK, 0);
  const what = `${WITHOUT_SCROLLBACK} terminals without scrollback`;
  figures.push({
    name: `pause of a replacement, ${what}`,
    value: many.pauseMs,
    unit: 'ms',
    note: `${mib(many.bytes)} MiB`,
  });
  const most = await replaced(root, MANY, 0);
  figures.push({
    name: `pause of a replacement, ${MANY} terminals without scrollback`,
    value: most.pauseMs,
    unit: 'ms',
    note: `${mib(most.bytes)} MiB`,
  });
  const { replacements, unanswered } = await called(root);
  figures.push({
    name: `connects of ${CONNECTS} over ${replacements} replacements that were not answered`,
    value: unanswered,
    unit: '',
  });
  figures.push({
    name: `longest time until the end of a carried program is reported, of ${ENDS}`,
    value: await toldWithin(root),
    unit: 'ms',
  });
  const { processes, pssKib } = await chained(root);
  figures.push({
    name: `processes that stay of ${CHAIN} replaced daemons with a program each`,
    value: processes,
    unit: '',
  });
  figures.push({ name: 'memory of all of them (PSS)', value: pssKib / 1024, unit: 'MiB' });
  figures.push({ name: `share of a core, carried and idle, ${what}`, value: many.share * 100, unit: '%' });
  return figures;
}

interface Measured {
  readonly pauseMs: number;
  readonly bytes: number;
  readonly leftKib: number;
  /** Of one core. */
  readonly share: number;
}

async function replaced(root: string, count: number, lines: number): Promise<Measured> {
  const daemon = await startBenchDaemon(root);
  try {
    await filled(daemon, count, lines);
    const {
      from,
      to,
      pause_ms: pauseMs,
      state_bytes: bytes,
    } = await daemon.client.call('replace', {
      within_ms: WITHIN_MS,
    });
    await daemon.client.call('list', {});
    // What the old one has dropped is collected, and what runs in the new one first has run.
    await delay(SETTLE_MS);
    if (lines === 0) await delay(REST_MS);
    const before = ticksOf(to.pid);
    if (lines === 0) await delay(IDLE_MS);
    const share = (ticksOf(to.pid) - before) / TICKS_A_SECOND / (IDLE_MS / 1000);
    return { pauseMs, bytes, leftKib: pssOf(from.pid), share };
  } finally {
    await daemon.stop();
  }
}

/** Each connection asks once, while one daemon follows the other. */
async function called(root: string): Promise<{ readonly replacements: number; readonly unanswered: number }> {
  const daemon = await startBenchDaemon(root);
  try {
    await filled(daemon, 1, 0);
    let left = CONNECTS;
    let unanswered = 0;
    let replacements = 0;
    const caller = async (): Promise<void> => {
      while (left-- > 0) if (!(await isAnswered(daemon.socketPath))) unanswered++;
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    for (; left > 0; replacements++) await daemon.client.call('replace', { within_ms: WITHIN_MS });
    await callers;
    return { replacements, unanswered };
  } finally {
    await daemon.stop();
  }
}

/** A bare connection: a client of ours would come again. The error `replaced` is an answer: it came between, and acted not. */
async function isAnswered(socketPath: string): Promise<boolean> {
  const socket = createConnection(socketPath);
  try {
    socket.write('{"cmd":"ping"}\n');
    for await (const bytes of socket) if (String(bytes).includes('"ok":')) return true;
    return false;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** From the key that ends a program to the event of its end. */
async function toldWithin(root: string): Promise<number> {
  const daemon = await startBenchDaemon(root);
  try {
    const { client } = daemon;
    const made = Array.from({ length: ENDS }, () => client.call('create', { cmd_args: ['head', '-n1'] }));
    const ids = (await Promise.all(made)).map(({ id }) => id);
    await client.call('replace', { within_ms: WITHIN_MS });
    let longest = 0;
    for (const id of ids) {
      const began = performance.now();
      await client.call('send', { id, input: '\n', wait: { until: { exit: true } } });
      longest = Math.max(longest, performance.now() - began);
    }
    return longest;
  } finally {
    await daemon.stop();
  }
}

/** Daemons that follow each other, each with one program that lives. */
async function chained(root: string): Promise<{ readonly processes: number; readonly pssKib: number }> {
  const daemon = await startBenchDaemon(root);
  try {
    const before: number[] = [];
    for (let count = 0; count < CHAIN; count++) {
      await daemon.client.call('create', { cmd_args: ['cat'] });
      before.push((await daemon.client.call('replace', { within_ms: WITHIN_MS })).from.pid);
    }
    await delay(SETTLE_MS);
    const left = before.filter((pid) => existsSync(`/proc/${pid}/smaps_rollup`));
    return { processes: left.length, pssKib: left.reduce((sum, pid) => sum + pssOf(pid), 0) };
  } finally {
    await daemon.stop();
  }
}

async function filled({ client }: BenchDaemon, count: number, lines: number): Promise<void> {
  // As wide as the line, and a little of each colour.
  const text = lines === 0 ? '' : `seq -f "%0110g $(printf '\\033[32m')red$(printf '\\033[0m')" 1 ${lines + 24};`;
  for (let at = 0; at < count; at++) {
    const { id } = await client.call('create', {
      cmd_args: ['sh', '-c', `${text} echo full; exec cat`],
      cols: 120,
      scrollback: lines,
    });
    await client.call('wait', { id, until: { text: 'full' }, timeout_ms: 60_000 });
  }
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user + system;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
