/**
 * Tests in pieces whether a text holds a match: a set of states takes a character in one step, whatever the size of the
 * pattern, once it has been built (a lazy DFA, RE2JS's own).
 */
import { END_OF_TEXT, type RawRegex, UNANCHORED } from './regex-internals.js';
import { conditionsAt, runeAt, widthOf } from './regex-text.js';
import { indexOfText } from './text-work.js';
import { STEPS_A_PIECE, type Work } from './work.js';

/** Cost of finding the next place where a match may begin. */
const STEPS_A_LOOK = 4;

/** @returns undefined if that needs too many sets */
export function* testInPieces(regex: RawRegex, text: string): Work<boolean | undefined> {
  const end = yield* firstEndInPieces(regex, text, 0);
  return end === undefined ? undefined : end !== -1;
}

/**
 * Earliest end of a match that begins at or after `from`, a line's start.
 * @returns -1 if there is none; undefined if that needs too many sets
 */
export function* firstEndInPieces(
  { prog, dfa, prefix }: RawRegex,
  text: string,
  from: number,
): Work<number | undefined> {
  const { latin1Class } = dfa;
  const search = { resetPos: -1 };
  const start = dfa.start({ context: (at) => conditionsAt(text, at) }, from);
  let set = start;
  let steps = 0;
  for (let at = from; set !== null && at < text.length;) {
    // No match has begun. A pattern that begins with a text has no conditions there: it may begin anywhere.
    if (set === start && prefix !== '') {
      at = yield* indexOfText(text, prefix, at);
      if (at === -1) return -1;
      steps += STEPS_A_LOOK;
    }
    const rune = runeAt(text, at);
    const runeClass = rune < latin1Class.length ? (latin1Class[rune] ?? 0) : dfa.runeClass(rune);
    const known = set.next?.[runeClass] ?? null;
    if (known === null) steps += prog.inst.length;
    set = known ?? dfa.stepOrReset(set, runeClass, rune, UNANCHORED, at, search);
    // A match is certain only once the character behind it has been seen.
    if (set?.isMatch === true) return at;
    at += widthOf(rune);
    if (++steps < STEPS_A_PIECE) continue;
    yield steps;
    steps = 0;
  }
  if (set === null) return undefined;
  const ended = dfa.stepOrReset(set, dfa.numClasses, END_OF_TEXT, UNANCHORED, text.length, search);
  return ended === null ? undefined : ended.isMatch ? text.length : -1;
}
