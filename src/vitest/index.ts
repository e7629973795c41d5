/**
 * Matchers for tests of terminal programs: `import 't4a/vitest'` once, in a setup file or in the test. They take terminals of
 * this library, whichever copy of it they come from.
 */
import { expect } from 'vitest';
import type { Reply } from '../protocol/registry.js';
import type { Terminal, WaitFailure } from '../client/index.js';
import { endWords, succeeded } from '../protocol/end-words.js';
import {
  kept,
  terminalOf,
  timeoutOf,
  type Assertion,
  type TerminalMatcherOptions,
  type AssertionVerdict,
} from './assertion.js';
import { matchPicture, matchText, type PictureSnapshotOptions } from './snapshot-matchers.js';

export type { TerminalMatcherOptions } from './assertion.js';
export { keepFailuresIn } from './failure-files.js';
export type { PictureSnapshotOptions } from './snapshot-matchers.js';
export { test, type LaunchInTest, type TerminalFixtures } from './terminal-test.js';

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
  /**
   * The text of the screen is now that of the snapshot, a file in `__snapshots__` beside the test. `vitest -u` writes it anew. Wait first for
   * what shall be there.
   */
  toMatchTerminalText(name?: string): Promise<Result>;
  /** The same of its pixels. */
  toMatchTerminalPicture(options?: PictureSnapshotOptions): Promise<Result>;
  toMatchTerminalPicture(name: string, options?: PictureSnapshotOptions): Promise<Result>;
}

declare module 'vitest' {
  // The name of the parameter is the one of the interface that this adds to.
  interface Matchers<T> extends TerminalMatchers<T> {}
}

expect.extend({
  toMatchTerminalText(received: unknown, name?: string): Promise<AssertionVerdict> {
    return matchText(this, received, name);
  },

  toMatchTerminalPicture(
    received: unknown,
    named?: string | PictureSnapshotOptions,
    options?: PictureSnapshotOptions,
  ): Promise<AssertionVerdict> {
    return matchPicture(this, received, named, options);
  },

  async toShowText(
    received: unknown,
    text: string | RegExp,
    options: TerminalMatcherOptions = {},
  ): Promise<AssertionVerdict> {
    const terminal = terminalOf(received, 'toShowText');
    const timeout_ms = timeoutOf(options, this);
    const came = this.isNot
      ? await goneVerdict(terminal, text, timeout_ms)
      : await verdict(terminal.waitForText(text, { timeout_ms }), () => `${terminal.id} shows ${String(text)}`);
    return kept(terminal, came, this);
  },

  async toHaveExited(received: unknown, code = 0, options: TerminalMatcherOptions = {}): Promise<AssertionVerdict> {
    const terminal = terminalOf(received, 'toHaveExited');
    const ended = terminal.waitForExit({ timeout_ms: timeoutOf(options, this) });
    const came = await verdict(ended, () => `${terminal.id} has exited with ${code}`);
    if (!came.pass) return kept(terminal, came, this);
    const end = await ended;
    if (end.exit_code === code) return kept(terminal, came, this);
    const message = (): string => `Expected ${terminal.id} to exit with ${code}; it ended with ${howOf(end)}.`;
    return kept(terminal, { pass: unlessKnown(end, this), message }, this);
  },

  async toSucceed(received: unknown, options: TerminalMatcherOptions = {}): Promise<AssertionVerdict> {
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

/** Verdict on what is awaited to go, since it is not awaited to appear; `gone` knows plain texts only. */
async function goneVerdict(terminal: Terminal, text: string | RegExp, timeout_ms: number): Promise<AssertionVerdict> {
  if (text instanceof RegExp) {
    const shown = (await terminal.text()).split('\n').find((line) => text.test(line));
    return { pass: shown !== undefined, message: () => `Expected no ${String(text)} on the screen, but: ${shown}` };
  }
  const gone = await verdict(terminal.waitFor({ gone: text }, { timeout_ms }), () => '');
  return { ...gone, pass: !gone.pass };
}

async function verdict(outcome: Promise<unknown>, claim: () => string): Promise<AssertionVerdict> {
  try {
    await outcome;
    return { pass: true, message: () => `Expected the contrary, but ${claim()}.` };
  } catch (error) {
    if (!isWaitFailure(error)) throw error;
    return { pass: false, message: () => error.message };
  }
}

/** Whether an error is a failed wait, by its name: the class may be another copy's. */
function isWaitFailure(error: unknown): error is WaitFailure {
  return error instanceof Error && error.name === 'WaitFailure';
}
