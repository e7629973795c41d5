/** The text or pattern of a condition, and where it is in lines of the screen without what was typed. */
import type { Work } from '../../search/work.js';
import type { IsMet, TypedPart, TypedText } from './typed-text.js';

export interface Found {
  readonly index: number;
  readonly text: string;
}

/** A match that ends beyond the index `from`: earlier text was searched before. */
export type Find = (line: string, from: number) => Work<Found | undefined>;

export interface Pattern {
  readonly find: Find;
  readonly isMet: IsMet;
}

interface Line {
  readonly number: number;
  readonly text: string;
  readonly knownLength: number;
}

export interface Judged {
  readonly found: Found;
  /** The typed line that the match is in; undefined for output. */
  readonly part: TypedPart | undefined;
}

/** Typed lines of one line of the screen: what was typed twice before a prompt, and the prompt's own copy. */
const MAX_PARTS = 4;

/** The first match that is output, else the first one. */
export function* judgedMatch(
  { find, isMet }: Pattern,
  line: Line,
  typed: TypedText | undefined,
): Work<Judged | undefined> {
  const found = yield* find(line.text, line.knownLength);
  if (found === undefined) return undefined;
  let first: Judged | undefined;
  let match: Found | undefined = found;
  let cutFrom = 0;
  for (let parts = 0; match !== undefined && parts < MAX_PARTS; parts++) {
    const place = { start: match.index, end: match.index + match.text.length };
    const part = typed?.some(isMet) === true ? typed.partAt(line, place, isMet) : undefined;
    if (part === undefined || part.verdict === 'doubtful') return { found: match, part };
    first ??= { found: match, part };
    // The text on either side, each by itself: a pattern does not reach across what was typed.
    const before: Found | undefined = yield* find(
      line.text.slice(cutFrom, part.start),
      Math.max(0, line.knownLength - cutFrom),
    );
    if (before !== undefined) return { found: { ...before, index: before.index + cutFrom }, part: undefined };
    cutFrom = part.end;
    const after: Found | undefined = yield* find(line.text.slice(cutFrom), Math.max(0, line.knownLength - cutFrom));
    match = after && { ...after, index: after.index + cutFrom };
  }
  return first;
}
