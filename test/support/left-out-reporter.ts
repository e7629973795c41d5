/** Ends a run with the table of what was left out. Listed last, so that the table comes after the summary. */
import { existsSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { leftOutTable } from './left-out.js';

export default class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const table = leftOutTable(skipped.map(noteOf), existsSync('/etc/debian_version'));
    if (table !== '') process.stdout.write(`\n${table}\n\n`);
  }
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' ? (result.note ?? '') : '';
}
