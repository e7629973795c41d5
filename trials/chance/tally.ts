/** What several runs of the same tests have in common, and what only some of them have. */
import type { Run } from '../../test/support/runs/report.js';
import { breakdowns, failedFiles } from '../../test/support/runs/verdict.js';

/** Crashes, hangs, unhandled errors and failed tests of one run, one line each. */
export function whatFailed(run: Run): string[] {
  const tests = failedFiles(run).flatMap(({ file, titles }) => titles.map((title) => `${file}: ${title}`));
  return [...breakdowns(run), ...tests];
}

/** `2 of 3  test/x.test.ts: title`, the most frequent first. */
export function occurrences(runs: readonly Run[]): string[] {
  const counts = new Map<string, number>();
  for (const line of runs.flatMap((run) => [...new Set(whatFailed(run))]))
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([line, count]) => `${count} of ${runs.length}  ${line}`);
}

/** Each with the longest time that it took, the slowest first. */
export function slowestFiles(runs: readonly Run[], count: number): { file: string; seconds: number }[] {
  const longest = new Map<string, number>();
  for (const { file, seconds } of runs.flatMap(({ report }) => report?.files ?? [])) {
    longest.set(file, Math.max(seconds, longest.get(file) ?? 0));
  }
  const slowest = [...longest].toSorted(([, a], [, b]) => b - a).slice(0, count);
  return slowest.map(([file, seconds]) => ({ file, seconds }));
}
