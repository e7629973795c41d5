/**
 * A text or pattern in the line of the cursor, at an instant at which the program waits for input: it is asked now. A line of
 * a log that has the same words stands elsewhere, or is followed by more output.
 */
import { T4aError } from '../../protocol/errors.js';
import { cellsOf } from '../../vt/rows/logical-line.js';
import { cursorLine } from '../search/cursor-line.js';
import { topOf } from '../search/scanned-lines.js';
import { finish, type Work } from '../search/work.js';
import type { AwaitingInput } from '../input/awaiting-input.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import type { WaitContext, WaitSubject } from './subject.js';

export interface Found {
  readonly index: number;
  readonly text: string;
}

/** A match that ends beyond the index `from`: earlier text was searched before. */
export type Find = (line: string, from: number) => Work<Found | undefined>;

/** @throws T4aError unsupported */
export function questionAtCursor(find: Find, { subject, fresh }: WaitContext, recheck: () => void): ArmedCondition {
  assertTellsAwaitingInput(subject, 'at_cursor');
  let evidence: Evidence | undefined;
  // Only now: what the program prints later may move the cursor, or end its wait.
  const onFound = (found: AwaitingInput): void => {
    evidence ??= evidenceAtCursor(find, subject, found);
    if (evidence !== undefined) recheck();
  };
  const listening = subject.onAwaitingInput(onFound, { now: !fresh });
  return { check: () => evidence, dispose: () => listening.dispose() };
}

function evidenceAtCursor(find: Find, { screen }: WaitSubject, found: AwaitingInput): Evidence | undefined {
  const { number, text, rows } = cursorLine(screen);
  const match = finish(find(text, 0));
  if (match === undefined) return undefined;
  const firstRow = number - topOf(screen);
  const [cell] = cellsOf({ rows, firstRow, text }, match.index, match.index + 1);
  return { match: { row: cell?.row ?? firstRow, col: cell?.col ?? 0, text: match.text }, awaiting_input: found };
}

/** @throws T4aError unsupported */
export function assertTellsAwaitingInput({ tellsAwaitingInput }: WaitSubject, field: string): void {
  if (tellsAwaitingInput) return;
  throw new T4aError('unsupported', 'This system does not report what a program waits for: it has no /proc for that.', {
    field,
    hint: 'Wait for "settled_ms" or for the "text" of the prompt.',
  });
}
