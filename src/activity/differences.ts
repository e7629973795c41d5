/** Entries that other rules would find otherwise than what was found: for those who edit rules, before they are used. */
import { saying } from './corrections.js';
import type { Entry } from './entry.js';

export interface EntryDifference {
  readonly change: 'added' | 'changed' | 'removed';
  /** Entry that it would be; of a removed one, the one that it is. */
  readonly entry: Entry;
}

/** @param present entries that the rules could find. The same id is the same entry, and so is the same kind at the same place */
export function differences(present: readonly Entry[], found: readonly Entry[]): EntryDifference[] {
  const left = new Map(present.map((entry) => [entry.id, entry]));
  const byPlace = new Map(present.map((entry) => [placeOf(entry), entry]));
  const all: EntryDifference[] = [];
  for (const entry of found) {
    const same = left.get(entry.id) ?? left.get(byPlace.get(placeOf(entry))?.id ?? '');
    if (same !== undefined) left.delete(same.id);
    if (same === undefined) all.push({ change: 'added', entry });
    else if (saying(same) !== saying(entry)) all.push({ change: 'changed', entry });
  }
  return [...all, ...[...left.values()].map((entry) => ({ change: 'removed', entry }) as const)];
}

/** Ids of what was there more than once at a place count them. */
function placeOf({ kind, line, data }: Entry): string {
  const text = data['text'];
  const first = typeof text === 'string' ? text.split('\n')[0] : '';
  return JSON.stringify([kind, line, first]);
}
