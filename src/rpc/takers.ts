/**
 * Whose share of what is counted a call takes: that of its connection, and one that all connections of a kind have together, however
 * many these are. The owner's own programs have the rest before them.
 */
import type { Restriction } from './restriction.js';
import type { Call } from './service.js';

const DOORS = {};
const READERS = {};

type Caller = Pick<Call, 'connection' | 'restriction'>;

/** A restricted connection passes on the requests of others. */
export function isByDoor(restriction: Restriction | undefined): boolean {
  return restriction !== undefined && (restriction.reach !== 'admin' || !restriction.person);
}

/** Takers of what outlasts a call. */
export function takersOf({ connection, restriction }: Caller): readonly object[] {
  return isByDoor(restriction) ? [connection, DOORS] : [connection];
}

/**
 * Takers of what a call does that waits: programs of agents wait by doors, too, so that only those that may read have one share.
 */
export function waitersOf({ connection, restriction }: Caller): readonly object[] {
  return restriction?.reach === 'read' ? [connection, READERS] : [connection];
}
