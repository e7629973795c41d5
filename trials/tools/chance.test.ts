/** What `npm run trials -- chance` makes of runs; test/runs/ shows the runs themselves. */
import { expect, test } from 'vitest';
import { trial } from '../chance.js';
import { occurrences, slowestFiles } from '../chance/tally.js';
import { ROOT } from '../../test/support/consumer.js';
import type { FileReport, Run } from '../../test/support/runs/report.js';

const RUNS = [
  runOf([fileOf('a', 3, 'often', 'once', 'once')]),
  runOf([fileOf('a', 2), fileOf('b', 9)]),
  { ended: 'SIGSEGV', isOverBound: false, boundMs: 1000, seconds: 1 },
  runOf([fileOf('a', 1, 'often'), fileOf('b', 1)]),
];

test('a list counts the runs in which each test failed or vitest crashed, the most frequent first', () => {
  expect(occurrences(RUNS)).toEqual(['2 of 4  a: often', '1 of 4  a: once', '1 of 4  crash: vitest ended by SIGSEGV']);
  expect(occurrences([runOf([fileOf('a', 1)])])).toEqual([]);
});

test('the slowest files have their longest time of all runs', () => {
  expect(slowestFiles(RUNS, 1)).toEqual([{ file: 'b', seconds: 9 }]);
  expect(slowestFiles(RUNS, 9)).toEqual([
    { file: 'b', seconds: 9 },
    { file: 'a', seconds: 3 },
  ]);
});

test('a number of runs or busy cores that is none is refused', async () => {
  const options = { root: ROOT, runs: 1, busy: 0, files: '' };
  await expect(trial({ ...options, runs: 0 })).rejects.toThrow('--runs is 0: expected a whole number from 1.');
  await expect(trial({ ...options, busy: NaN })).rejects.toThrow('--busy is NaN: expected a whole number from 0.');
});

function runOf(files: readonly FileReport[]): Run {
  const hasFailed = files.some(({ tests }) => tests.length > 0);
  const report = { reason: hasFailed ? 'failed' : 'passed', files, unhandled: [] } as const;
  return { ended: hasFailed ? 1 : 0, isOverBound: false, boundMs: 1000, seconds: 1, report };
}

function fileOf(file: string, seconds: number, ...failed: readonly string[]): FileReport {
  return { file, isOver: true, seconds, tests: failed.map((title) => ({ title, state: 'failed' })) };
}
