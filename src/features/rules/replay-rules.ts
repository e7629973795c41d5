/** Rules that are run through the past of a terminal. What they find otherwise than those of then follows as corrections. */
import { corrections, type Feed } from '../../activity/corrections.js';
import { differences } from '../../activity/differences.js';
import type { Entry, EntryChange } from '../../activity/entry.js';
import { replayEntries } from '../../protocol/entry-lines.js';
import type { Profile } from '../../activity/rule.js';
import type { Work } from '../../search/work.js';
import type { WorkSchedule } from '../../search/work-schedule.js';
import type { TerminalLog } from '../../history/terminal-log.js';
import { ENTRY_RING } from '../../protocol/entry.js';
import { readTail } from './activity-file.js';
import type { ActivityWatch, WatchedTerminal } from './activity-watch.js';
import type { Checked } from './check-rules.js';
import { PastLooks, readLog } from './past-looks.js';
import { entryScope } from '../past/persisted.js';

export interface ReplayOptions {
  readonly log: TerminalLog;
  /** Revision of the screen; entries that have not changed since stay as they are. */
  readonly fromRev: number;
  readonly work: WorkSchedule;
  readonly signal: AbortSignal;
}

/** That are read back from a file. */
const MAX_CHANGES = 50_000;

/** @returns how many changes have followed. @throws the signal's reason */
export async function replayRules(
  watch: ActivityWatch,
  terminal: WatchedTerminal,
  profile: Profile,
  { log, fromRev, work, signal }: ReplayOptions,
): Promise<number> {
  const kept = await readKept(watch);
  const looks = new PastLooks(profile, entryScope(terminal));
  const replay = function* (): Work<number> {
    yield* readToEnd(log, looks, terminal);
    // Without a pause from here on: the rules go on where they have come to.
    const [oldest] = log.chunks;
    const startMs = oldest === undefined || oldest.start.rev === 0 ? -Infinity : oldest.start.ms;
    const isCovered = (entry: Entry): boolean => entry.rev >= Math.max(fromRev, kept.fromRev) && entry.ts >= startMs;
    const found = replayEntries(looks.changes);
    const comparable = kept.isWhole ? found : found.slice(-ENTRY_RING);
    const own = corrections(feedOf(kept.changes, watch), comparable, isCovered);
    watch.adopt(looks, own);
    return own.changes.length;
  };
  return work.finish(replay(), signal);
}

interface CheckedPast {
  readonly profile: Profile;
  readonly terminal: WatchedTerminal;
  readonly log: TerminalLog;
  readonly fromRev: number;
}

/**
 * What rules would have found all along, and how that differs from what was found: of both the newest that a terminal keeps.
 * @param checked what they find on the screen of now, with its cells
 */
export function* checkPast(
  checked: Checked,
  present: readonly Entry[],
  { profile, terminal, log, fromRev }: CheckedPast,
): Work<Checked> {
  const looks = new PastLooks(profile, entryScope(terminal));
  yield* readToEnd(log, looks, terminal);
  const [oldest] = log.chunks;
  const startMs = oldest === undefined || oldest.start.rev === 0 ? -Infinity : oldest.start.ms;
  const isCovered = (entry: Entry): boolean => entry.rev >= fromRev && entry.ts >= startMs;
  const found = replayEntries(looks.changes).filter(isCovered).slice(-ENTRY_RING);
  const now = new Map(checked.entries.map((entry) => [entry.id, entry]));
  const entries = found.map((entry) => {
    const { row = null, cells = [] } = now.get(entry.id) ?? {};
    return { ...entry, row, cells };
  });
  return { ...checked, entries, differences: differences(present.filter(isCovered), entries) };
}

/** What rules find in a log, without any effect. */
export function* readToEnd(log: TerminalLog, looks: PastLooks, { screen: live, alive }: WatchedTerminal): Work<void> {
  const screen = yield* readLog(log, looks, { scrollback: live.scrollbackLimit });
  if (screen === undefined) return;
  // Looks that are still to come are logged like all others.
  const isLast = !alive && !looks.hasEnded;
  while (looks.engine.isBehind || (isLast && !looks.hasEnded)) yield* looks.look(screen, log.look(isLast), isLast);
  screen.dispose();
}

interface Kept {
  readonly changes: readonly EntryChange[];
  /** Entries before are not there any more. */
  readonly fromRev: number;
  /** The ring has not dropped any, or a file has them. */
  readonly isWhole: boolean;
}

async function readKept({ file, log }: ActivityWatch): Promise<Kept> {
  if (file === undefined) return { changes: [], fromRev: 0, isWhole: false };
  await file.written();
  const { changes, gap } = await readTail(file.path, 0, MAX_CHANGES).catch(() => ({ changes: [], gap: true }));
  const first = gap ? (changes[0] ?? [...log.changes()][0])?.entry.rev : undefined;
  return { changes, fromRev: first ?? 0, isWhole: true };
}

/** The ring has what came after the file was read. */
function feedOf(kept: readonly EntryChange[], { log }: ActivityWatch): Feed {
  const latest = new Map<string, EntryChange>();
  for (const change of [...kept, ...log.changes()]) latest.set(change.entry.id, change);
  return {
    ids: latest.keys(),
    get: (id) => {
      const change = latest.get(id);
      return change === undefined || change.op === 'delete' ? undefined : change.entry;
    },
    version: (id) => latest.get(id)?.entry.version ?? 0,
  };
}
