/**
 * Screens over time to changes of entries, by the rules of one profile. Pure: no clock, no terminal, no file. The same rules
 * and the same looks give the same changes.
 */
import { rowCols, rowText, trimmedText } from '../vt/rows/row-text.js';
import type { SnapshotRow } from '../vt/snapshot.js';
import type { Work } from '../search/work.js';
import { findBlocks, Verdicts, wholeBlocks, type Block } from './blocks.js';
import type { EntryChange, EntryRegion } from './entry.js';
import { type FrozenKnown, KnownNumbers, thawedKnown } from './frozen-known.js';
import { type Earlier, type FrozenLedger, type LookInstant, type Known, Ledger } from './ledger.js';
import type { Look } from './look.js';
import { allRules, type Profile, type Region, type Rule, within } from './rule.js';
import { type FrozenTrack, Track, type TrackTraits } from './track.js';

/** Entries that are new in one look. With more, the rest is left to the next look. */
const MAX_NEW = 50;

const LINES: TrackTraits = { whileShown: false, remembers: false };
const ALT_LINES: TrackTraits = { whileShown: false, remembers: true };
const SHOWN: TrackTraits = { whileShown: true, remembers: false };

/** Rules that read the same part of the viewport. */
interface Area {
  readonly region: Region | undefined;
  readonly rules: readonly Rule[];
  readonly verdicts: Verdicts;
  readonly track: Track;
  /** Rows of the triggers at the last look. */
  seen: readonly string[] | undefined;
}

/** Rules that read one line beside the screen. */
interface Beside {
  readonly on: 'title' | 'report';
  readonly rules: readonly Rule[];
  readonly verdicts: Verdicts;
  readonly track: Track;
}

export interface FrozenEngine {
  readonly ledger: FrozenLedger;
  readonly tracks: readonly FrozenTrack[];
  readonly seen: readonly (readonly string[] | undefined)[];
  readonly altScreen: boolean;
  readonly next: number;
  readonly isBehind: boolean;
  readonly known: readonly FrozenKnown[];
}

export class Engine {
  readonly profile: Profile;
  readonly #ledger: Ledger;
  readonly #rules: readonly Rule[];
  readonly #verdicts = new Verdicts();
  readonly #normal: Track;
  readonly #alt: Track;
  readonly #besides: readonly Beside[];
  readonly #areas: readonly Area[];
  #altScreen = false;
  /** Number of the first line of the normal screen that was not read. */
  #next = 0;
  #isBehind = false;

  /** @param earlier entries that are not to be found a second time */
  constructor(profile: Profile, terminal: string, generation = 0, earlier?: Earlier) {
    this.profile = profile;
    this.#ledger = new Ledger(terminal, generation, earlier);
    this.#rules = profile.rules.filter(({ on }) => on === 'lines');
    this.#normal = new Track(this.#ledger, LINES);
    this.#alt = new Track(this.#ledger, ALT_LINES);
    this.#besides = (['title', 'report'] as const).flatMap((on) => besideOf(profile, on, this.#ledger));
    this.#areas = areasOf(profile.rules, this.#ledger);
  }

  /** Between two looks. */
  freeze(): FrozenEngine {
    const numbers = new KnownNumbers(allRules(this.profile));
    return {
      ledger: this.#ledger.freeze(numbers.of),
      tracks: this.#tracks.map((track) => track.freeze(numbers.of)),
      seen: this.#areas.map(({ seen }) => seen),
      altScreen: this.#altScreen,
      next: this.#next,
      isBehind: this.#isBehind,
      known: numbers.all(),
    };
  }

