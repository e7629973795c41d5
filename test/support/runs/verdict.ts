/** What follows from runs of tests. Nothing here runs any. */
import type { FileReport, Run } from './report.js';

/** More than so many files that fail at once are no chance: one in a hundred of them. */
const MAX_UNSTABLE_FILES = 8;

export interface FailedFile {
  readonly file: string;
  readonly titles: readonly string[];
}

export interface FirstVerdict {
  /** Why the check fails, one line each. */
  readonly problems: readonly string[];
  /** Files to run once more; none if there are problems. */
  readonly again: readonly FailedFile[];
}

export function firstVerdict(run: Run): FirstVerdict {
  const problems = breakdowns(run);
  const again = failedFiles(run);
  if (again.length > MAX_UNSTABLE_FILES) {
    const names = again.map(({ file }) => file).join(', ');
    problems.push(`more than ${MAX_UNSTABLE_FILES} files failed, so none is run again: ${names}`);
  }
  return { problems, again: problems.length === 0 ? again : [] };
}

export interface SecondVerdict {
  readonly problems: readonly string[];
  /** Tests that failed and then passed. */
  readonly unstable: readonly string[];
}

/** @param run of that file alone */
export function secondVerdict({ file, titles }: FailedFile, run: Run): SecondVerdict {
  const problems = breakdowns(run);
  // After a crash, absent tests say nothing more.
  const isComplete = problems.length === 0;
  const unstable: string[] = [];
  const tests = run.report?.files.find((each) => each.file === file)?.tests ?? [];
  for (const title of titles) {
    const states = tests.filter((test) => test.title === title).map(({ state }) => state);
    if (states.length > 0 && states.every((state) => state === 'passed')) unstable.push(`${file}: ${title}`);
    else if (!states.includes('failed') && isComplete) {
      problems.push(`failed, and did not run again: ${file}: ${title}`);
    }
  }
  for (const failed of failedFiles(run)) {
    for (const title of failed.titles) {
      const isSame = failed.file === file && titles.includes(title);
      problems.push(`${isSame ? 'failed again' : 'failed only in the second run'}: ${failed.file}: ${title}`);
    }
  }
  return { problems, unstable };
}

/** Crashes, hangs and unhandled errors, one line each: a second run excuses none of them. */
export function breakdowns(run: Run): string[] {
  const { ended, isOverBound, boundMs, report } = run;
  if (isOverBound) return [`hang: the run took more than ${boundMs / 1000} s and was ended`];
  if (typeof ended === 'string') return [`crash: vitest ended by ${ended}`];
  if (report === undefined) return [`crash: vitest ended with status ${ended} and without a report`];
  const problems = report.unhandled.map((message) => unhandled(message, report.files));
  for (const { file, loadError, tests } of report.files) {
    if (loadError !== undefined) problems.push(`crash: ${file} could not be loaded: ${loadError}`);
    for (const { title, hang } of tests) if (hang !== undefined) problems.push(`hang: ${file}: ${title}: ${hang}`);
  }
  if (report.reason === 'interrupted') problems.push('crash: vitest was interrupted');
  if (problems.length > 0) return problems;
  const hasFailed = failedFiles(run).length > 0;
  if (hasFailed !== (ended !== 0)) {
    problems.push(`crash: vitest ended with status ${ended} and ${hasFailed ? 'with' : 'without'} a failed test`);
  }
  return problems;
}

/** Files with failed tests, other than those that hung. */
export function failedFiles({ report }: Run): FailedFile[] {
  return (report?.files ?? []).flatMap(({ file, tests }) => {
    const failed = tests.filter(({ state, hang }) => state === 'failed' && hang === undefined);
    return failed.length === 0 ? [] : [{ file, titles: [...new Set(failed.map(({ title }) => title))] }];
  });
}

function unhandled(message: string, files: readonly FileReport[]): string {
  if (!/^\[vitest-pool|Worker exited unexpectedly/.test(message)) return `unhandled error: ${message}`;
  const open = files.filter(({ isOver }) => !isOver).map(({ file }) => file);
  return `crash: ${message}${open.length === 0 ? '' : ` in ${open.join(' or ')}`}`;
}
