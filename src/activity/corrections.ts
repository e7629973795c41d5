/** Changes that a feed of entries lacks to say what other rules have found: they follow, so that nothing is rewritten. */
import type { Entry, EntryChange } from './entry.js';

export interface Corrections {
  readonly changes: readonly EntryChange[];
  /** Number that is added to the versions that the new rules give, by id. */
  readonly offsets: ReadonlyMap<string, number>;
}

export interface Feed {
  /** Entry as the feed has it now; undefined if it was deleted, or never there. */
  get(id: string): Entry | undefined;
  /** Last version, of a deleted one too; 0 if there was none. */
  version(id: string): number;
  readonly ids: Iterable<string>;
}

/**
 * @param found entries of the new rules, in the order of their last change
 * @param isCovered whether the new rules have read what this entry was found in
 */
export function corrections(feed: Feed, found: readonly Entry[], isCovered: (entry: Entry) => boolean): Corrections {
  const changes: EntryChange[] = [];
  const offsets = new Map<string, number>();
  const ids = new Set(found.map(({ id }) => id));
  for (const id of feed.ids) {
    const entry = feed.get(id);
    if (entry === undefined || ids.has(id) || !isCovered(entry)) continue;
    changes.push({ op: 'delete', entry: { ...entry, open: false } });
  }
  for (const entry of found) {
    const before = feed.get(entry.id);
    const last = feed.version(entry.id);
    const isSame = before !== undefined && saying(before) === saying(entry);
    const version = isSame ? last : last === 0 ? entry.version : last + 1;
    if (version !== entry.version) offsets.set(entry.id, version - entry.version);
    const isReopened = isSame && entry.open && !before.open;
    if (!isCovered(entry)) continue;
    const now = { ...entry, version };
    if (!isSame || isReopened) changes.push({ op: 'upsert', entry: { ...now, open: true } });
    if (!entry.open && (!isSame || before.open)) changes.push({ op: 'finalize', entry: now });
  }
  return { changes, offsets };
}

/** Fields that count of an entry. */
export function saying({ kind, rule, confidence, data }: Entry): string {
  return JSON.stringify([kind, rule, confidence, data]);
}
