/** Entries since a person looked, in one line. Pure. */
import type { AwayLine } from './away.js';
import { EntryFeed, toneOf, wordsOf, type Entry } from './entry-feed.js';
import { timeOfDay } from './time-words.js';

const MOST_WORDS = 120;

/** @param entries at least one */
export function awayLine(entries: readonly [Entry, ...Entry[]]): AwayLine {
  const feed = new EntryFeed();
  feed.begin(entries);
  const since = feed.entries;
  const entry = since.findLast((one) => ['bad', 'asks'].includes(toneOf(one))) ?? since.at(-1) ?? entries[0];
  const [words = ''] = wordsOf(entry).split('\n');
  return {
    words: words.slice(0, MOST_WORDS) || entry.kind,
    tone: toneOf(entry),
    more: since.length - 1,
    time: timeOfDay(entry.ts),
    moment: { at: `rev:${entry.rev}`, ms: entry.ts },
  };
}
