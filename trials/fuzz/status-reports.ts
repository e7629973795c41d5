/** Fuzzed reports of status (OSC 7501): torn anywhere they are the same reports, and the records equal a naive model of them. */
import { performance } from 'node:perf_hooks';
import {
  MAX_STATUS_BYTES,
  MAX_STATUS_RECORDS,
  STATUS_RECORD_BYTES,
  StatusRecords,
} from '../../src/events/status/records.js';
import { parseStatusReport, type StatusReport } from '../../src/events/status/report.js';
import { Screen } from '../../src/vt/screen.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';

const STATES = ['idle', 'working', 'done', 'blocked', 'error', 'clear', 'nope', ''];
const IDS = ['a', 'a/b', 'a/b/c', 'ab', '', '/', 'a//b', '1/2/3/4/5/6/7/8', '1/2/3/4/5/6/7/8/9', 'x'.repeat(33)];
const TEXTS = [
  '',
  'SGk',
  'SGk=',
  '%%%',
  'A',
  'x'.repeat(256),
  'QUJD'.repeat(683),
  'QUJD'.repeat(684),
  'woU=',
  '7aCA',
  '4oCu',
];
const OTHERS = [
  'junk',
  '=x',
  'FOO=1',
  'future=1',
  `${'k'.repeat(17)}=1`,
  'progress=101',
  'progress=40',
  ' progress = 7 ',
];
const TERMINATORS = ['\u0007', '\u001b\\'];
const MAX_RUN = 600;
const MAX_SETTLE_MS = 20_000;

export async function fuzzStatusReports(count: number, random: Random): Promise<Report> {
  const failures = new Failures();
  let [done, applied, slowestMs] = [0, 0, 0];
  while (done < count && !failures.full) {
    const bodies = Array.from({ length: Math.min(count - done, 1 + random.below(MAX_RUN)) }, () => body(random));
    done += bodies.length;
    const records = new StatusRecords();
    const model = new NaiveRecords();
    for (const [at, each] of bodies.entries()) {
      const start = performance.now();
      const report = parseStatusReport(each, 1);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      if (report === undefined) continue;
      applied++;
      records.apply(report, undefined, at);
      model.apply(report);
      if (!random.chance(0.01)) continue;
      records.end();
      model.end();
    }
    const [found, expected] = [shown(records), model.shown];
    if (found !== expected) failures.add(`records ${found} for ${expected} after ${JSON.stringify(bodies)}`);
    await compareTorn(bodies.slice(0, 20), random, failures);
  }
  const figures = [
    ['reports of status', done],
    ['of them with effect', applied],
    ['slowest report, ms', Number(slowestMs.toFixed(2))],
  ] as const;
  return { figures, failures: failures.list };
}

function body(random: Random): string {
  const pairs = [
    ...(random.chance(0.95) ? [`state=${random.pick(random.chance(0.1) ? STATES : STATES.slice(0, 5))}`] : []),
    ...(random.chance(0.6) ? [`id=${random.chance(0.5) ? random.pick(IDS) : `n${random.below(400)}`}`] : []),
    ...(random.chance(0.3) ? [`${random.pick(['msg', 'title'])}=${random.pick(TEXTS)}`] : []),
    ...(random.chance(0.2) ? [random.pick(OTHERS)] : []),
    ...(random.chance(0.1) ? [`state=${random.pick(STATES)}`] : []),
  ];
  return random.chance(0.02) ? '?:state=idle' : pairs.join(':');
}

/** All in one list, the oldest first: slow, and plain. */
class NaiveRecords {
  #list: StatusReport[] = [];

  apply(report: StatusReport): void {
    const { state, id } = report;
    const isBelow = (other: string): boolean => id === '' || other === id || other.startsWith(`${id}/`);
    this.#list = this.#list.filter(({ id: other }) => (state === 'clear' ? !isBelow(other) : other !== id));
    if (state === 'clear') return;
    this.#list = [...this.#list, report].slice(-MAX_STATUS_RECORDS);
    while (this.#bytes > MAX_STATUS_BYTES) {
      const oldest = this.#list.findIndex(({ msg }) => msg !== undefined);
      this.#list = this.#list.map((one, at) => (at === oldest ? { ...one, msg: undefined } : one));
    }
  }

  end(): void {
    this.#list = this.#list.filter(({ state }) => state === 'done' || state === 'error');
  }

  get shown(): string {
    return this.#list.map(line).join(' ');
  }

  get #bytes(): number {
    const sizes = this.#list.map(({ title = '', msg = '' }) => Buffer.byteLength(title) + Buffer.byteLength(msg));
    return sizes.reduce((sum, size) => sum + size + STATUS_RECORD_BYTES, 0);
  }
}

function shown(records: StatusRecords): string {
  return records.all().map(line).join(' ');
}

function line({ id, state, msg }: Pick<StatusReport, 'id' | 'msg'> & { readonly state: string }): string {
  return `${id}:${state}:${msg?.length ?? '-'}`;
}

/** Written in pieces of any length, they reach those who read them as when they are written at once. */
async function compareTorn(bodies: readonly string[], random: Random, failures: Failures): Promise<void> {
  const output = Buffer.from(bodies.map((each) => `text\u001b]7501;${each}${random.pick(TERMINATORS)}`).join(''));
  const pieces: Buffer[] = [];
  for (let from = 0; from < output.length;) {
    const to = Math.min(output.length, from + 1 + random.below(random.chance(0.5) ? 3 : 300));
    pieces.push(output.subarray(from, to));
    from = to;
  }
  const [whole, torn] = [await reportsIn([output]), await reportsIn(pieces)];
  if (whole !== torn) failures.add(`torn: ${torn} for ${whole} of ${JSON.stringify(bodies)}`);
}

async function reportsIn(pieces: readonly Uint8Array[]): Promise<string> {
  const colors = {
    foreground: 0xffffff,
    background: 0,
    cursor: 0xffffff,
    palette: Array.from({ length: 256 }, () => 0),
  };
  const screen = new Screen({ cols: 80, rows: 24, scrollback: 0, colors, version: '0.0.0' });
  const found: string[] = [];
  screen.onEffect.on((effect) => {
    if (effect.kind !== 'osc') return;
    const { data, terminatorBytes = 1 } = effect.message;
    found.push(JSON.stringify(parseStatusReport(data, terminatorBytes) ?? null));
  });
  for (const piece of pieces) screen.write(piece);
  if (!(await screen.settle(MAX_SETTLE_MS))) found.push('not parsed');
  screen.dispose();
  return found.join('\n');
}
