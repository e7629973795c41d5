/**
 * Lines to blocks: the first rule that starts on a line opens a block; lines that continue it belong to it; a line that
 * starts the same rule, or one above it, ends it, and so does any other line. In steps, so that long lines hold nobody up.
 */
import type { Work } from '../search/work.js';
import type { LookLine } from './look.js';
import { MAX_LINE_LENGTH, type Pattern, type PatternMatch } from './pattern.js';
import type { Rule } from './rule.js';

export interface Block {
  readonly rule: Rule;
  /** Place of its first line. */
  readonly number: number;
  /** Number after its last line. */
  readonly endNumber: number;
  readonly lines: number;
  readonly firstText: string;
  readonly text: string;
  readonly captures: Readonly<Record<string, string>>;
  readonly confidence: number;
  /** Lines that follow cannot belong to it. */
  readonly closed: boolean;
  /** False while it is too short for its rule and may still grow. */
  readonly sure: boolean;
}

/** Characters of an entry's text. */
const MAX_TEXT_LENGTH = 1000;

/** Blocks of one look: a rule that matches everything takes several looks for a screen. */
const MAX_BLOCKS = 100;

/** Kind of a rule whose blocks end those of others, and are no entries themselves. */
const NO_ENTRY = 'none';

/** Steps between two pauses, see {@link Work}. */
const STEPS_A_PIECE = 10_000;

export interface Lines {
  readonly lines: readonly LookLine[];
  /** Number of the row that is being written; a block of one line is closed once it is below. */
  readonly cursor: number;
  readonly more: boolean;
  /** The last line is still being printed: it ends and closes nothing, and starts a block of few rules only. */
  readonly unfinished: boolean;
  /** Blocks that may be found. */
  readonly room?: number;
}

export interface FoundBlocks {
  readonly blocks: readonly Block[];
  /** Number of the first line that was not read; undefined if all were. */
  readonly unread: number | undefined;
}

/** Verdict of patterns on one line. */
interface Verdict {
  /** The last look that had the line. */
  turn: number;
  /** Undefined: not asked yet. */
  starting: readonly Rule[] | undefined;
  /** Matches by pattern, null for no match; undefined until one is asked. */
  matches: Map<Pattern, PatternMatch | null> | undefined;
}

/** Lines of earlier looks that are kept beside as many as the last one had. */
const MAX_FORMER_LINES = 32;

/** Verdicts of patterns on lines, kept while a line stays: most looks see the same lines again. */
export class Verdicts {
  readonly #verdicts = new Map<string, Verdict>();
  #turn = 0;
  /** Lines of this look. */
  #seen = 0;
  #steps = 0;

