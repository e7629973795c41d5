/**
 * One line that was typed, and which of its copies on the screen are only that: drawn by the kernel's echo, at the cursor, or by
 * a line editor, which draws once more what was typed before it took over. A program that reads when a line is typed has it
 * drawn once. While nobody reads it is drawn by the kernel, and by the editor if one comes. A further copy is output.
 */
import type { AwaitingInput } from '../awaiting-input.js';

export type Reader = Pick<AwaitingInput, 'kind' | 'secrecy'>;

/**
 * `undecided`: the next read of the program decides. `doubtful`: probably output, but what was typed may look the same.
 */
export type TypedVerdict = 'typed' | 'undecided' | 'doubtful';

/** Sign of how the line was read: the next reader, or no sign of a line editor (`none`). */
export type Settled = AwaitingInput['kind'] | 'none';

export interface TypedLine {
  /** Between two control characters. */
  text: string;
  /** Number of the cursor's line when its first character was typed. */
  number: number;
  /** Text that stood before the cursor then. */
  before: string;
  /** The program that read it, if one was known to read. */
  readonly reader: Reader | undefined;
  /** Lines of one batch were typed between two reads. */
  readonly batch: number;
  isOpen: boolean;
  /** Whether it was on the screen when Enter was pressed; undefined if that came with it. */
  isSeen: boolean | undefined;
  settled: Settled | undefined;
  /** Last character of the prompt of the editor that has settled it. */
  promptEnd: string | undefined;
}

/** One copy of a typed line on the screen. */
export interface Copy {
  readonly start: number;
  readonly end: number;
  /** Whether it stands where the line was typed. */
  readonly isInPlace: boolean;
  /** Only its beginning is there so far. */
  readonly isBegun: boolean;
}

/** @param group lines of the same text that were typed between the same reads @param index of the copy, from the first one on */
export function verdictOf(
  line: TypedLine,
  group: readonly TypedLine[],
  { isInPlace, start }: Copy,
  index: number,
  text: string,
): TypedVerdict | undefined {
  const { reader, isSeen } = line;
  if (reader !== undefined) {
    if (index > 0) return undefined;
    // Of a program in raw mode it is unknown whether it draws what it reads.
    return isInPlace || reader.secrecy !== 'unknown' || isSeen !== false ? 'typed' : 'doubtful';
  }
  const count = group.length;
  if (index >= 2 * count) return undefined;
  const before = text.slice(0, start);
  // While its echo is on, the kernel draws a line before Enter: one that was not seen then was probably drawn by nobody.
  const isEcho = index < group.filter((one) => one.isSeen !== false).length;
  switch (line.settled) {
    case 'line':
      if (isEcho) return 'typed';
      return index < count ? 'doubtful' : undefined;
    case 'password':
      // Nothing is drawn once the echo is off.
      return index < group.filter((one) => one.isSeen).length ? 'typed' : undefined;
    case 'raw':
      if (isEcho || isBehindPrompt(before, line.promptEnd)) return 'typed';
      return index < count ? 'doubtful' : undefined;
    case 'none':
      return isEcho ? 'typed' : verdictBehind(before);
    default:
      return 'undecided';
  }
}

/** The prompt may have changed since, as one with a time has, but ends alike; a line that goes on has another one. */
function isBehindPrompt(before: string, promptEnd: string | undefined): boolean {
  const end = lastCharacter(before);
  return end === promptEnd || end === '>';
}

/** Nothing has shown a line editor: what stands behind a likely prompt is still for the next read to decide. */
export function verdictBehind(before: string): TypedVerdict {
  return /[>$#%)\u276F\u00BB]\s*$/.test(before) ? 'undecided' : 'doubtful';
}

/** Undefined for blanks. */
export function lastCharacter(text: string): string | undefined {
  return text.trimEnd().at(-1);
}

/** Copies from left to right. */
export function copiesIn(line: TypedLine, number: number, text: string): Copy[] {
  const { text: typed, before } = line;
  if (typed.trim() === '') return [];
  const isOwn = number === line.number && text.startsWith(before);
  const isWord = /^\S+$/.test(typed);
  const copies: Copy[] = [];
  for (let from = isOwn ? before.length : 0; ;) {
    const start = text.indexOf(typed, from);
    if (start === -1) return copies;
    const end = start + typed.length;
    from = end;
    const isInPlace = isOwn && start === before.length;
    // A word may be printed as a part of others; a command line that the kernel echoes may stand amid output.
    if (isInPlace || !isWord || (!/\S/.test(text[end] ?? '') && !/\w/.test(text[start - 1] ?? ''))) {
      copies.push({ start, end, isInPlace, isBegun: false });
    }
  }
}

/** The beginning of the typed line that stands before the cursor: it is being drawn. */
export function begunBefore({ text: typed }: TypedLine, before: string): Copy | undefined {
  const most = Math.min(before.length, typed.length - 1);
  for (let length = most; length > 0; length--) {
    if (!before.endsWith(typed.slice(0, length))) continue;
    return { start: before.length - length, end: before.length, isInPlace: false, isBegun: true };
  }
  return undefined;
}
