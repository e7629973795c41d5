/** A look that has only what is new, in words: for people and models. */
import type { z } from 'zod';
import type { changedReply } from './observation.js';

type Changed = NonNullable<z.output<typeof changedReply>>;

/** Lines of a look, and which rows they are. */
export interface ChangedLook {
  readonly lines: readonly string[];
  readonly changed: Changed;
}

/** All rows as they are; of some, each with its number before it, and blank ones together. */
export function changedRows({ lines, changed: { complete, rows } }: ChangedLook): string[] {
  if (complete) return [...lines];
  const texts: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const row = rows[i] ?? 0;
    let last = i;
    while (lines[i] === '' && lines[last + 1] === '' && rows[last + 1] === row + last + 1 - i) last++;
    texts.push(`${last === i ? row : `${row}-${rows[last]}`}: ${lines[i] === '' ? '(blank)' : lines[i]}`);
    i = last;
  }
  return texts;
}

/** Words before the rows, if there are any. */
export function scrolledWords({ changed: { scrolled, scrolled_from: from } }: ChangedLook): string[] {
  if (scrolled === 0) return [];
  return [`… ${scrolled} new lines have scrolled by${from === undefined ? '' : `, from line ${from} on`} …`];
}

/** Words after the rows, if some are left out. */
export function unchangedWords({ lines, changed: { complete, unchanged } }: ChangedLook): string[] {
  if (complete) return [];
  const others = lines.length === 0 ? '' : 'other ';
  if (unchanged === 0) return lines.length === 0 ? ['Nothing has changed since your last look.'] : [];
  return [`${unchanged} ${others}${unchanged === 1 ? 'row' : 'rows'} as before.`];
}
