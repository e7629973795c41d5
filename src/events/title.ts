/** Window titles: any bytes of any length from programs, one short line in events. */

/** Code points kept; a longer title ends in an ellipsis. */
export const MAX_TITLE_LENGTH = 1024;

/** Controls, halves of surrogate pairs, line separators, and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export function sanitizeTitle(title: string): string {
  const printable = title.replaceAll(UNPRINTABLE, '');
  if (printable.length <= MAX_TITLE_LENGTH) return printable;
  // One more than is kept, which takes at most two code units each.
  const points = Array.from(printable.slice(0, 2 * MAX_TITLE_LENGTH + 2));
  return points.length <= MAX_TITLE_LENGTH ? printable : `${points.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
