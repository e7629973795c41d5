/** What a run of all tests prints while it goes on. */
import { expect, it } from 'vitest';
import { introduction, progressLine } from './support/progress-reporter.js';

it('the first line has the time, and what is left out with the packages that have it', () => {
  expect(introduction(600, [])).toBe(
    '600 files, about 8 minutes on two idle cores. Every program that tests need is here.',
  );
  expect(introduction(30, ['vim', 'nc'])).toBe(
    '30 files, about 1 minute on two idle cores. Tests are left out that need vim, nc: netcat-openbsd vim have them.',
  );
});

it('a line of progress has the time, the files and the tests, and files that failed', () => {
  const progress = { seconds: 69.9, ended: 12, files: 600, tests: 300, failed: 0 };
  expect(progressLine(progress)).toBe('1:09  12 of 600 files, 300 tests passed');
  expect(progressLine({ ...progress, failed: 2 })).toBe('1:09  12 of 600 files, 300 tests passed, 2 files have failed');
});
