/**
 * A text or pattern in the line of the cursor, at an instant at which the program waits for input: it is asked now. A line of
 * a log that has the same words stands elsewhere, or is followed by more output.
 */
import { T4aError } from '../../protocol/errors.js';
import { cellsOf } from '../../vt/rows/logical-line.js';
import { cursorLine } from '../../search/cursor-line.js';
import { topOf } from '../../search/scanned-lines.js';
import { finish } from '../../search/work.js';
import { judgedMatch, type Pattern } from './pattern.js';
import type { AwaitingInput } from '../awaiting-input.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import type { WaitContext, WaitSubject } from './subject.js';

/** @throws T4aError unsupported */
export function questionAtCursor(
  pattern: Pattern,
  { subject, fresh }: WaitContext,
  recheck: () => void,
): ArmedCondition {
  assertTellsAwaitingInput(subject, 'at_cursor');
  let evidence: Evidence | undefined;
  // Only now: what the program prints later may move the cursor, or end its wait.
  const onFound = (found: AwaitingInput): void => {
    evidence ??= evidenceAtCursor(pattern, subject, found);
    if (evidence !== undefined) recheck();
  };
  const listening = subject.onAwaitingInput(onFound, { now: !fresh });
  return { check: () => evidence, dispose: () => listening.dispose() };
}

function evidenceAtCursor(
  pattern: Pattern,
  { screen, typed }: WaitSubject,
  reader: AwaitingInput,
): Evidence | undefined {
  const { number, text, rows } = cursorLine(screen);
  const judged = finish(judgedMatch(pattern, { number, text, knownLength: 0 }, typed));
  // An answer that was typed is no question.
  if (judged === undefined || (judged.part !== undefined && judged.part.verdict !== 'doubtful')) return undefined;
  const { found: match } = judged;
  const firstRow = number - topOf(screen);
  const [cell] = cellsOf({ rows, firstRow, text }, match.index, match.index + 1);
  return { match: { row: cell?.row ?? firstRow, col: cell?.col ?? 0, text: match.text }, awaiting_input: reader };
}

/** @throws T4aError unsupported */
export function assertTellsAwaitingInput({ tellsAwaitingInput }: WaitSubject, field: string): void {
  if (tellsAwaitingInput) return;
  throw new T4aError('unsupported', 'This system does not report what a program waits for: it has no /proc for that.', {
    field,
    hint: 'Wait for "settled_ms" or for the "text" of the prompt.',
  });
}
