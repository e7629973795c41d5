/**
 * What a terminal showed before an assertion on it failed: the last seconds as an asciicast, and as a film sheet. The files of the same test
 * are replaced, so that they do not pile up.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Terminal } from '../client/index.js';
import type { CallResult } from '../client/connection.js';

const DEFAULT_DIRECTORY = '.t4a-failures';

const LAST_MS = 10_000;
/** The assertion has failed in any case: its report does not wait for a daemon that does not answer. */
const TIMEOUT_MS = 5000;
const MAX_NAME_LENGTH = 100;
const NOTHING = new Uint8Array(0);

let directory: string | undefined = DEFAULT_DIRECTORY;

/**
 * Where failed matchers leave what the terminal showed; undefined: nowhere. Default: `.t4a-failures` in the directory of the
 * process.
 */
export function keepFailuresIn(given: string | undefined): void {
  directory = given;
}

export interface FailedTest {
  /** With the names of its suites. */
  readonly name: string | undefined;
  /** Its file. */
  readonly file: string | undefined;
}

/** @returns lines for the message of the failure; empty if nothing is kept */
export async function keepFailure(terminal: Terminal, test: FailedTest): Promise<string> {
  // A terminal of an older copy of the library, or of a test, may have no such method.
  if (directory === undefined || typeof (terminal as Partial<Terminal>).call !== 'function') return '';
  const base = path.resolve(directory, nameOf(test));
  try {
    const [cast, sheet] = await lastSeconds(terminal);
    await mkdir(path.dirname(base), { recursive: true });
    // As recordings: it may show secrets.
    await writeFile(`${base}.cast`, cast, { mode: 0o600 });
    await writeFile(`${base}.png`, sheet, { mode: 0o600 });
    return `\nWhat it showed before: ${base}.png\nTo play it: t4a play ${base}.cast`;
  } catch (error) {
    return `\nWhat it showed before is not kept: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function lastSeconds(terminal: Terminal): Promise<readonly [cast: Uint8Array, sheet: Uint8Array]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const exported = (range: { from?: string }): Promise<CallResult<'export'>> =>
    terminal.call('export', range, { signal });
  const cast = await exported({ from: `-${LAST_MS}ms` }).catch((error: unknown) => {
    // The terminal is younger than that, or its history shorter.
    if ((error as { code?: unknown }).code === 'moment_lost') return exported({});
    throw error;
  });
  const sheet = await terminal.call('film', { from: cast.first.rev }, { signal });
  return [cast.bytes ?? NOTHING, sheet.bytes ?? NOTHING];
}

/** `sums-prints-the-sum`, whatever a file system makes of other characters. */
function nameOf({ name = 'test', file = '' }: FailedTest): string {
  const [of = ''] = path.basename(file).split('.');
  return `${of} ${name}`
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_NAME_LENGTH);
}
