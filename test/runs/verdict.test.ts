/** What follows from the reports of runs: which fail at once, which files run again, and what a second run excuses. */
import { describe, expect, test } from 'vitest';
import type { FileReport, Run, RunReport, TestReport } from '../support/runs/report.js';
import { breakdowns, firstVerdict, secondVerdict } from '../support/runs/verdict.js';

describe('a first run', () => {
  test('passes without anything to run again', () => {
    expect(firstVerdict(runOf([fileOf('a', passed('x'))]))).toEqual({ problems: [], again: [] });
  });

  test('has up to eight failed files run again', () => {
    const files = 'abcdefgh'.split('').map((name) => fileOf(name, failed('x'), passed('y'), failed('x')));
    const again = 'abcdefgh'.split('').map((file) => ({ file, titles: ['x'] }));
    expect(firstVerdict(runOf(files))).toEqual({ problems: [], again });
  });

  test('fails with more than eight failed files', () => {
    const files = 'abcdefghi'.split('').map((name) => fileOf(name, failed('x')));
    expect(firstVerdict(runOf(files))).toEqual({
      problems: ['more than 8 files failed, so none is run again: a, b, c, d, e, f, g, h, i'],
      again: [],
    });
  });

  test('is not followed by another if it broke down', () => {
    const files = [fileOf('a', failed('x')), fileOf('b', hung('y'))];
    expect(firstVerdict(runOf(files))).toEqual({ problems: ['hang: b: y: Test timed out in 9ms.'], again: [] });
  });
});

describe('a breakdown', () => {
  const failure = [fileOf('a', failed('x'))];

  test.each<[string, Partial<Run>, string]>([
    [
      'a run over its bound',
      { isOverBound: true, ended: 'SIGTERM' },
      'hang: the run took more than 60 s and was ended',
    ],
    ['a signal', { ended: 'SIGKILL' }, 'crash: vitest ended by SIGKILL'],
    ['a status without failed tests', { ended: 1 }, 'crash: vitest ended with status 1 and without a failed test'],
    [
      'failed tests without a status',
      { ended: 0, report: reportOf({ files: failure }) },
      'crash: vitest ended with status 0 and with a failed test',
    ],
    ['an interruption', { ended: 1, report: reportOf({ reason: 'interrupted' }) }, 'crash: vitest was interrupted'],
    [
      'an unhandled error beside a failed test',
      { ended: 1, report: reportOf({ files: failure, unhandled: ['oh'] }) },
      'unhandled error: oh',
    ],
    [
      'the death of a worker',
      {
        ended: 1,
        report: reportOf({ files: [{ ...fileOf('b'), isOver: false }], unhandled: ['Worker exited unexpectedly'] }),
      },
      'crash: Worker exited unexpectedly in b',
    ],
    [
      'a file that cannot be loaded',
      { ended: 1, report: reportOf({ files: [{ ...fileOf('b'), loadError: 'no module' }, ...failure] }) },
      'crash: b could not be loaded: no module',
    ],
  ])('is %s', (_, run, line) => {
    expect(breakdowns({ ...runOf([]), ...run })).toEqual([line]);
  });

  test('is an end without a report', () => {
    const { report: _, ...run } = runOf([]);
    expect(breakdowns({ ...run, ended: 1 })).toEqual(['crash: vitest ended with status 1 and without a report']);
  });

  test('is not a failed test', () => {
    expect(breakdowns(runOf(failure))).toEqual([]);
  });
});

describe('a second run', () => {
  const before = { file: 'a', titles: ['x'] };

  test('excuses a test that passes then', () => {
    const run = runOf([fileOf('a', passed('x'), skipped('y'))]);
    expect(secondVerdict(before, run)).toEqual({ problems: [], unstable: ['a: x'] });
  });

  test.each<[string, readonly TestReport[], string]>([
    ['fails again', [failed('x')], 'failed again: a: x'],
    ['is skipped', [skipped('x')], 'failed, and did not run again: a: x'],
    ['is skipped under one of its two occurrences', [passed('x'), skipped('x')], 'failed, and did not run again: a: x'],
    ['is gone', [passed('y')], 'failed, and did not run again: a: x'],
  ])('does not excuse a test that %s', (_, tests, line) => {
    expect(secondVerdict(before, runOf([fileOf('a', ...tests)]))).toEqual({ problems: [line], unstable: [] });
  });

  test('fails with a test that fails only then', () => {
    const { problems } = secondVerdict(before, runOf([fileOf('a', passed('x'), failed('y'))]));
    expect(problems).toEqual(['failed only in the second run: a: y']);
  });

  test('fails with a breakdown', () => {
    const { report: _, ...run } = runOf([]);
    expect(secondVerdict(before, { ...run, ended: 'SIGSEGV' }).problems).toEqual(['crash: vitest ended by SIGSEGV']);
    const hangs = runOf([fileOf('a', hung('x'))]);
    expect(secondVerdict(before, hangs).problems).toEqual(['hang: a: x: Test timed out in 9ms.']);
  });
});

function runOf(files: readonly FileReport[]): Run {
  const hasFailed = files.some(({ tests }) => tests.some(({ state }) => state === 'failed'));
  return { ended: hasFailed ? 1 : 0, isOverBound: false, boundMs: 60_000, seconds: 1, report: reportOf({ files }) };
}

function reportOf(report: Partial<RunReport>): RunReport {
  return { reason: 'passed', files: [], unhandled: [], ...report };
}

function fileOf(file: string, ...tests: readonly TestReport[]): FileReport {
  return { file, isOver: true, seconds: 1, tests };
}

function passed(title: string): TestReport {
  return { title, state: 'passed' };
}

function failed(title: string): TestReport {
  return { title, state: 'failed' };
}

function hung(title: string): TestReport {
  return { title, state: 'failed', hang: 'Test timed out in 9ms.' };
}

function skipped(title: string): TestReport {
  return { title, state: 'skipped' };
}