  /** A look begins: drops verdicts about lines that the last one did not have, once they are many. */
  turn(): void {
    if (this.#verdicts.size > 2 * this.#seen + MAX_FORMER_LINES) {
      for (const [text, { turn }] of this.#verdicts) if (turn !== this.#turn) this.#verdicts.delete(text);
    }
    this.#turn++;
    this.#seen = 0;
  }

  /** Rules that start on the line, if that is known. */
  known(text: string): readonly Rule[] | undefined {
    return this.#about(text).starting;
  }

  *of(rules: readonly Rule[], text: string): Work<readonly Rule[]> {
    const verdict = this.#about(text);
    if (verdict.starting !== undefined) return verdict.starting;
    const starting: Rule[] = [];
    let steps = 0;
    for (const rule of rules) {
      if (rule.start.test(text)) starting.push(rule);
      steps += rule.start.stepsFor(text.length) + 1;
      if (steps < STEPS_A_PIECE) continue;
      yield steps;
      steps = 0;
    }
    return (verdict.starting = starting);
  }

  /** Match by {@link Pattern.match}. */
  match(pattern: Pattern, text: string): PatternMatch | undefined {
    const matches = (this.#about(text).matches ??= new Map<Pattern, PatternMatch | null>());
    let match = matches.get(pattern);
    if (match === undefined) {
      match = pattern.match(text) ?? null;
      matches.set(pattern, match);
      this.#steps += pattern.stepsFor(text.length) + 1;
    }
    return match ?? undefined;
  }

  /** Count of steps of {@link match} since the last call: its caller pauses if there were some. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }

  #about(text: string): Verdict {
    let verdict = this.#verdicts.get(text);
    if (verdict === undefined) {
      verdict = { turn: -1, starting: undefined, matches: undefined };
      this.#verdicts.set(text, verdict);
    }
    if (verdict.turn !== this.#turn) {
      verdict.turn = this.#turn;
      this.#seen++;
    }
    return verdict;
  }
}

export function* findBlocks(rules: readonly Rule[], all: Lines, verdicts: Verdicts): Work<FoundBlocks> {
  const isCut = all.unfinished && !all.more;
  const given = isCut ? { ...all, lines: all.lines.slice(0, -1) } : all;
  const found = yield* findIn(rules, given, verdicts);
  const last = all.lines.at(-1);
  const goesOn = found.blocks.at(-1)?.closed === false && found.blocks.at(-1)?.endNumber === last?.number;
  if (!isCut || last === undefined || goesOn || found.unread !== undefined) return found;
  const early = rules.filter(({ unfinished }) => unfinished);
  if (early.length === 0) return found;
  const { blocks } = yield* findIn(early, { ...all, lines: [last] }, new Verdicts());
  return { blocks: [...found.blocks, ...blocks], unread: undefined };
}

function* findIn(rules: readonly Rule[], given: Lines, verdicts: Verdicts): Work<FoundBlocks> {
  const { lines, room = MAX_BLOCKS } = given;
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length;) {
    const line = lines[i] as LookLine;
    // Most lines were there before, and start nothing.
    const starting = verdicts.known(seen(line)) ?? (yield* verdicts.of(rules, seen(line)));
    let found: Found;
    for (const rule of starting) {
      for (let each: Rule | undefined = rule; each !== undefined && found === undefined; each = each.fallback) {
        const match = verdicts.match(each.start, seen(line));
        if (match === undefined) continue;
        found =
          each.steps.length > 0
            ? inSteps(each, match, given, i, verdicts)
            : yield* continued(each, rules, match, given, i, verdicts);
      }
      const steps = verdicts.takeSteps();
      if (steps > 0) yield steps;
      if (found !== undefined) break;
    }
    const isKept = found !== undefined && found.block.rule.kind !== NO_ENTRY;
    if (isKept && blocks.length === room) return { blocks, unread: line.number };
    if (isKept) blocks.push((found as NonNullable<Found>).block);
    i += found?.count ?? 1;
  }
  return { blocks, unread: undefined };
}

type Found = { block: Block; count: number } | undefined;

function* continued(
  rule: Rule,
  rules: readonly Rule[],
  match: PatternMatch,
  given: Lines,
  at: number,
  verdicts: Verdicts,
): Work<Found> {
  const { lines } = given;
  const captures = { ...match.captures };
  const isSingle = rule.continues === undefined && rule.end === undefined;
  let closed = false;
  let next = at + 1;
  for (; !isSingle && !closed && next < lines.length; next++) {
    if (next - at === rule.maxLines) break;
    const text = seen(lines[next] as LookLine);
    const last = rule.end === undefined ? undefined : verdicts.match(rule.end, text);
    if (last !== undefined) {
      Object.assign(captures, last.captures);
      closed = true;
      continue;
    }
    if (yield* isEndedBy(rule, rules, given, next, verdicts)) break;
    if (rule.continues === undefined) continue;
    const more = verdicts.match(rule.continues, text);
    const steps = verdicts.takeSteps();
    if (steps > 0) yield steps;
    if (more === undefined) break;
    Object.assign(captures, more.captures);
  }
  const isFollowed = next < lines.length;
  const isWritten = endOf(lines[next - 1] as LookLine) <= given.cursor || given.more;
  closed ||= isFollowed || (isSingle && isWritten);
  return { block: blockOf(rule, lines.slice(at, next), captures, rule.confidence, closed, true), count: next - at };
}

/** A rule above stands before what continues a block of this one, once the lines after its first can be its steps. */
function* isEndedBy(rule: Rule, rules: readonly Rule[], given: Lines, at: number, verdicts: Verdicts): Work<boolean> {
  const text = seen(given.lines[at] as LookLine);
  const own = rules.indexOf(rule);
  for (const other of verdicts.known(text) ?? (yield* verdicts.of(rules, text))) {
    if (other === rule) return true;
    if (rules.indexOf(other) > own) continue;
    if (other.steps.length === 0 || other.fallback !== undefined) return true;
    const match = verdicts.match(other.start, text);
    const isBegun = match !== undefined && inSteps(other, match, given, at, verdicts) !== undefined;
    const steps = verdicts.takeSteps();
    if (steps > 0) yield steps;
    if (isBegun) return true;
  }
  return false;
}

function inSteps(rule: Rule, match: PatternMatch, { lines }: Lines, at: number, verdicts: Verdicts): Found {
  const captures = { ...match.captures };
  let step = 0;
  let taken = 0;
  let next = at + 1;
  let matched = 0;
  let failed = false;
  while (step < rule.steps.length && next < lines.length && next - at < rule.maxLines && !failed) {
    const { match: pattern, optional, repeat, ahead } = rule.steps[step] as Rule['steps'][number];
    const found = verdicts.match(pattern, seen(lines[next] as LookLine));
    if (found !== undefined) {
      Object.assign(captures, found.captures);
      if (!ahead) next++;
      if (taken === 0) matched++;
      taken++;
      if (ahead || !repeat) [step, taken] = [step + 1, 0];
    } else if (optional || taken > 0) {
      if (taken === 0) matched++;
      [step, taken] = [step + 1, 0];
    } else failed = true;
  }
  // At the end of what is there, steps that may be left out are still awaited.
  const isComplete = step === rule.steps.length || (next >= lines.length && rest(rule, step, taken));
  const isDecided = step === rule.steps.length || failed || next - at === rule.maxLines || next < lines.length;
  const confidence = isComplete ? rule.confidence : (rule.confidence * (1 + matched)) / (1 + rule.steps.length);
  const isEnough = isComplete || confidence >= rule.minConfidence;
  if (isDecided && !isEnough) return undefined;
  const rounded = Math.round(confidence * 1000) / 1000;
  return { block: blockOf(rule, lines.slice(at, next), captures, rounded, isDecided, isEnough), count: next - at };
}

function rest({ steps }: Rule, step: number, taken: number): boolean {
  return steps.slice(step).every(({ optional }, i) => optional || (i === 0 && taken > 0));
}

/** The text of a region as a whole, and where its rule's pattern is found in it. */
export function wholeBlocks(rule: Rule, top: number, rows: readonly string[]): Block[] {
  const text = rows.join('\n');
  return rule.start.matches(text).map(({ start, end, captures }) => {
    const found = text.slice(start, end);
    const number = top + countOf(text.slice(0, start));
    const lines = 1 + countOf(found);
    const [firstText = ''] = found.split('\n');
    const own = { rule, number, endNumber: number + lines, lines, firstText, text: shortened(found) };
    return { ...own, captures, confidence: rule.confidence, closed: true, sure: true };
  });
}

function countOf(text: string): number {
  return text.split('\n').length - 1;
}

function blockOf(
  rule: Rule,
  lines: readonly LookLine[],
  captures: Block['captures'],
  confidence: number,
  closed: boolean,
  sure: boolean,
): Block {
  const [first, last] = [lines[0] as LookLine, lines.at(-1) as LookLine];
  // Blank lines at the end are read with it, and are no part of what it says.
  const written = lines.slice(0, Math.max(1, lines.findLastIndex(({ text }) => text !== '') + 1));
  const text = shortened(written.map(seen).join('\n'));
  return {
    rule,
    captures,
    confidence,
    closed,
    sure,
    text,
    number: first.number,
    endNumber: endOf(last),
    lines: written.length,
    firstText: seen(first),
  };
}

function endOf({ number, rows }: LookLine): number {
  return number + rows;
}

/** Text of a line that rules see. */
function seen({ text }: LookLine): string {
  return text.length > MAX_LINE_LENGTH ? text.slice(0, MAX_LINE_LENGTH) : text;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text;
}
