/** The tests that drive programs: those that ask test/support/programs.ts for one, directly or through what they import. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHECKOUT } from './checkout.js';
import type { System } from './system.js';

const ASKED = 'test/support/programs.ts';
const RESULTS = 'var/tmp/t4a-trial-results.json';
/** They take some five minutes; each test that hangs takes two. */
const MOST_SECONDS = 2400;

export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly leftOut: number;
  /** The names of those that failed, and the files that could not be run. */
  readonly failures: readonly string[];
}

/** Paths from the root of the checkout. */
export function drivingTests(root: string): string[] {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join('test', name));
  const imports = new Map(files.map((file) => [file, importsOf(root, file)]));
  const driving = new Set([ASKED]);
  for (let size = 0; size !== driving.size;) {
    size = driving.size;
    for (const [file, imported] of imports) if (imported.some((each) => driving.has(each))) driving.add(file);
  }
  return [...driving].filter((file) => file.endsWith('.test.ts')).toSorted();
}

/** What the tests print while they run, in the system. */
export const TESTS_LOG = 'var/tmp/t4a-trial-tests.log';

/** Runs them as the ordinary user. What is absent is left out, by name. @throws Error where they do not come to an end */
export async function runTests(system: System, files: readonly string[]): Promise<TestResult> {
  await system.run(`rm -f /${RESULTS} /${TESTS_LOG}`);
  const vitest = `T4A_TEST_TRIAL=1 node_modules/.bin/vitest run --configLoader=runner --reporter=verbose --reporter=json --outputFile.json=/${RESULTS}`;
  const command = `cd ${CHECKOUT} && timeout ${MOST_SECONDS} env ${vitest} ${files.join(' ')} >/${TESTS_LOG} 2>&1`;
  const { status } = await system.tryAsUser(command);
  const results = system.path(RESULTS);
  if (existsSync(results)) return resultOf(readFileSync(results, 'utf8'));
  throw new Error(
    `the tests ended with ${status} and without results: ${system.path(TESTS_LOG)} has what they printed`,
  );
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export function resultOf(json: string): TestResult {
  const report = JSON.parse(json) as Report;
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed').map(({ fullName }) => fullName);
    const file = name.slice(name.indexOf('/test/') + 1);
    if (failed.length === 0 && status === 'failed') return [`${file}: ${message.slice(0, 300)}`];
    return failed.map((fullName) => `${file}: ${fullName}`);
  });
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: leftOut } = report;
  return { passed, failed, leftOut, failures };
}

/** Of the checkout's own modules alone. */
function importsOf(root: string, file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return [...source.matchAll(/\bfrom '(\.{1,2}\/[^']+)\.js'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), `${name}.ts`),
  );
}
