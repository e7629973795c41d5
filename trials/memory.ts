/**
 * `npm run memory`: every kind of costly output, alone and twenty at once, under a limit of 512 MB. The daemon must stay
 * below its limit, answer a neighbour, log no fault, and hold no more than at the start once the floods are gone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../src/client/index.js';
import { FLOOD_KINDS, floodBlock } from './memory/flood-kinds.js';
import { Failures, type Report } from './support/report.js';
import { TrialDaemon } from './support/trial-daemon.js';

/** With their defaults. `ms`: how long each kind floods. `cols` and `rows`: of the flooding terminals. */
export const FLAGS = { limit: 512_000_000, ms: 4000, atOnce: 20, cols: 200, rows: 50, seed: 0 };

const NEIGHBOUR = 'neighbour';
/** What every kind goes on for, however slow the machine. */
const MIN_LOOKS = 20;

type Options = typeof FLAGS & { readonly root: string };

export async function trial(options: Options): Promise<Report> {
  return floodWith(FLOOD_KINDS, options);
}

export async function floodWith(kinds: readonly string[], options: Options): Promise<Report> {
  const failures = new Failures();
  const figures: [string, string][] = [];
  for (const count of [1, options.atOnce]) {
    for (const kind of kinds) {
      const { highest, steps, textMs, parsed } = await flood(kind, count, options, failures);
      figures.push([
        `${kind}${count === 1 ? '' : `, ${count} at once`}`,
        `${mega(highest)} MB at most, ${steps}; ${mega(parsed)} MB parsed, text p50 ${share(textMs, 0.5)} p99 ${share(textMs, 0.99)} ms`,
      ]);
    }
  }
  return { figures, failures: failures.list };
}

interface Outcome {
  readonly highest: number;
  readonly steps: string;
  readonly textMs: readonly number[];
  readonly parsed: number;
}

async function flood(kind: string, count: number, options: Options, failures: Failures): Promise<Outcome> {
  const daemon = await TrialDaemon.start(options.root);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const name = `${kind}, ${count} at once`;
  const textMs: number[] = [];
  try {
    const block = path.join(daemon.dir, 'block');
    writeFileSync(block, floodBlock(kind));
    await client.call('config', { max_memory_bytes: options.limit });
    await client.call('create', { name: NEIGHBOUR, cmd_args: ['cat'] });
    const cmd = ['sh', '-c', `stty raw -echo; while cat ${block}; do :; done`];
    for (let i = 0; i < count; i++) {
      await client.call('create', { cmd_args: cmd, cols: options.cols, rows: options.rows });
    }
    const endMs = performance.now() + options.ms;
    while ((performance.now() < endMs || textMs.length < MIN_LOOKS) && !daemon.over) await look(client, textMs);
    const { memory, output, faults } = await client.call('stats', {});
    const highest = highestResident(daemon);
    if (highest >= options.limit) failures.add(`${name}: ${mega(highest)} MB, beyond the limit`);
    if (faults > 0) failures.add(`${name}: ${/.* error .*/.exec(daemon.log)?.[0] ?? 'a fault'}`);
    const steps = `${memory.state}, ${memory.scrollback_lines_dropped} lines dropped, ${memory.terminals_paused} pauses, ${memory.terminals_removed} removed`;
    return { highest, steps, textMs, parsed: output.parsed_bytes };
  } catch (error) {
    failures.add(`${name}: ${String(error)}; the log ends with ${daemon.log.slice(-300)}`);
    return { highest: Number.NaN, steps: 'cut short', textMs, parsed: 0 };
  } finally {
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
}

async function look(client: Client, textMs: number[]): Promise<void> {
  const start = performance.now();
  await client.call('text', { id: NEIGHBOUR });
  textMs.push(performance.now() - start);
  await new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}

/** As the kernel has seen it, so between two looks as well. */
function highestResident({ process: { pid } }: TrialDaemon): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function share(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0);
}

function mega(bytes: number): number {
  return Math.round(bytes / 1e6);
}
