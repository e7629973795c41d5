/** A prompt at which a line is typed, and that line as the screen shows it. */
import type { FollowedLine } from './followed-places.js';

export interface TypedPlace {
  /** Undefined where lines have other numbers since. */
  readonly line: number | undefined;
  readonly col: number;
}

/** The screen, as far as command lines are read from it. Lines have lasting numbers. */
export interface TypedScreen {
  readonly cursor: TypedPlace;
  /** While it returns true, what a line feed has written is seen before what follows. */
  endSlicesAtLines(when: () => boolean): void;
  /** The line as it was printed, up to the row above the cursor. */
  textAboveCursor(): string | undefined;
  /** Of the row of that place. */
  textBefore(place: TypedPlace): string;
  /** From there to the end of the line as it was printed, and the number of the line after it; undefined if it is lost. */
  textFrom(place: TypedPlace): { readonly text: string; readonly end: number } | undefined;
  /** One of the lines before that place ends with the text. */
  showsBefore(place: TypedPlace, text: string): boolean;
}

export interface TypedSegment {
  place: TypedPlace;
  readonly atMs: number;
  /** The prompt in that row. */
  lead: string;
  /** The shell was seen reading it in lines, with echo off. */
  isHidden: boolean;
  /** The shell was seen reading it with what is typed shown, or it is known to be no secret. */
  isShown: boolean;
  /** What was behind the prompt before anything was typed may be an answer to a query. */
  mayHoldAnswer: boolean;
  /** As the screen showed it right after Enter. */
  read: { readonly text: string; readonly end: number } | undefined;
}

/**
 * To be called before lines are numbered anew; the returned function afterwards. A place is lost with its line, and if other
 * text stands there.
 */
export function followSegments(
  segments: readonly TypedSegment[],
  screen: TypedScreen,
  follow: (line: number) => FollowedLine,
): () => TypedSegment[] {
  const followed = segments.map((before) => {
    const { place, read } = before;
    const start = place.line === undefined ? undefined : follow(place.line);
    return { before, start, end: read && follow(read.end), text: screen.textFrom(place)?.text };
  });
  return () =>
    followed.map(({ before, start, end, text }) => {
      const [line, endLine] = [start?.line, end?.line];
      start?.dispose();
      end?.dispose();
      const place = { line, col: before.place.col };
      if (line === undefined || text === undefined || screen.textFrom(place)?.text !== text) return lost(before);
      const read = before.read === undefined || endLine === undefined ? undefined : { ...before.read, end: endLine };
      return { ...before, place, read };
    });
}

function lost(before: TypedSegment): TypedSegment {
  return { ...before, place: { line: undefined, col: 0 }, read: undefined };
}
