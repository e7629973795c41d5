/**
 * Whether a text holds a match, in pieces: a set of states takes a character in one step, whatever the size of the
 * pattern, once it has been built (a lazy DFA, RE2JS's own).
 */
import { END_OF_TEXT, type RawRegex, UNANCHORED } from './regex-internals.js';
import { conditionsAt, runeAt, widthOf } from './regex-text.js';
import { STEPS_A_PIECE, type Work } from './work.js';

/** @returns undefined if that takes too many sets */
export function* testInPieces({ prog, dfa }: RawRegex, text: string): Work<boolean | undefined> {
  const { latin1Class } = dfa;
  const search = { resetPos: -1 };
  let set = dfa.start({ context: (at) => conditionsAt(text, at) }, 0);
  let steps = 0;
  for (let at = 0; set !== null && at < text.length;) {
    const rune = runeAt(text, at);
    const runeClass = rune < latin1Class.length ? (latin1Class[rune] ?? 0) : dfa.runeClass(rune);
    const known = set.next?.[runeClass] ?? null;
    if (known === null) steps += prog.inst.length;
    set = known ?? dfa.stepOrReset(set, runeClass, rune, UNANCHORED, at, search);
    if (set?.isMatch === true) return true;
    at += widthOf(rune);
    if (++steps < STEPS_A_PIECE) continue;
    yield steps;
    steps = 0;
  }
  if (set === null) return undefined;
  return dfa.stepOrReset(set, dfa.numClasses, END_OF_TEXT, UNANCHORED, text.length, search)?.isMatch;
}
