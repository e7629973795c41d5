/**
 * Programs that tests drive. Where one is absent, its tests are left out by name, and the run ends with a table of them
 * (left-out-reporter.ts). T4A_TEST_ALL=1, which .ci/run sets, makes absence a failure: it installs them all.
 * Not listed: /bin/sh, coreutils, grep and sed, which every system has.
 */
import { beforeEach, it, TestRunner } from 'vitest';
import { findProgram } from './find-program.js';
import { ABSENT, NOT_HERE, packagesOf } from './left-out.js';

export { findProgram };

export const mustTestAll = (process.env['T4A_TEST_ALL'] ?? '') !== '';

/** `it`, for tests that need these programs on the PATH. */
export function itNeeds(...programs: readonly string[]): typeof it {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  return missing.length === 0 ? it : itSkips(({ skip }) => leaveOut(skip, missing));
}

/** All tests of the describe block, or of the file, that calls this first need these programs. */
export function needs(...programs: readonly string[]): void {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) beforeEach(({ skip }) => leaveOut(skip, missing));
}

/** `it`, for tests that this user or machine cannot make at all, such as those for root. */
export function itCannot(lacking: string): typeof it {
  return itSkips(({ skip }) => skip(NOT_HERE + lacking));
}

/**
 * Absolute path of a program on the PATH. Leaves the running test out where there is none; tests that run concurrently
 * need `itNeeds`, since only the last one that started is known.
 * @throws Error that names what to install, outside of tests and under T4A_TEST_ALL
 */
export function requireProgram(name: string): string {
  const file = findProgram(name);
  if (file !== undefined) return file;
  const running = TestRunner.getCurrentTest();
  if (running === undefined) throw new Error(installationOf([name]));
  return leaveOut(running.context.skip, [name]);
}

type Skip = (note: string) => never;

function itSkips(leftOut: (context: { skip: Skip }) => never): typeof it {
  // Vitest reads from the pattern of the first argument what a fixture needs.
  const fixture = async ({ skip }: { skip: Skip }): Promise<void> => leftOut({ skip });
  return it.extend<{ leftOut: void }>({ leftOut: [fixture, { auto: true }] });
}

function leaveOut(skip: Skip, programs: readonly string[]): never {
  if (mustTestAll) throw new Error(installationOf(programs));
  return skip(ABSENT + programs.join(', '));
}

function installationOf(programs: readonly string[]): string {
  return `this test needs ${programs.join(', ')}: apt-get install ${packagesOf(programs).join(' ')}`;
}
