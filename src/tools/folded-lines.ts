/**
 * Rows of equal lines, and of lines that count on, as two of them, the number of the others, and the last. Nothing is lost by that:
 * the others follow from those that are there.
 */

/** Fewer are as short as the words in their place. */
const LEAST = 5;

const NUMBER = /\d+/g;

export function foldedLines(lines: readonly string[]): string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = endOfRow(lines, at);
    const [first = '', second = ''] = [lines[at], lines[at + 1]];
    const last = lines[end - 1] ?? '';
    if (end - at < LEAST || first === '') folded.push(...lines.slice(at, end));
    else if (first === last) folded.push(`${first} … ${end - at} such lines`);
    else folded.push(first, second, `… ${end - at - 3} lines that count on …`, last);
    at = end;
  }
  return folded;
}

/** End of the longest row that begins there, one line at least. */
function endOfRow(lines: readonly string[], at: number): number {
  const [first, second] = [lines[at], lines[at + 1]];
  if (first === undefined || second === undefined) return at + 1;
  const steps = stepsBetween(first, second);
  if (steps === undefined) return at + 1;
  let end = at + 2;
  while (end < lines.length && isNext(lines[end - 1] ?? '', lines[end] ?? '', steps)) end++;
  return end;
}

/** Steps by which each number grows; undefined if the lines differ in more than their numbers. */
function stepsBetween(a: string, b: string): number[] | undefined {
  if (a.replaceAll(NUMBER, '0') !== b.replaceAll(NUMBER, '0')) return undefined;
  const numbers = b.match(NUMBER) ?? [];
  const steps = (a.match(NUMBER) ?? []).map((number, i) => Number(numbers[i]) - Number(number));
  return isNext(a, b, steps) ? steps : undefined;
}

/** Digit by digit: a number with leading zeros keeps its width. */
function isNext(a: string, b: string, steps: readonly number[]): boolean {
  let i = 0;
  return b === a.replaceAll(NUMBER, (number) => counted(number, steps[i++] ?? 0));
}

function counted(number: string, step: number): string {
  const next = String(Number(number) + step);
  return number.startsWith('0') ? next.padStart(number.length, '0') : next;
}
