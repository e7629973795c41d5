/**
 * What the suite has of a table of cases, and a trial has whole: trials/of-suite.mjs names the files of the tests, and
 * vitest.trials.config.ts sets the variable.
 */

const isTrial = (process.env['T4A_TEST_TRIAL'] ?? '') !== '';

/** Rows for `each`. @throws Error if the suite would have none */
export function casesOf<T>(all: readonly T[], isInSuite: (each: T) => boolean): T[] {
  const chosen = all.filter(isInSuite);
  if (chosen.length === 0) throw new Error('The suite has none of these cases.');
  return isTrial ? [...all] : chosen;
}

/** Tests of trials alone. */
export function inTrial(tests: () => void): void {
  if (isTrial) tests();
}

/** Tests that a trial has in another place, for more cases. */
export function inSuite(tests: () => void): void {
  if (!isTrial) tests();
}

/** Runs of a property, or its parameters. */
export function runsOf<T = number>({ suite, trial }: { readonly suite: T; readonly trial: T }): T {
  return isTrial ? trial : suite;
}

/** Seed of what is drawn: the same in every run of the suite, another in each of a trial. */
export function seedOfRun(): number {
  return runsOf({ suite: 1, trial: Date.now() % 2 ** 31 });
}
