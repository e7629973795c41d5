/** The commands of a terminal's shell, and the lines that each of them stands in. Asks for no text. */
import type { Reply } from '../protocol/registry.js';
import type { Block } from './block-words.js';
import { RequestError, type DaemonLink } from './daemon-link.js';

type CommandOfShell = Reply<'commands'>['commands'][number];

interface Place {
  readonly first: number;
  readonly end: number;
}

/** That the daemon keeps. */
const MOST = 1000;
/** Asked for after an event; more are asked for only if there is a gap. */
const NEWEST = 30;
/** Requests on their way: the page has 64, and other parts need some. */
const AT_ONCE = 12;
/** Lines of a prompt above the output; more are something else. */
const PROMPT_LINES = 6;

export class BlockLog {
  readonly #link: DaemonLink;
  readonly #id: string;
  #records: readonly CommandOfShell[] = [];
  /** Null: there are no such lines, or the screen that is shown does not have them. */
  readonly #places = new Map<number, Place | null>();
  #blocks: readonly Block[] = [];
  #cols = 0;
  #turn: Promise<void> | undefined;
  #isDue = false;
  #isLeft = false;

  constructor(link: DaemonLink, id: string) {
    this.#link = link;
    this.#id = id;
  }

  /** Oldest first, those alone whose lines are there. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  leave(): void {
    this.#isLeft = true;
  }

  /** @param cols of the terminal: another width lays all lines out anew. @param onMore there are further blocks. @throws RequestError */
  refresh(cols: number, onMore: () => void): Promise<void> {
    if (cols !== this.#cols) this.#places.clear();
    this.#cols = cols;
    this.#isDue = true;
    this.#turn ??= this.#read(onMore).finally(() => (this.#turn = undefined));
    return this.#turn;
  }

  async #read(onMore: () => void): Promise<void> {
    while (this.#isDue && !this.#isLeft) {
      this.#isDue = false;
      await this.#readRecords();
      await this.#readPlaces(onMore);
    }
  }

  async #readRecords(): Promise<void> {
    const known = this.#records.at(-1);
    let records = await this.#commands(known === undefined ? MOST : NEWEST);
    const again = records.find(({ n }) => n === known?.n);
    if (known !== undefined && (again === undefined || again.started_at !== known.started_at)) {
      // A gap, or another program: the numbers are those of other commands.
      this.#places.clear();
      this.#records = [];
      records = await this.#commands(MOST);
    }
    const [oldest] = records;
    const before = oldest === undefined ? [] : this.#records.filter(({ n }) => n < oldest.n);
    this.#records = [...before, ...records].slice(-MOST);
  }

  async #commands(last: number): Promise<readonly CommandOfShell[]> {
    const { commands } = await this.#link.ask('commands', { id: this.#id, last });
    return Array.isArray(commands) ? commands : [];
  }

  /** From the newest on, up to one whose place is known and has not changed: what is above it has not, either. */
  async #readPlaces(onMore: () => void): Promise<void> {
    let end = this.#records.length;
    for (let size = 2; end > 0 && !this.#isLeft && !this.#isDue; size = AT_ONCE) {
      const batch = this.#records.slice(Math.max(0, end - size), end);
      end -= batch.length;
      const before = batch.map(({ n }) => this.#places.get(n));
      const cols = this.#cols;
      const places = await Promise.all(batch.map((record) => this.#placeOf(record)));
      if (cols !== this.#cols) break;
      for (const [i, { n }] of batch.entries()) this.#places.set(n, places[i] ?? null);
      this.#arrange();
      onMore();
      const [first] = batch;
      const isOld = first !== undefined && !first.running && isSame(before[0], places[0]);
      if (isOld && this.#records.slice(0, end).every(({ n }) => this.#places.has(n))) break;
    }
    this.#arrange();
    onMore();
  }

  async #placeOf({ n, running }: CommandOfShell): Promise<Place | null> {
    try {
      // No line of it: the range alone.
      const fields = { id: this.#id, command: n, start: 0, end: 0 } as const;
      const { first_line: end, total_lines: lines, lost_lines: lost = 0 } = await this.#link.ask('text', fields);
      if (lost > 0 && lines === 0) return null;
      return { first: end - lines, end: running ? Infinity : end };
    } catch (error) {
      if (error instanceof RequestError && error.code === 'command_not_found') return null;
      throw error;
    }
  }

  #arrange(): void {
    const blocks: Block[] = [];
    for (const { n, command, running, code, duration_ms: durationMs } of this.#records) {
      const place = this.#places.get(n);
      if (place === undefined || place === null) continue;
      const above = blocks.at(-1)?.end ?? 0;
      const isNext = above < place.first && place.first - above <= PROMPT_LINES && blocks.at(-1)?.n === n - 1;
      const head = isNext ? above : Math.max(0, above, place.first - 1);
      blocks.push({ n, command, running, code, durationMs, head: Math.min(head, place.first), ...place });
    }
    this.#blocks = blocks;
  }
}

function isSame(one: Place | null | undefined, other: Place | null | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one?.first === other?.first && one?.end === other?.end;
}
