/** Makes entries of blocks and writes down what changes: the only place where ids and versions are given. */
import type { Block } from './blocks.js';
import { type Entry, type EntryChange, entryId, type EntryRegion } from './entry.js';
import type { Rule } from './rule.js';

/** An entry, and the block that it was seen as last. */
export interface Known {
  entry: Entry;
  block: Block;
  /** Pushed out of the last {@link MAX_OPEN}: it changes no more. */
  frozen: boolean;
}

/** Facts that a look adds to its blocks. */
export interface LookInstant {
  readonly rev: number;
  readonly ts: number;
  /** Numbers of lines are lasting. */
  readonly lasting: boolean;
  /** Region of lines in the viewport. @param end number after the last one */
  readonly regionOf: (number: number, end: number) => EntryRegion | null;
}

/** An entry of that id which other rules, or the same ones before, have found. */
export type Earlier = (id: string) => Entry | undefined;

/** Entries that may still change, as in the seed. */
export const MAX_OPEN = 8;

/** Entries that later blocks of the same key are matched with. */
const MAX_KEYS = 256;
/** Places whose entries are counted, so that a later one there has another id. */
const MAX_PLACES = 1024;

/** Entries by their numbers. */
export interface FrozenLedger {
  readonly keys: readonly (readonly [string, number])[];
  readonly counts: readonly (readonly [string, number])[];
  readonly open: readonly number[];
}

export class Ledger {
  readonly #terminal: string;
  readonly #generation: number;
  readonly #keys = new Map<string, Known>();
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<Known>();
  readonly #earlier: Earlier;
  #changes: EntryChange[] = [];

  constructor(terminal: string, generation: number, earlier: Earlier = () => undefined) {
    this.#terminal = terminal;
    this.#generation = generation;
    this.#earlier = earlier;
  }

  /** Between two looks. */
  freeze(numberOf: (known: Known) => number): FrozenLedger {
    return {
      keys: Array.from(this.#keys, ([key, known]) => [key, numberOf(known)] as const),
      counts: [...this.#counts],
      open: Array.from(this.#open, numberOf),
    };
  }

  restore({ keys, counts, open }: FrozenLedger, known: (number: number) => Known): void {
    for (const [key, number] of keys) this.#keys.set(key, known(number));
    for (const [place, count] of counts) this.#counts.set(place, count);
    for (const number of open) this.#open.add(known(number));
  }

  /** Whether a later look may finalize entries. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  take(): EntryChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** The entry of the block's key, if it has one that was seen before. */
  keyed(block: Block): Known | undefined {
    const key = blockKey(block);
    return key === undefined ? undefined : this.#keys.get(key);
  }

  add(block: Block, at: LookInstant): Known {
    const { rule } = block;
    const key = blockKey(block);
    const id = entryId(this.#terminal, this.#generation, rule.kind, key ?? this.#place(block));
    const earlier = this.#earlier(id);
    const own = facts(block, at);
    const known: Known = {
      entry: {
        id,
        terminal: this.#terminal,
        kind: rule.kind,
        rule: rule.id,
        version: (earlier?.version ?? 0) + 1,
        open: true,
        ts: earlier?.ts ?? at.ts,
        rev: at.rev,
        ...own,
      },
      block,
      frozen: false,
    };
    if (key !== undefined) insert(this.#keys, key, known, MAX_KEYS);
    if (earlier === undefined || !saysTheSame(earlier, own)) this.#upsert(known);
    else {
      known.entry = earlier;
      if (earlier.open) this.#open.add(known);
    }
    return known;
  }

  /** @returns whether it says something else now */
  see(known: Known, block: Block, at: LookInstant): boolean {
    const before = known.block;
    known.block = block;
    const now = facts(block, at);
    if (known.frozen || saysTheSame(known.entry, now)) return false;
    const { version } = known.entry;
    known.entry = { ...known.entry, ...now, rule: block.rule.id, rev: at.rev, version: version + 1, open: true };
    if (before.rule !== block.rule) known.entry = { ...known.entry, kind: block.rule.kind };
    this.#upsert(known);
    return true;
  }

  /** Opens a block that is on the screen anew: an act on the one before was no act on this one. */
  reopen(known: Known, block: Block, at: LookInstant): void {
    if (this.see(known, block, at) || known.entry.open || known.frozen) return;
    known.entry = { ...known.entry, rev: at.rev, version: known.entry.version + 1, open: true };
    this.#upsert(known);
  }

  finalize(known: Known): void {
    if (!known.entry.open) return;
    known.entry = { ...known.entry, open: false };
    this.#open.delete(known);
    this.#changes.push({ op: 'finalize', entry: known.entry });
  }

  delete(known: Known): void {
    known.entry = { ...known.entry, open: false };
    this.#open.delete(known);
    const key = blockKey(known.block);
    if (key !== undefined) this.#keys.delete(key);
    this.#changes.push({ op: 'delete', entry: known.entry });
  }

  finalizeAll(): void {
    for (const known of this.#open) this.finalize(known);
  }

  #upsert(known: Known): void {
    this.#changes.push({ op: 'upsert', entry: known.entry });
    this.#open.delete(known);
    this.#open.add(known);
    for (const oldest of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      oldest.frozen = true;
      this.finalize(oldest);
    }
  }

  #place({ rule, number }: Block): string {
    const place = `${rule.kind} ${number}`;
    const count = (this.#counts.get(place) ?? 0) + 1;
    insert(this.#counts, place, count, MAX_PLACES);
    return `${number} ${count}`;
  }
}

function insert<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max)
    for (const oldest of map.keys()) {
      map.delete(oldest);
      break;
    }
}

/** Key of a block whose rule has one: the rule's template with the captures in it, by its kind. */
export function blockKey({ rule, captures }: Block): string | undefined {
  if (rule.key === undefined) return undefined;
  const key = rule.key.replaceAll(/\{(\w+)\}/g, (_, name: string) => captures[name] ?? '');
  return JSON.stringify([rule.kind, key]);
}

function facts(
  block: Block,
  { lasting, regionOf }: LookInstant,
): Pick<Entry, 'line' | 'lines' | 'region' | 'confidence' | 'data'> {
  const { rule, captures, text, number, endNumber, lines, confidence } = block;
  return {
    line: lasting ? number : null,
    lines,
    region: regionOf(number, endNumber),
    confidence,
    data: {
      ...rule.data,
      ...Object.fromEntries(Object.entries(captures).map(([name, value]) => [name, typed(rule, name, value)])),
      text: captures['text'] ?? text,
    },
  };
}

function saysTheSame(entry: Entry, { confidence, data }: Pick<Entry, 'confidence' | 'data'>): boolean {
  return JSON.stringify([entry.confidence, entry.data]) === JSON.stringify([confidence, data]);
}

function typed({ numbers }: Rule, name: string, value: string): string | number {
  if (!numbers.has(name)) return value;
  const number = Number(value.replaceAll(',', ''));
  return value === '' || !Number.isFinite(number) ? value : number;
}
