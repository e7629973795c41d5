/**
 * One place in which blocks appear (the lines of a screen, a region, the title): which block is which entry from look to
 * look, however the lines have moved in between.
 */
import type { Block } from './blocks.js';
import { type LookInstant, blockKey, type Known, type Ledger } from './ledger.js';

/** Lines and their numbers of which a look says everything. */
export interface BlockExtent {
  readonly first: number;
  /** Infinity: to the end. */
  readonly end: number;
  /** Numbers are others than before: only texts are compared. */
  readonly renumbered: boolean;
  /** Number of the viewport's first row: what is above changes no more. */
  readonly top: number;
}

export interface TrackTraits {
  /** An entry is open for as long as it is shown. Else until it is followed by others, and stays as it is. */
  readonly whileShown: boolean;
  /** Whether what comes back is what was there before: lines of a program that scrolls by itself. */
  readonly remembers: boolean;
}

const MAX_REMEMBERED = 256;

/** Entries by their numbers. */
export interface FrozenTrack {
  readonly known: readonly number[];
  readonly past: readonly number[];
  readonly unsure: number | undefined;
}

export class Track {
  readonly #ledger: Ledger;
  readonly #traits: TrackTraits;
  #known: Known[] = [];
  #past: Known[] = [];
  /** First line of a block that is too short yet. */
  #unsure: number | undefined;

  constructor(ledger: Ledger, traits: TrackTraits) {
    this.#ledger = ledger;
    this.#traits = traits;
  }

  freeze(numberOf: (known: Known) => number): FrozenTrack {
    return { known: this.#known.map(numberOf), past: this.#past.map(numberOf), unsure: this.#unsure };
  }

  restore({ known, past, unsure }: FrozenTrack, knownOf: (number: number) => Known): void {
    this.#known = known.map(knownOf);
    this.#past = past.map(knownOf);
    this.#unsure = unsure;
  }

  /** Number of the first line that a look must have; undefined: what is new is enough. */
  get firstOpen(): number | undefined {
    const numbers = this.#known.filter(({ entry }) => entry.open).map(({ block }) => block.number);
    if (this.#unsure !== undefined) numbers.push(this.#unsure);
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  }

  /** Entries that are on the screen. */
  get known(): readonly Known[] {
    return this.#known;
  }

  /** Number of entries that are on the screen. */
  get size(): number {
    return this.#known.length;
  }

  update(found: readonly Block[], extent: BlockExtent, at: LookInstant): void {
    const blocks = latestOfKeys(found.filter(({ sure }) => sure));
    this.#unsure = found.find(({ sure }) => !sure)?.number;
    const isSeen = ({ block }: Known): boolean =>
      extent.renumbered || (block.number >= extent.first && block.number < extent.end);
    const before = this.#known.filter(isSeen);
    const kept = this.#known.filter((known) => !isSeen(known) && known.block.number >= extent.end);
    // Lines above the extent are gone from the screen.
    for (const known of this.#known)
      if (!isSeen(known) && known.block.number < extent.first) this.#ledger.finalize(known);
    const entries = this.#match(blocks, before, extent);
    const stillThere = new Set(entries.values());
    for (const known of before) if (!stillThere.has(known)) this.#gone(known, blocks);
    const now: Known[] = [];
    for (const block of blocks) {
      const known = entries.get(block);
      const wasClosed = known?.block.closed === true;
      const next = known === undefined ? this.#appeared(block, at) : known;
      const isOther = known !== undefined && this.#ledger.see(known, block, at);
      if (!now.includes(next)) now.push(next);
      if (this.#traits.whileShown || !block.closed) continue;
      if (block.endNumber <= extent.top || (wasClosed && !isOther)) this.#ledger.finalize(next);
    }
    this.#known = [...now, ...kept];
  }

  /** Another screen is shown. */
  leave(): void {
    for (const known of this.#known) this.#ledger.finalize(known);
    this.#unsure = undefined;
  }

  forget(): void {
    this.leave();
    this.#known = [];
    this.#past = [];
  }

  /** Matches by key; else at the same place with the same text, elsewhere with the same text, at the same place with more of it. */
  #match(blocks: readonly Block[], before: readonly Known[], { renumbered }: BlockExtent): Map<Block, Known> {
    const matched = new Map<Block, Known>();
    const free = new Set(before);
    const pair = (block: Block, known: Known | undefined): void => {
      if (known === undefined) return;
      matched.set(block, known);
      free.delete(known);
    };
    for (const block of blocks) {
      const keyed = this.#ledger.keyed(block);
      if (keyed !== undefined && before.includes(keyed)) pair(block, keyed);
    }
    const ways: ((a: Block, b: Block) => boolean)[] = [
      (a, b) => !renumbered && a.number === b.number && a.firstText === b.firstText,
      (a, b) => a.firstText === b.firstText,
      (a, b) => !renumbered && a.number === b.number && isGrown(a.firstText, b.firstText),
    ];
    for (const isSame of ways) {
      for (const block of blocks) {
        if (matched.has(block) || block.rule.key !== undefined) continue;
        pair(
          block,
          [...free].find((known) => known.block.rule === block.rule && isSame(known.block, block)),
        );
      }
    }
    return matched;
  }

  #appeared(block: Block, at: LookInstant): Known {
    const keyed = this.#ledger.keyed(block);
    if (keyed !== undefined) {
      if (this.#traits.whileShown) this.#ledger.reopen(keyed, block, at);
      else this.#ledger.see(keyed, block, at);
      return keyed;
    }
    const index = this.#past.findIndex((known) => known.block.rule === block.rule && known.block.text === block.text);
    if (block.rule.key !== undefined || index === -1) return this.#ledger.add(block, at);
    const [known] = this.#past.splice(index, 1) as [Known];
    known.block = block;
    return known;
  }

  #gone(known: Known, blocks: readonly Block[]): void {
    const { number, firstText, rule } = known.block;
    const isMistaken =
      known.entry.open &&
      !this.#traits.whileShown &&
      blocks.some((block) => block.rule !== rule && block.number === number && block.firstText.startsWith(firstText));
    if (isMistaken) return this.#ledger.delete(known);
    this.#ledger.finalize(known);
    if (!this.#traits.remembers) return;
    this.#past.push(known);
    if (this.#past.length > MAX_REMEMBERED) this.#past.shift();
  }
}

/** Blocks of which the last one with a key counts. */
function latestOfKeys(blocks: readonly Block[]): Block[] {
  const latest = new Map(blocks.map((block) => [blockKey(block) ?? block, block]));
  return blocks.filter((block) => latest.get(blockKey(block) ?? block) === block);
}

function isGrown(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}
