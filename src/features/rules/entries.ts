import { replayEntries } from '../../protocol/entry-lines.js';
import type { Params } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { ActivityWatch } from './activity-watch.js';
import type { LogAnswer } from './entry-log.js';
import { wireEntry } from './wire-entry.js';
import type { Core } from '../core.js';
import type { RulesInUse } from './rules-in-use.js';
import { readTail } from './activity-file.js';

const NO_ENTRIES: LogAnswer = { entries: [], deleted: [], next: 0, more: false, gap: false };

export const entries =
  (core: Core, inUse: RulesInUse): Handler<'entries'> =>
  async ({ id, ...query }, call) => {
    const terminal = core.terminals.use(id, call);
    const watch = inUse.used?.of(terminal);
    if (!terminal.alive) await watch?.finished();
    const seq = core.bus.lastSeq;
    const answer = watch === undefined ? NO_ENTRIES : await answerOf(watch, query);
    return {
      profile: watch?.profile?.id ?? null,
      entries: answer.entries.map(wireEntry),
      deleted: [...answer.deleted],
      next: answer.next,
      more: answer.more,
      gap: answer.gap,
      file: watch?.file?.path ?? null,
      skipped_lines: watch?.skippedLines ?? 0,
      seq,
    };
  };

/** What is answered for is in the file; what the ring has dropped is read from there. */
async function answerOf({ log, file }: ActivityWatch, query: Omit<Params<'entries'>, 'id'>): Promise<LogAnswer> {
  const answer = log.read(query);
  if (file === undefined) return answer;
  await file.written();
  const { since, last, max, kinds, open } = query;
  if (!answer.gap || since === undefined || last !== undefined) return answer;
  const { changes, gap } = await readTail(file.path, since, MAX_CHANGES);
  const read = changes.slice(0, max);
  const isWanted = ({ kind, open: isOpen }: LogAnswer['entries'][number]): boolean =>
    kinds?.includes(kind) !== false && (open === undefined || open === isOpen);
  return {
    entries: replayEntries(read).filter(isWanted),
    deleted: read.filter(({ op }) => op === 'delete').map(({ entry }) => entry.id),
    next: read.at(-1)?.n ?? answer.next,
    more: read.length < changes.length,
    gap,
  };
}

const MAX_CHANGES = 50_000;
