/**
 * `t4a entries FILE.jsonl`: the entries of a file that a daemon has written, which may have been killed meanwhile. With --compact the file
 * keeps the last change of each entry alone. No daemon is asked.
 */
import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { changesIn, compactLines, type NumberedChange, replayEntries } from '../../protocol/entry-lines.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Invocation } from '../argv/invocation.js';
import { readToEnd } from '../files.js';
import type { Host } from '../host.js';
import { writeWholeFile } from '../output/whole-file.js';
import { absolutePath } from '../prepare/spawn.js';
import { lineOf } from '../present/entries.js';

/** Undefined if a terminal is meant. @throws T4aError usage */
export async function entryFileOf({ command, params, options }: Invocation, host: Host): Promise<string | undefined> {
  if (command.name !== 'entries') return undefined;
  const { id } = params;
  const path = typeof id === 'string' && id.endsWith('.jsonl') ? absolutePath(id, host) : undefined;
  if (path !== undefined && (id === path || (await isThere(path, host)))) return path;
  if (options['compact'] !== true) return undefined;
  throw new T4aError('usage', '"--compact" goes with a file of entries, whose name ends with ".jsonl".');
}

/** @returns the exit status @throws T4aError usage */
export async function readEntryFile(path: string, { params, options }: Invocation, host: Host): Promise<number> {
  if (options['follow'] === true) throw new T4aError('usage', '"--follow" goes with a terminal, not with a file.');
  const text = await readText(path, host);
  const changes = changesIn(text);
  if (changes.length === 0 && text !== '') throw new T4aError('usage', `${quote(path)} is no file of entries.`);
  if (options['compact'] === true) return compact(path, text, changes, host);
  const { since = 0, last, max, kinds, open } = params as Filter;
  const found = replayEntries(changes.filter(({ n }) => n > since)).filter(
    (entry) => kinds?.includes(entry.kind) !== false && (open === undefined || entry.open === open),
  );
  const entries = found.slice(-Math.min(last ?? Infinity, max ?? Infinity));
  const next = changes.at(-1)?.n ?? 0;
  if (options['json'] === true) host.out(`${JSON.stringify({ ok: true, entries, next, file: path })}\n`);
  else for (const entry of entries) host.out(`${lineOf(entry)}\n`);
  return 0;
}

interface Filter {
  readonly since?: number;
  readonly last?: number;
  readonly max?: number;
  readonly kinds?: readonly string[];
  readonly open?: boolean;
}

async function compact(path: string, text: string, changes: readonly NumberedChange[], host: Host): Promise<number> {
  const pid = writerOf(path);
  if (pid !== undefined) {
    throw new T4aError('usage', `The daemon with pid ${pid} may still write to ${quote(path)}.`, {
      hint: 'Compact it once that has ended, or a copy of it.',
    });
  }
  const lines = compactLines(changes);
  try {
    await writeWholeFile(host.files, path, [lines], { created: 0o600 });
  } catch (error) {
    throw new T4aError('usage', `${quote(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
  host.out(`${path}: ${Buffer.byteLength(lines)} of ${Buffer.byteLength(text)} bytes\n`);
  return 0;
}

/** Pid of the daemon that has made the file, if it lives: by the name of its folder, START-PID. */
function writerOf(path: string): number | undefined {
  const [, digits] = /-(\d+)$/.exec(basename(dirname(path))) ?? [];
  if (digits === undefined) return undefined;
  try {
    process.kill(Number(digits), 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return undefined;
  }
  return Number(digits);
}

export async function isThere(path: string, { files }: Host): Promise<boolean> {
  return (await files.stat(path).catch(() => undefined)) !== undefined;
}

async function readText(path: string, { files }: Host): Promise<string> {
  try {
    const file = await files.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) throw new T4aError('usage', `${quote(path)} is no regular file.`);
      return (await readToEnd(file)).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof T4aError) throw error;
    throw new T4aError('usage', `${quote(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
}
