/** A terminal in the test's process, with a program of the test's own. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type Clock, FakeClock } from '../../src/base/clock.js';
import type { TerminalSetup } from '../../src/terminal/setup.js';
import { Terminal } from '../../src/terminal/terminal.js';
import { SharedParts } from '../../src/terminal/shared-parts.js';
import type { EventBus } from '../../src/events/bus.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import { THEME } from '../vt/screens.js';

/** Prints nothing and reads nothing until it is ended. */
export const SILENT = 'stty -echo; exec sleep 1000';

export interface OwnTerminalOptions extends Partial<Omit<TerminalSetup, 'pty' | 'screen'>> {
  /** Of /bin/sh. */
  readonly script?: string;
  readonly clock?: Clock;
  readonly bus?: EventBus;
  readonly scrollback?: number;
}

/** On 20 columns and 5 rows; ended and removed with the test. */
export function ownTerminal({ script = SILENT, clock, bus, scrollback = 100, ...more }: OwnTerminalOptions = {}) {
  const ownClock = clock ?? new FakeClock();
  const parts = new SharedParts(ownClock, undefined, bus);
  const size = { cols: 20, rows: 5 };
  const terminal = new Terminal(
    {
      id: 't1',
      pty: {
        file: '/bin/sh',
        args: ['-c', script],
        cwd: '/',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color' },
        ...size,
      },
      command: ['sh'],
      screen: { ...size, scrollback, colors: THEME, version: '1.2.3' },
      idleTimeoutMs: undefined,
      defaultIdleTimeoutMs: 1000,
      title: undefined,
      maxWaits: 2,
      shellScripts: '/no/such',
      hasIntegratedShell: false,
      ...more,
    },
    parts,
  );
  terminal.announce();
  onTestFinished(async () => {
    await terminal.end();
    terminal.remove();
    parts.dispose();
  });
  return terminal;
}

/** Prints as a program in the terminal does; resolves once it is on the screen. */
export async function print(terminal: Terminal, text: string): Promise<void> {
  if (text === '') return;
  const { screen } = terminal;
  // The kernel puts a carriage return before each line feed.
  const until = screen.parsedBytes + Buffer.byteLength(text.replaceAll('\n', '\r\n'));
  const parsed = new Promise<void>((resolve) => {
    const listening = screen.onParsed.on(() => {
      if (screen.parsedBytes < until) return;
      listening.dispose();
      resolve();
    });
  });
  const fd = openSync(terminal.device, constants.O_WRONLY | constants.O_NOCTTY);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
  await parsed;
}

/** What shells with marks print: see terminal/shell/osc-marks.ts. */
export const MARKS = {
  prompt: '\x1b]133;A\x07$ \x1b]133;B\x07',
  started: (command: string): string => `\x1b]133;C;cmdline=${command}\x07`,
  done: (code: number): string => `\x1b]133;D;${code}\x07`,
};

/** Resolves once that text is in one of the rows of the viewport. */
export async function untilShown(terminal: Terminal, text: string): Promise<void> {
  const { screen } = terminal;
  const isShown = (): boolean => screen.snapshot().lines.some((row) => rowText(row).includes(text));
  if (isShown()) return;
  await new Promise<void>((resolve) => {
    const listening = screen.onParsed.on(() => {
      if (!isShown()) return;
      listening.dispose();
      resolve();
    });
  });
}
