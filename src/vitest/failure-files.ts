/**
 * What a terminal showed before a test of it failed: its text, the last seconds as an asciicast, and as a film sheet. The files of the same
 * test are replaced, so that they do not pile up.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolderLater } from '../base/make-folder.js';
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
  /** Name with those of its suites. */
  readonly name: string | undefined;
  /** File of the test. */
  readonly file: string | undefined;
}

/** Terminals of which a failure has been kept. */
const done = new WeakSet<Terminal>();

export function isKept(terminal: Terminal): boolean {
  return done.has(terminal);
}

/** @returns lines for the message of the failure; empty if nothing is kept */
export async function keepFailure(terminal: Terminal, test: FailedTest): Promise<string> {
  // A terminal of an older copy of the library, or of a test, may have no such method.
  if (directory === undefined || typeof (terminal as Partial<Terminal>).call !== 'function') return '';
  done.add(terminal);
  try {
    const [cast, sheet, text] = await lastSeconds(terminal);
    const base = await write(test, { cast, png: sheet, txt: text });
    return `\nWhat it showed before: ${base}.png\nIts text: ${base}.txt\nTo play it: t4a play ${base}.cast`;
  } catch (error) {
    return `\nWhat it showed before is not kept: ${messageOf(error)}`;
  }
}

/**
 * @param files contents, by how their names end
 * @returns lines for the message of the failure; empty if nothing is kept
 */
export async function keepFiles(test: FailedTest, files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  if (directory === undefined) return '';
  try {
    const base = await write(test, files);
    return `\nSee ${Object.keys(files)
      .map((ending) => `${base}.${ending}`)
      .join(', ')}`;
  } catch (error) {
    return `\nThe pictures are not kept: ${messageOf(error)}`;
  }
}

/** @returns the path without the endings */
async function write(test: FailedTest, files: Readonly<Record<string, Uint8Array | string>>): Promise<string> {
  const base = path.resolve(directory ?? '', nameOf(test));
  await makeFolderLater(path.dirname(base));
  // As recordings: it may show secrets.
  for (const [ending, content] of Object.entries(files)) await writeFile(`${base}.${ending}`, content, { mode: 0o600 });
  return base;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function lastSeconds(terminal: Terminal): Promise<readonly [cast: Uint8Array, sheet: Uint8Array, text: string]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const exported = (range: { from?: string }): Promise<CallResult<'export'>> =>
    terminal.call('export', range, { signal });
  const cast = await exported({ from: `-${LAST_MS}ms` }).catch((error: unknown) => {
    // The terminal is younger than that, or its history shorter.
    if ((error as { code?: unknown }).code === 'moment_lost') return exported({});
    throw error;
  });
  const sheet = await terminal.call('film', { from: cast.first.rev }, { signal });
  const text = await terminal.text({ signal });
  return [cast.bytes ?? NOTHING, sheet.bytes ?? NOTHING, `${text}\n`];
}

function nameOf({ name = 'test', file = '' }: FailedTest): string {
  const [of = ''] = path.basename(file).split('.');
  return fileNameOf(`${of} ${name}`);
}

/** `sums-prints-the-sum`, whatever a file system makes of other characters. */
export function fileNameOf(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_NAME_LENGTH);
}
