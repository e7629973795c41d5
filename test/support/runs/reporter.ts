/** Writes what a run did as JSON into the file that T4A_TEST_REPORT names; without that, writes nothing. */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSuite } from 'vitest/node';
import { REPORT_VARIABLE, type FileReport, type RunReport, type TestReport } from './report.js';

/** vitest has no other mark of a test or hook that reached its time limit, whatever that is. */
const TIMED_OUT = /^(?:Test|Hook) timed out in \d+ms\./;

export default class RunReporter implements Reporter {
  readonly #file = process.env[REPORT_VARIABLE];

  constructor() {
    // Tests that start vitest themselves must not write there.
    delete process.env[REPORT_VARIABLE];
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    if (this.#file === undefined) return;
    const report: RunReport = { reason, files: modules.map(fileReport), unhandled: errors.map(messageOf) };
    writeFileSync(this.#file, JSON.stringify(report));
  }
}

function fileReport(module: TestModule): FileReport {
  const state = module.state();
  const tests = [...module.children.allTests()].map(testReport);
  const hooks = [...module.children.allSuites()].map((suite) => hooksReport(suite, suite.fullName));
  if (tests.length > 0) hooks.push(hooksReport(module, 'the file'));
  const all = [...tests, ...hooks];
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const isUnexplained = state === 'failed' && !all.some((each) => each.state === 'failed');
  return {
    file: module.relativeModuleId,
    isOver: state !== 'queued' && state !== 'pending',
    seconds: (duration + collectDuration + setupDuration) / 1000,
    ...(isUnexplained ? { loadError: messageOf(module.errors()[0]) } : {}),
    tests: all,
  };
}

function testReport(test: TestCase): TestReport {
  const { state, errors = [] } = test.result();
  return { title: test.fullName, state, ...hangOf(errors) };
}

function hooksReport(suite: TestSuite | TestModule, name: string): TestReport {
  const errors = suite.errors();
  const state = suite.state();
  const isSkipped = state === 'skipped' || state === 'queued' || state === 'pending';
  return {
    title: `hooks of ${name}`,
    state: errors.length > 0 ? 'failed' : isSkipped ? 'skipped' : 'passed',
    ...hangOf(errors),
  };
}

function hangOf(errors: readonly SerializedError[]): { hang?: string } {
  const hang = errors.find(({ message }) => TIMED_OUT.test(message));
  return hang === undefined ? {} : { hang: firstLine(hang.message) };
}

/** With its cause: of a worker's death, only the cause says that it is one. */
function messageOf(error: SerializedError | undefined): string {
  if (error === undefined) return 'vitest gives no reason';
  const cause = error['cause'] as { readonly message?: unknown } | undefined;
  return [error.message, cause?.message]
    .filter((each) => typeof each === 'string')
    .map(firstLine)
    .join(' ');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
