/** What was done to the text of a field, as keys: characters taken back at its end, and text typed after them. Pure. */

export interface Difference {
  /** Characters, as a person counts them. */
  readonly deleted: number;
  readonly typed: string;
}

const segmenter = new Intl.Segmenter();

export function difference(before: string, after: string): Difference {
  // Marks and joiners that come after their character are typed after it: programs take back less than a person counts.
  if (after.startsWith(before)) return { deleted: 0, typed: after.slice(before.length) };
  const [old, now] = [charactersOf(before), charactersOf(after)];
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same++;
  return { deleted: old.length - same, typed: now.slice(same).join('') };
}

function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
