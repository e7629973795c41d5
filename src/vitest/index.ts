/**
 * Matchers for tests of terminal programs: `import 't4a/vitest'` once, in a setup file or in the test. They take terminals of
 * this library, whichever copy of it they come from.
 */
import { expect } from 'vitest';
import type { Reply } from '../protocol/registry.js';
import type { Terminal, WaitFailure } from '../client/index.js';
import { endWords, succeeded } from '../protocol/end-words.js';
import { keepFailure } from './failure-files.js';

export { keepFailuresIn } from './failure-files.js';

/** Vitest's own patience for what is to become true. */
const DEFAULT_TIMEOUT_MS = 5000;
/** Of the test's own time, by default 5 s as well: for the words of a failure and its files, which a test that is ended does not have. */
const REPORT_MS = 1500;
const LEAST_TIMEOUT_MS = 100;

/** Those of the process, although a test may have fake timers. */
const { timeOrigin } = performance;
const now = performance.now.bind(performance);

export interface TerminalMatcherOptions {
  /** Default: 5 s, or less, so that a failure is reported before the test's own time is over. */
  readonly timeout_ms?: number;
}

export interface TerminalMatchers<Result = unknown> {
  /** The text is on the screen, has scrolled by, or does so in time. With `not`: it is not on the screen, or goes in time. */
  toShowText(text: string | RegExp, options?: TerminalMatcherOptions): Promise<Result>;
  /** The program has ended with this code, or does so in time. Default: 0. */
  toHaveExited(code?: number, options?: TerminalMatcherOptions): Promise<Result>;
  /**
   * The command of the shell, or else the program, has ended with the exit code 0, or does so in time. An unknown exit code fails, with
   * `not`, too.
   */
  toSucceed(options?: TerminalMatcherOptions): Promise<Result>;
}

declare module 'vitest' {
  // The name of the parameter is the one of the interface that this adds to.
  interface Matchers<T> extends TerminalMatchers<T> {}
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

expect.extend({
  async toShowText(received: unknown, text: string | RegExp, options: TerminalMatcherOptions = {}): Promise<Verdict> {
    const terminal = terminalOf(received, 'toShowText');
    const timeout_ms = timeoutOf(options, this);
    const came = this.isNot
      ? await goneVerdict(terminal, text, timeout_ms)
      : await verdict(terminal.waitForText(text, { timeout_ms }), () => `${terminal.id} shows ${String(text)}`);
    return kept(terminal, came, this);
  },

  async toHaveExited(received: unknown, code = 0, options: TerminalMatcherOptions = {}): Promise<Verdict> {
    const terminal = terminalOf(received, 'toHaveExited');
    const ended = terminal.waitForExit({ timeout_ms: timeoutOf(options, this) });
    const came = await verdict(ended, () => `${terminal.id} has exited with ${code}`);
    if (!came.pass) return kept(terminal, came, this);
    const end = await ended;
    if (end.exit_code === code) return kept(terminal, came, this);
    const message = (): string => `Expected ${terminal.id} to exit with ${code}; it ended with ${howOf(end)}.`;
    return kept(terminal, { pass: unlessKnown(end, this), message }, this);
  },

  async toSucceed(received: unknown, options: TerminalMatcherOptions = {}): Promise<Verdict> {
    const terminal = terminalOf(received, 'toSucceed');
    const ended = terminal.waitFor([{ exit: true }, { done: true }], { timeout_ms: timeoutOf(options, this) });
    const came = await verdict(ended, () => `${terminal.id} has succeeded`);
    if (!came.pass) return kept(terminal, came, this);
    const end = await ended;
    if (succeeded(end) === true) return kept(terminal, came, this);
    const message = (): string => `Expected ${terminal.id} to succeed; it ended with ${howOf(end)}.`;
    return kept(terminal, { pass: unlessKnown(end, this), message }, this);
  },
});

type End = Pick<Reply<'wait'>, 'exit_code' | 'signal' | 'command' | 'nothing_ran'>;

/** The verdict that fails, where it is unknown how it ended: neither a claim nor its contrary holds. */
function unlessKnown(end: End, { isNot = false }: Assertion): boolean {
  return succeeded(end) === null && isNot;
}

function howOf(end: End): string {
  if (end.nothing_ran === true) return 'nothing: no command has run yet';
  return typeof end.signal === 'string' ? end.signal : (endWords({ ...end, exit_code: end.exit_code ?? null }) ?? '');
}

/** The deadline of an assertion: before that of its test. */
function timeoutOf({ timeout_ms: given }: TerminalMatcherOptions, { task }: Assertion): number {
  if (given !== undefined) return given;
  const { timeout = 0, result } = task ?? {};
  if (timeout <= 0 || result?.startTime === undefined) return DEFAULT_TIMEOUT_MS;
  // The start is that of the first attempt; each has the whole time.
  const isFirst = (result.retryCount ?? 0) + (result.repeatCount ?? 0) === 0;
  const spentMs = isFirst ? timeOrigin + now() - result.startTime : 0;
  const left = timeout - spentMs - REPORT_MS;
  return Math.min(DEFAULT_TIMEOUT_MS, Math.max(LEAST_TIMEOUT_MS, Math.round(left)));
}

/** Of the assertion; vitest's own type of it has much more. */
interface Assertion {
  readonly isNot?: boolean;
  readonly currentTestName?: string | undefined;
  readonly testPath?: string | undefined;
  /** The running test; absent in older versions. */
  readonly task?: { readonly timeout?: number; readonly result?: Attempt | undefined } | undefined;
}

interface Attempt {
  /** Of the first one, by the time of day. */
  readonly startTime?: number;
  readonly retryCount?: number;
  readonly repeatCount?: number;
}

/** A failure leaves what the terminal showed. */
async function kept(terminal: Terminal, came: Verdict, assertion: Assertion): Promise<Verdict> {
  if (came.pass !== (assertion.isNot ?? false)) return came;
  const files = await keepFailure(terminal, { name: assertion.currentTestName, file: assertion.testPath });
  return { ...came, message: () => `${came.message()}${files}` };
}

/** What is not awaited to appear is awaited to go; `gone` knows plain texts only. */
async function goneVerdict(terminal: Terminal, text: string | RegExp, timeout_ms: number): Promise<Verdict> {
  if (text instanceof RegExp) {
    const shown = (await terminal.text()).split('\n').find((line) => text.test(line));
    return { pass: shown !== undefined, message: () => `Expected no ${String(text)} on the screen, but: ${shown}` };
  }
  const gone = await verdict(terminal.waitFor({ gone: text }, { timeout_ms }), () => '');
  return { ...gone, pass: !gone.pass };
}

async function verdict(outcome: Promise<unknown>, claim: () => string): Promise<Verdict> {
  try {
    await outcome;
    return { pass: true, message: () => `Expected the contrary, but ${claim()}.` };
  } catch (error) {
    if (!isWaitFailure(error)) throw error;
    return { pass: false, message: () => error.message };
  }
}

/** By name: the class may be another copy's. */
function isWaitFailure(error: unknown): error is WaitFailure {
  return error instanceof Error && error.name === 'WaitFailure';
}

function terminalOf(received: unknown, matcher: string): Terminal {
  const methods = received as Partial<Terminal> | null | undefined;
  if (typeof methods?.waitForText === 'function') return methods as Terminal;
  throw new TypeError(`${matcher} is for a terminal of t4a, as launch() returns it; this is ${String(received)}.`);
}
