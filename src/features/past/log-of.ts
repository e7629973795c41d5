/** The log of a terminal, by the terminal or by a screen of its past. */
import { type HasParts, PartKey } from '../../base/parts.js';
import { findPlace, type FindOptions, type Place } from '../../history/find-place.js';
import type { TerminalLog } from '../../history/terminal-log.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { EXPECTED_LOG_MOMENT, parseLogMoment } from '../../protocol/moment.js';
import { unpack } from './packer.js';
import type { PastScreens } from './past-screens.js';

/** Finds the number of a command; see {@link FindOptions}. */
type CommandNumber = FindOptions['commandNumber'];

interface Logged {
  readonly log: TerminalLog;
  /** Of this terminal and others. */
  readonly screens: PastScreens;
  readonly now: () => number;
  readonly commandNumber: CommandNumber;
}

const LOGGED = new PartKey<Logged | undefined>(() => undefined);

export function setLog(terminal: HasParts, logged: Logged): void {
  terminal.part(LOGGED).value = logged;
}

/** Undefined for a terminal without a history. */
export function logOf(terminal: HasParts): TerminalLog | undefined {
  return terminal.part(LOGGED).value?.log;
}

export function loggedOf(terminal: HasParts, field: string): Logged {
  const logged = terminal.part(LOGGED).value;
  if (logged !== undefined) return logged;
  throw new T4aError('moment_lost', 'The terminal has no history.', {
    field,
    hint: 'Histories are on unless "history_bytes" of "config" is 0.',
  });
}

/** @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field */
export function placeOf(terminal: HasParts, given: string | number, field: string): Place {
  const moment = parseLogMoment(given);
  if (moment === undefined) {
    throw new T4aError('invalid_field', `"${field}" is ${quote(given)}: expected ${EXPECTED_LOG_MOMENT}.`, { field });
  }
  const { log, now, commandNumber } = loggedOf(terminal, field);
  return findPlace(log, moment, { nowMs: now(), unpack, commandNumber, field });
}

/** A revision is itself, whether or not it is kept. @throws as {@link placeOf} */
export function revisionAt(terminal: HasParts, given: string | number, field: string): number {
  return typeof given === 'number' ? given : placeOf(terminal, given, field).rev;
}
