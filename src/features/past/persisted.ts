/**
 * Folders in which terminals are kept beyond their daemon: that of a terminal which is being kept, and that which an opened one comes
 * from. See features/persistence.
 */
import { type HasParts, PartKey } from '../../base/parts.js';

/** Of a live terminal. */
export interface Persisted {
  readonly folder: string;
  /** The folder is there. Rejects if it cannot be made. */
  readonly prepared: Promise<void>;
  /** Rules read the screen now. */
  look(isLast: boolean): void;
}

export const PERSISTED = new PartKey<Persisted | undefined>(() => undefined);

/** Of a terminal that was opened from such a folder. */
export interface Restored {
  readonly folder: string;
  /** Its name then: ids of entries are made of it. */
  readonly id: string;
}

export const RESTORED = new PartKey<Restored | undefined>(() => undefined);

/** The name that ids of its entries are made of. */
export function entryScope(terminal: HasParts & { readonly id: string }): string {
  return terminal.part(RESTORED).value?.id ?? terminal.id;
}

/** Beside the ledger. */
export const SESSION_FILE = 'session.json';
export const ACTIVITY_FILE = 'activity.jsonl';

/** Of the form of the folder and its `session.json`; a reader refuses a higher one. */
export const SESSION_VERSION = 1;
