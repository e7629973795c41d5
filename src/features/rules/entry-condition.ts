/** `if_entry`: input for a dialogue that still stands as its author has read it. */
import { quote, T4aError } from '../../protocol/errors.js';
import type { Activity } from './activity.js';
import type { ActivityWatch, WatchedTerminal } from './activity-watch.js';

/** Longest wait for output that has arrived and is not on the screen. */
const SETTLE_MS = 50;

export interface EntryTerminal extends WatchedTerminal {
  readonly detectors: { catchUp(): Promise<void> };
  settle(): Promise<void>;
}

export interface EntryReference {
  readonly id: string;
  readonly version: number;
}

/** @param given `id@version`, checked by the schema */
export function entryReference(given: string): EntryReference {
  const at = given.lastIndexOf('@');
  return { id: given.slice(0, at), version: Number(given.slice(at + 1)) };
}

/**
 * Resolves in the step in which the screen was read: what is written before the next wait meets the entry. All output that
 * the program had printed by then counts.
 * @throws T4aError entry_changed
 */
export async function assertEntry(
  activity: Activity | undefined,
  terminal: EntryTerminal,
  reference: EntryReference,
): Promise<void> {
  await terminal.detectors.catchUp();
  await terminal.screen.settle(SETTLE_MS);
  const watch = activity?.of(terminal);
  if (terminal.screen.pendingBytes > 0 || watch === undefined || !stands(watch, reference)) throw changed(reference);
}

function stands(watch: ActivityWatch, { id, version }: EntryReference): boolean {
  watch.lookNow();
  const entry = watch.log.get(id);
  return !watch.isAnswered && entry?.open === true && entry.version === version;
}

function changed({ id, version }: EntryReference): T4aError {
  return new T4aError(
    'entry_changed',
    `Entry ${quote(`${id}@${version}`)} does not stand any more: nothing was sent.`,
    {
      field: 'if_entry',
      hint: 't4a entries @ --open',
    },
  );
}
