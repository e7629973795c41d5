/** Screens that a person has seen of each terminal, kept by the browser, and a line for each with entries since, for a person who comes back. */
import type { DaemonState } from './daemon-state.js';
import type { Entry, Tone } from './entry-feed.js';
import type { TerminalState } from './listed.js';
import type { Moment } from './then.js';

/** Words before each line for screen readers, and in its tip. */
export const AWAY_WORDS = 'While you were away';

export interface AwayLine {
  /** The entry that matters most. */
  readonly words: string;
  readonly tone: Tone;
  /** Further entries. */
  readonly more: number;
  /** Day and time of its moment. */
  readonly time: string;
  readonly moment: Moment;
}

const STORED = 't4a-seen';

/** Terminals whose revisions are kept; what was seen first goes. */
const MOST_SEEN = 200;
/** Requests of one return. */
const MOST_ASKED = 100;
const MOST_ENTRIES = 50;

export class Absence {
  /** Revisions of screens, by {@link seenKey}. */
  readonly #seen = kept();
  readonly #lines = new Map<string, AwayLine>();
  #shown: ReadonlyMap<string, AwayLine> = new Map();
  /** Function that makes a line; its part of the program is loaded when it is meant. */
  lineOf: ((since: readonly [Entry, ...Entry[]]) => Promise<AwayLine>) | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @param isHeld a mouse is over the list, and nothing in it moves @returns lines by {@link seenKey} */
  shown(isHeld: boolean): ReadonlyMap<string, AwayLine> {
    if (!isHeld) this.#shown = new Map(this.#lines);
    return this.#shown;
  }

  /** A person saw the screen of that revision, and leaves it. */
  saw(key: string, rev: number): void {
    this.#lines.delete(key);
    this.#seen.delete(key);
    this.#seen.set(key, rev);
    localStorage.setItem(STORED, JSON.stringify([...this.#seen].slice(-MOST_SEEN)));
  }

  /** A person is back. At the first visit everything is new, and nothing is said. */
  async returned({ name, terminals, link }: DaemonState): Promise<void> {
    const { lineOf } = this;
    if (this.#seen.size === 0 || lineOf === undefined) return;
    try {
      for (const terminal of terminals.slice(0, MOST_ASKED)) {
        const { entries } = await link.ask('entries', { id: terminal.id, last: MOST_ENTRIES, max: MOST_ENTRIES });
        const key = seenKey(name, terminal);
        const rev = this.#seen.get(key) ?? -1;
        const [first, ...others] = Array.isArray(entries) ? entries.filter((entry) => entry.rev > rev) : [];
        if (first === undefined) this.#lines.delete(key);
        else this.#lines.set(key, await lineOf([first, ...others]));
      }
    } catch {
      // The connection is lost, or the daemon has no entries: its items stand as they are.
    }
    this.#onChange();
  }
}

/** A terminal that is made or started again by its name is another. */
export function seenKey(daemon: string, { id, created_at: created, generation }: TerminalState): string {
  return JSON.stringify([daemon, id, created, generation]);
}

function kept(): Map<string, number> {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return new Map(Array.isArray(all) ? (all as [string, number][]) : []);
  } catch {
    return new Map();
  }
}
