/**
 * `npm run trials -- chance [--runs 2] [--busy 0] [--files PATTERN]`: runs all tests several times, and lists which failed and how
 * often. The output of runs with failures is kept, in the file that their line names.
 */
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Run } from '../test/support/runs/report.js';
import { abortedBySignals, runVitest } from '../test/support/runs/run-vitest.js';
import { occurrences, slowestFiles, whatFailed } from './chance/tally.js';
import { startBusyLoops } from './support/busy-loops.js';
import type { Report } from './support/report.js';

/** `busy`: cores kept busy beside it; `files`: parts of file names, with spaces between them, '' for all tests. */
export const FLAGS = { runs: 2, busy: 0, files: '' };

type Options = typeof FLAGS & { readonly root: string };

/** Of one run, for tests that compete with busy loops. */
const BOUND_MS = 3_600_000;
const SLOWEST = 10;

export async function trial(options: Options): Promise<Report> {
  for (const [flag, least] of [
    ['runs', 1],
    ['busy', 0],
  ] as const) {
    const value = options[flag];
    if (!Number.isInteger(value) || value < least) {
      throw new Error(`--${flag} is ${value}: expected a whole number from ${least}.`);
    }
  }
  const signal = abortedBySignals();
  const busyLoops = startBusyLoops(options.busy);
  const runs: Run[] = [];
  try {
    await runAll(options, signal, runs);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    busyLoops.stop();
  }
  const figures = [
    ...runs.map(({ seconds }, at): [string, string] => [`run ${at + 1}`, `${seconds.toFixed(0)} s`]),
    ...slowestFiles(runs, SLOWEST).map(({ file, seconds }): [string, string] => [file, `${seconds.toFixed(1)} s`]),
  ];
  const ended = signal.aborted
    ? [`${String(signal.reason)} ended the trial after ${runs.length} of ${options.runs} runs`]
    : [];
  return { figures, failures: [...occurrences(runs), ...ended] };
}

/** Adds each run to the list when it is over. */
async function runAll({ root, runs: count, files }: Options, signal: AbortSignal, runs: Run[]): Promise<void> {
  const place = mkdtempSync(path.join(tmpdir(), 't4a-chance-'));
  const args = files.split(' ').filter((each) => each !== '');
  let isKept = false;
  try {
    for (let number = 1; number <= count; number++) {
      const log = path.join(place, `run-${number}.log`);
      const output = openSync(log, 'w');
      let failed: string[] | undefined;
      try {
        const run = await runVitest({ root, project: root, args, boundMs: BOUND_MS, signal, output });
        runs.push(run);
        failed = whatFailed(run);
        const summary = failed.length === 0 ? 'all passed' : `${failed.length} failed: ${log}`;
        console.log(`run ${number} of ${count}: ${run.seconds.toFixed(0)} s, ${summary}`);
      } finally {
        closeSync(output);
        if (failed === undefined || failed.length === 0) rmSync(log);
        else isKept = true;
      }
    }
  } finally {
    if (!isKept) rmdirSync(place);
  }
}
