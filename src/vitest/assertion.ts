/** Parts that a matcher has of its assertion: the running test, its time, and the verdict. */
import type { Terminal } from '../client/index.js';
import { keepFailure } from './failure-files.js';

/** Vitest's own patience for what is to become true. */
const DEFAULT_TIMEOUT_MS = 5000;
/**
 * Share of the test's own time, by default 5 s as well: for the words of a failure and its files, which a test that is ended does
 * not have.
 */
const REPORT_MS = 1500;
const LEAST_TIMEOUT_MS = 100;

/** Clock of the process, although a test may have fake timers. */
const { timeOrigin } = performance;
const now = performance.now.bind(performance);

export interface AssertionVerdict {
  readonly pass: boolean;
  readonly message: () => string;
  /** Value beside `expected`: vitest prints how they differ. */
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** State of the assertion; vitest's own type of it has much more. */
export interface Assertion {
  readonly isNot?: boolean;
  readonly currentTestName?: string | undefined;
  readonly testPath?: string | undefined;
  /** Count in this attempt of the test. */
  readonly assertionCalls?: number;
  /** The running test; absent in Vitest 3. */
  readonly task?: TestTask | undefined;
}

/** Running test, if the assertion does not name its own. Beside concurrent tests it may be another. */
const suite = (await import('vitest/suite').catch(() => undefined)) as
  | { readonly getCurrentTest?: () => TestTask | undefined }
  | undefined;

export function taskOf({ task }: Assertion): TestTask | undefined {
  return task ?? suite?.getCurrentTest?.();
}

export interface TestTask {
  readonly id?: string;
  readonly timeout?: number;
  readonly result?: Attempt | undefined;
}

interface Attempt {
  readonly state?: string;
  /** Start of the first attempt, by the time of day. */
  readonly startTime?: number;
  readonly retryCount?: number;
  readonly repeatCount?: number;
}

export interface TerminalMatcherOptions {
  /** Default: 5 s, or less, so that a failure is reported before the test's own time is over. */
  readonly timeout_ms?: number;
}

/** The deadline of an assertion: before that of its test. */
export function timeoutOf({ timeout_ms: given }: TerminalMatcherOptions, assertion: Assertion): number {
  return given ?? timeoutWithin(taskOf(assertion), DEFAULT_TIMEOUT_MS);
}

/** @returns the deadline of a wait that begins now: before that of the test, and `most` milliseconds at most */
export function timeoutWithin(task: TestTask | undefined, most: number): number {
  const { timeout = 0, result } = task ?? {};
  if (timeout <= 0 || result?.startTime === undefined) return most;
  const spentMs = attemptOf(task) === 0 ? timeOrigin + now() - result.startTime : 0;
  const left = timeout - spentMs - REPORT_MS;
  return Math.min(most, Math.max(LEAST_TIMEOUT_MS, Math.round(left)));
}

/** The start of a test is that of its first attempt; each has the whole time. */
export function attemptOf({ result }: TestTask = {}): number {
  return (result?.retryCount ?? 0) + (result?.repeatCount ?? 0);
}

/** A failure leaves what the terminal showed. */
export async function kept(
  terminal: Terminal,
  came: AssertionVerdict,
  assertion: Assertion,
): Promise<AssertionVerdict> {
  if (came.pass !== (assertion.isNot ?? false)) return came;
  const files = await keepFailure(terminal, { name: assertion.currentTestName, file: assertion.testPath });
  return { ...came, message: () => `${came.message()}${files}` };
}

export function terminalOf(received: unknown, matcher: string): Terminal {
  const methods = received as Partial<Terminal> | null | undefined;
  if (typeof methods?.waitForText === 'function') return methods as Terminal;
  throw new TypeError(`${matcher} is for a terminal of t4a, as launch() returns it; this is ${String(received)}.`);
}
