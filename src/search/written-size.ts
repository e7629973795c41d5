/**
 * Estimates the size of a pattern with its repetitions written out, from its text alone. Compiling one of a million
 * instructions, only to find that it is too large, takes most of a second. Syntax errors are the compiler's concern.
 */

/** Quoted text; an escape; a class; a count; flags; the beginning and the end of a group; any other character. */
const TOKENS =
  /\\Q(?<quoted>.*?)(?:\\E|$)|\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)|\[\^?\]?(?:\[:\^?\w{1,10}:\]|\\.|[^\]\\])*\]|\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<flags>\(\?[a-zA-Z-]+\))|(?<group>\((?:\?P?<[^>]*>|\?[a-zA-Z-]*:)?)|(?<end>\))|./gsu;

export function writtenSize(pattern: string): number {
  /** Sizes for each open group, from the outermost: of its content, and of the last item in it. */
  const open = [{ all: 0, last: 0 }];
  const top = (): { all: number; last: number } => open.at(-1) ?? { all: 0, last: 0 };
  const add = (size: number): void => {
    top().all += size;
    top().last = size;
  };
  for (const [, quoted, least, most, flags, group, end] of pattern.matchAll(TOKENS)) {
    if (least !== undefined) {
      const { last } = top();
      top().all -= last;
      add(last * Math.max(Number(least), Number(most ?? 0)));
    } else if (flags !== undefined) continue;
    else if (group !== undefined) open.push({ all: 0, last: 0 });
    else if (end !== undefined && open.length > 1) add((open.pop()?.all ?? 0) + 1);
    else if (quoted === undefined) add(1);
    else {
      top().all += quoted.length;
      add(1);
    }
  }
  return open.reduce((sum, { all }) => sum + all, 0);
}
