import { type Work } from '../../search/work.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { type LineBlock, lineOf } from '../../vt/line-block.js';
import { LineReader } from '../../vt/line-reader.js';
import { compilePattern, type Pattern } from '../../search/pattern.js';
import { regionRange } from '../../vt/region.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { readInTurn } from './read-turn.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';

export const grep =
  (core: LookingCore): Handler<'grep'> =>
  async (params, call) => {
    const { pattern: source, fixed, ignore_case: ignoreCase } = params;
    const pattern = compilePattern({ text: source, fixed, ignoreCase, field: 'pattern' });
    const terminal = core.terminals.use(params.id, call);
    const begin = (seen: ReadableTerminal): Work<GrepFacts> => search(seen, pattern, params);
    const above = params.region === 'viewport' ? 0 : Infinity;
    const needs = { above, lasting: true };
    const { value: work, lostLines, turn } = await readInTurn(core, terminal, params, begin, call, needs);
    const found = await core.work.finish(work, call.signal);
    const { reply, bytes } = await turn();
    return {
      reply: {
        ...(above === 0 ? countedFrom(found, lostLines ?? 0) : found),
        ...(lostLines === undefined || above === 0 ? {} : { lost_lines: lostLines }),
        ...reply,
      },
      ...(bytes === undefined ? {} : { bytes }),
    };
  };

type GrepFacts = Pick<Reply<'grep'>, 'matches' | 'total' | 'lines' | 'first_line' | 'rev'>;

/** Lines are counted from the oldest one of that moment, also where those above the viewport were not wanted. */
function countedFrom(found: GrepFacts, above: number): GrepFacts {
  if (above === 0) return found;
  const lower = (line: GrepLine): GrepLine => ({ ...line, line: line.line + above });
  const matches = found.matches.map((match) => ({
    ...match,
    ...lower(match),
    before: match.before.map(lower),
    after: match.after.map(lower),
  }));
  return { ...found, matches, first_line: found.first_line - above };
}

type GrepMatch = Reply<'grep'>['matches'][number];
type GrepLine = GrepMatch['before'][number];

/** Most spans of one line; more are neither printed nor needed. */
const MAX_SPANS = 100;

/** The viewport is read at once, so that it is of this instant; the scrollback, which does not change, in pieces. */
function search({ screen }: ReadableTerminal, pattern: Pattern, params: Params<'grep'>): Work<GrepFacts> {
  const reader = new LineReader(screen, regionRange(screen, params.region));
  reader.holdViewport();
  return searchLines({ screen, rev: screen.rev, reader }, new Matches(params, pattern), pattern);
}

interface Searched {
  readonly screen: ReadableScreen;
  readonly rev: number;
  readonly reader: LineReader;
}

function* searchLines({ screen, rev, reader }: Searched, matches: Matches, pattern: Pattern): Work<GrepFacts> {
  for (const block of reader.blocks()) {
    yield block.text.length;
    yield* searchBlock(block, pattern, matches);
  }
  // Counted from what is the oldest line now: the scrollback may have been cut since the search began.
  const first = screen.firstShownNumber;
  const indexed = (line: GrepLine): GrepLine => ({ ...line, line: line.number - first });
  return {
    matches: matches.kept().map((match) => ({
      ...match,
      ...indexed(match),
      before: match.before.map(indexed),
      after: match.after.map(indexed),
    })),
    total: matches.total,
    lines: reader.rowsRead,
    first_line: first,
    rev,
  };
}

/** Line by line only where lines match: most texts are passed over faster. */
function* searchBlock(block: LineBlock, pattern: Pattern, matches: Matches): Work<void> {
  const { text, starts, numbers } = block;
  for (let line = 0; line < numbers.length;) {
    const place = yield* pattern.passOver(text, starts[line] ?? 0);
    const next = place === -1 ? numbers.length : lineAt(starts, place, line);
    matches.pass(block, line, next);
    for (line = next; line < numbers.length && (yield* matches.take(block, line));) line++;
    line++;
  }
}

/** The line that a place is in, the line feed at its end included; one past the last behind all of them. */
function lineAt(starts: readonly number[], place: number, from: number): number {
  let line = from;
  while (line < starts.length - 1 && (starts[line + 1] ?? 0) <= place) line++;
  return line;
}

/** Collects matches with the lines around them, as lines come by. */
class Matches {
  total = 0;
  readonly #pattern: Pattern;
  readonly #max: number;
  readonly #last: boolean;
  readonly #before: number;
  readonly #after: number;
  #found: GrepMatch[] = [];
  /** The last lines that are not in the reply yet. */
  readonly #recent: GrepLine[] = [];
  #open: { readonly match: GrepMatch; missing: number } | undefined;

  constructor({ max, last, before, after, context }: Params<'grep'>, pattern: Pattern) {
    this.#pattern = pattern;
    this.#max = max;
    this.#last = last;
    this.#before = before ?? context;
    this.#after = after ?? context;
  }

  kept(): GrepMatch[] {
    return this.#last ? this.#found.slice(-this.#max) : this.#found;
  }

  /** Whether it matches. */
  *take(block: LineBlock, i: number): Work<boolean> {
    const text = lineOf(block, i);
    const matches = yield* this.#pattern.test(text);
    if (matches) this.total++;
    if (!matches || (!this.#last && this.#found.length >= this.#max)) {
      this.#surround(block, i);
      return matches;
    }
    const spans: GrepMatch['spans'] = [];
    yield* this.#pattern.matches(text, (span) => spans.push(span) < MAX_SPANS);
    const match = { line: 0, number: block.numbers[i] ?? 0, text, spans, before: this.#recent.splice(0), after: [] };
    this.#found.push(match);
    this.#open = { match, missing: this.#after };
    // Cut now and then, not for each of a million matches.
    if (this.#found.length >= this.#max * 2) this.#found = this.#found.slice(-this.#max);
    return true;
  }

  /** Lines without matches: only those at their ends may belong to one. */
  pass(block: LineBlock, first: number, end: number): void {
    const head = Math.min(end, first + (this.#open?.missing ?? 0));
    for (let i = first; i < head; i++) this.#surround(block, i);
    for (let i = Math.max(head, end - this.#before); i < end; i++) this.#surround(block, i);
  }

  #surround(block: LineBlock, i: number): void {
    const hasRoom = this.#open !== undefined && this.#open.missing > 0;
    if (!hasRoom && this.#before === 0) return;
    const line = { line: 0, number: block.numbers[i] ?? 0, text: lineOf(block, i) };
    if (this.#open !== undefined && hasRoom) {
      this.#open.match.after.push(line);
      this.#open.missing--;
      return;
    }
    this.#recent.push(line);
    if (this.#recent.length > this.#before) this.#recent.shift();
  }
}
