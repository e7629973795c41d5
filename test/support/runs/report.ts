/** What one run of vitest did: its report, which reporter.ts writes, and how the process ended. */

/** Names the file of the report. */
export const REPORT_VARIABLE = 'T4A_TEST_REPORT';

export interface Run {
  /** Exit status of vitest, or the signal that ended it. */
  readonly ended: number | string;
  /** Whether it reached the bound of a run and was ended. */
  readonly isOverBound: boolean;
  readonly boundMs: number;
  readonly seconds: number;
  /** Absent if vitest ended before it wrote one. */
  readonly report?: RunReport;
}

export interface RunReport {
  readonly reason: 'passed' | 'failed' | 'interrupted';
  readonly files: readonly FileReport[];
  /** Messages of the errors that belong to no test. */
  readonly unhandled: readonly string[];
}

export interface FileReport {
  /** From the root of the project. */
  readonly file: string;
  readonly isOver: boolean;
  readonly seconds: number;
  /** Why none of its tests ran. */
  readonly loadError?: string;
  readonly tests: readonly TestReport[];
}

/** A test, or the `beforeAll` and `afterAll` of a suite or file. */
export interface TestReport {
  /** The names of its suites and its own. */
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** The message of the time limit that it reached. */
  readonly hang?: string;
}
