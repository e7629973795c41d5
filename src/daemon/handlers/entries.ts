import type { Handler } from '../../rpc/service.js';
import { wireEntry } from '../activity/wire-entry.js';
import type { Daemon } from '../daemon.js';

const NO_ENTRIES = { entries: [], deleted: [], next: 0, more: false, gap: false };

export const entries =
  (daemon: Daemon): Handler<'entries'> =>
  async ({ id, ...query }, call) => {
    const terminal = daemon.terminals.use(id, call);
    const rules = daemon.usesRules ? await daemon.activity() : undefined;
    const watch = rules?.of(terminal);
    const { entries: found, deleted, next, more, gap } = watch?.log.read(query) ?? NO_ENTRIES;
    return {
      profile: watch?.profile?.id ?? null,
      entries: found.map(wireEntry),
      deleted: [...deleted],
      next,
      more,
      gap,
      skipped_lines: watch?.skippedLines ?? 0,
      seq: daemon.bus.lastSeq,
    };
  };