  /** Goes on from an engine of the same rules. @throws Error if they are others */
  restore({ ledger, tracks, seen, altScreen, next, isBehind, known }: FrozenEngine): void {
    const knownOf = thawedKnown(known, allRules(this.profile));
    this.#ledger.restore(ledger, knownOf);
    for (const [at, track] of this.#tracks.entries()) {
      const frozen = tracks[at];
      if (frozen !== undefined) track.restore(frozen, knownOf);
    }
    for (const [at, area] of this.#areas.entries()) area.seen = seen[at];
    this.#altScreen = altScreen;
    this.#next = next;
    this.#isBehind = isBehind;
  }

  get #tracks(): readonly Track[] {
    return [this.#normal, this.#alt, ...[...this.#besides, ...this.#areas].map(({ track }) => track)];
  }

  /** Number of the first line that the next look must have, beside those of the viewport. */
  get from(): number {
    return Math.min(this.#next, this.#normal.firstOpen ?? this.#next);
  }

  /** Lines were left for a look that follows at once. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** A look that shows the same may finalize entries. */
  get hasOpen(): boolean {
    return this.#ledger.hasOpen;
  }

  /** Entries of lines and regions that the last look had, with the blocks that they were seen as. */
  get shown(): readonly Known[] {
    const lines = this.#altScreen ? this.#alt : this.#normal;
    return [lines, ...this.#areas.map(({ track }) => track)].flatMap(({ known }) => known);
  }

  /** Leaves out the lines before `number`. */
  skipTo(number: number): void {
    this.#next = Math.max(this.#next, number);
    this.#ledger.finalizeAll();
  }

  *look(look: Look): Work<readonly EntryChange[]> {
    const { altScreen, rev, ts } = look;
    if (altScreen !== this.#altScreen) this.#switch(altScreen);
    const at: LookInstant = { rev, ts, lasting: !altScreen, regionOf: regionIn(look) };
    const rest = yield* this.#readLines(look, at);
    this.#isBehind = rest !== undefined || look.more;
    if (!this.#isBehind) {
      for (const beside of this.#besides) yield* readBeside(beside, look);
      for (const area of this.#areas) yield* readArea(area, look);
    }
    return this.#ledger.take();
  }

  /** The program has ended, or the rules are others now: nothing changes any more. */
  end(): readonly EntryChange[] {
    this.#ledger.finalizeAll();
    return this.#ledger.take();
  }

  *#readLines(look: Look, at: LookInstant): Work<number | undefined> {
    const { lines, cursor, more, unfinished, altScreen, renumbered, top } = look;
    const track = altScreen ? this.#alt : this.#normal;
    if (this.#rules.length === 0) return undefined;
    this.#verdicts.turn();
    const room = track.size + MAX_NEW;
    const { blocks, unread } = yield* findBlocks(
      this.#rules,
      { lines, cursor, more, unfinished, room },
      this.#verdicts,
    );
    const last = lines.at(-1);
    const read = unread ?? (more && last !== undefined ? last.number + last.rows : undefined);
    const first = renumbered ? -Infinity : (lines[0]?.number ?? top);
    track.update(blocks, { first: Math.min(first, top), end: read ?? Infinity, renumbered, top }, at);
    if (!altScreen) this.#next = read ?? top;
    return unread;
  }

  #switch(altScreen: boolean): void {
    (this.#altScreen ? this.#alt : this.#normal).leave();
    if (altScreen) this.#alt.forget();
    for (const { track } of this.#areas) track.forget();
    this.#altScreen = altScreen;
  }
}

function besideOf(profile: Profile, on: Beside['on'], ledger: Ledger): Beside[] {
  const rules = profile.rules.filter((rule) => rule.on === on);
  return rules.length === 0 ? [] : [{ on, rules, verdicts: new Verdicts(), track: new Track(ledger, SHOWN) }];
}

function* readBeside({ on, rules, verdicts, track }: Beside, look: Look): Work<void> {
  verdicts.turn();
  const text = look[on];
  const lines = text === '' ? [] : [{ number: 0, rows: 1, text }];
  const { blocks } = yield* findBlocks(rules, { lines, cursor: 1, more: false, unfinished: false }, verdicts);
  track.update(blocks, ALL, { ts: look.ts, rev: look.rev, lasting: false, regionOf: () => null });
}

/** Everything of a region, and of what is beside the screen, is in each look. */
const ALL = { first: -Infinity, end: Infinity, renumbered: false, top: -Infinity };

function areasOf(rules: readonly Rule[], ledger: Ledger): Area[] {
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (rule.on !== 'region') continue;
    const place = JSON.stringify(rule.whole ? [rule.region, rule.id] : rule.region);
    groups.set(place, [...(groups.get(place) ?? []), rule]);
  }
  return [...groups.values()].map((own) => ({
    region: own[0]?.region,
    rules: own,
    verdicts: new Verdicts(),
    track: new Track(ledger, SHOWN),
    seen: undefined,
  }));
}

function* readArea(area: Area, look: Look): Work<void> {
  const [first] = area.rules;
  const { from, rows } = cut(look.viewport, area.region);
  const trigger = first?.trigger === undefined ? rows : cut(look.viewport, first.trigger).rows;
  if (area.seen !== undefined && !look.renumbered && sameTexts(trigger, area.seen)) return;
  area.seen = trigger;
  const top = from + (look.altScreen ? 0 : look.top);
  let blocks: readonly Block[];
  if (first?.whole === true) blocks = wholeBlocks(first, top, rows);
  else {
    area.verdicts.turn();
    const lines = rows.map((text, i) => ({ number: top + i, rows: 1, text }));
    const written = lines.slice(0, rows.findLastIndex((text) => text !== '') + 1);
    ({ blocks } = yield* findBlocks(
      area.rules,
      { lines: written, cursor: Infinity, more: false, unfinished: false },
      area.verdicts,
    ));
  }
  const { rev, ts, renumbered } = look;
  const at: LookInstant = { rev, ts, lasting: false, regionOf: regionIn(look, area.region) };
  area.track.update(blocks, { ...ALL, renumbered }, at);
}

/** The rows of lines, and the columns of the region that its rules read. */
function regionIn({ viewport, altScreen, top }: Look, region?: Region): LookInstant['regionOf'] {
  const [first] = viewport;
  const cols = first === undefined ? 0 : rowCols(first);
  const left = within(region?.left ?? 0, cols);
  const right = within(region?.right ?? cols, cols);
  const base = altScreen ? 0 : top;
  return (number, end): EntryRegion | null => {
    const [from, to] = [Math.max(0, number - base), Math.min(viewport.length, end - base)];
    return to <= from ? null : { top: from, left, bottom: to, right };
  };
}

function cut(viewport: readonly SnapshotRow[], region: Region | undefined): { from: number; rows: string[] } {
  const height = viewport.length;
  const from = within(region?.top ?? 0, height);
  const end = within(region?.bottom ?? height, height);
  const rows = viewport.slice(from, end).map((row) => {
    const cols = rowCols(row);
    const [left, right] = [within(region?.left ?? 0, cols), within(region?.right ?? cols, cols)];
    return left === 0 && right === cols ? trimmedText(row) : rowText(row, { from: left, to: right }).trimEnd();
  });
  return { from, rows };
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
