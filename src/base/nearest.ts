/** Spelling help: the known words nearest to a mistyped one. */

/**
 * Words that it leaves letters out of, as "cmd" of "command", and words at most a third of their length away (at least 1
 * edit, at most 3), nearest first; else words that begin with it.
 */
export function nearestWords(word: string, known: Iterable<string>, most = 3): string[] {
  const wanted = word.slice(0, MAX_COMPARED_LENGTH).toLowerCase();
  const words = [...known];
  const ranked: { candidate: string; distance: number }[] = [];
  for (const candidate of words) {
    const allowed = Math.min(3, Math.max(1, Math.floor(Math.max(candidate.length, wanted.length) / 3)));
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance > 0 && isShortFor(wanted, candidate.toLowerCase())) ranked.push({ candidate, distance: 0.5 });
    else if (distance <= allowed) ranked.push({ candidate, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance);
  if (ranked.length === 0 && wanted.length >= LEAST_BEGIN_LENGTH) {
    return words.filter((candidate) => candidate.toLowerCase().startsWith(wanted)).slice(0, most);
  }
  return ranked.slice(0, most).map((entry) => entry.candidate);
}

/** Fewer letters begin too many words. */
const LEAST_BEGIN_LENGTH = 3;

/** Whether it is the first and the last letter, and others between them in their order. */
function isShortFor(word: string, candidate: string): boolean {
  if (word.length < LEAST_BEGIN_LENGTH || candidate[0] !== word[0] || candidate.at(-1) !== word.at(-1)) return false;
  let at = -1;
  return Array.from(word).every((letter) => (at = candidate.indexOf(letter, at + 1)) !== -1);
}

/** A longer word is no typing error, and the cost grows with its length. */
const MAX_COMPARED_LENGTH = 64;

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours each cost 1. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
