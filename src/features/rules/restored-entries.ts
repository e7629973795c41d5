/** The entries of a terminal that was kept, from its folder: what a program may have put there is checked. */
import path from 'node:path';
import { z } from 'zod';
import { errnoOf } from '../../base/errno.js';
import { entryShape } from '../../protocol/entry.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { NumberedChange } from '../../protocol/entry-lines.js';
import { type FileBefore, readTail } from './activity-file.js';

/** That are read back. */
const MAX_CHANGES = 50_000;

export interface RestoredEntries {
  readonly changes: readonly NumberedChange[];
  readonly before: FileBefore;
}

/** Undefined if there is no such file. @throws T4aError recording_invalid */
export async function readRestored(file: string): Promise<RestoredEntries | undefined> {
  const tail = await readTail(file, 0, MAX_CHANGES).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    const why = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
    throw new T4aError('recording_invalid', `${quote(file)} cannot be read: ${why}.`, { field: 'path' });
  });
  if (tail === undefined) return undefined;
  const { size, isTorn, profile } = tail;
  const changes = tail.changes.filter((change) => aChange.safeParse(change).success);
  const open = new Set<string>();
  for (const { entry } of changes) {
    if (entry.open) open.add(entry.id);
    else open.delete(entry.id);
  }
  const n = changes.at(-1)?.n ?? 0;
  return { changes, before: { bytes: size, n, open: [...open], profile, isTorn } };
}

const aChange = z.object({
  op: z.enum(['upsert', 'finalize', 'delete']),
  n: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  entry: z.object({ ...entryShape, terminal: z.string() }),
});

/** The pid of the daemon that has made the folder, by its name, if a process of that number lives and is not this one. */
export function writingDaemon(folder: string): number | undefined {
  const [, digits] = /-(\d+)$/.exec(path.basename(folder)) ?? [];
  const pid = Number(digits);
  if (!(pid > 0) || pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return undefined;
  }
  return pid;
}
