/** The scrollback in view: only the rows around it are asked for and drawn. */
import { mirrorRow } from '../mirror/mirror.js';
import type { DaemonLink } from './daemon-link.js';
import type { TerminalScreen } from './terminal-screen.js';

/** Rows above and below the view that are asked for as well. */
const MARGIN = 60;

/** Lasting numbers: from one line up to, and without, another. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

const NO_LINES: Lines = { from: 0, to: 0 };

export class Past {
  /** Called when the oldest line is another. */
  onOldest: () => void = () => {};
  /** Called if a shell has marked commands. */
  onCommands: () => void = () => {};
  /** Lasting number of the oldest line that can be read. */
  #oldest = 0;
  /** Of the top row of the screen. */
  #firstLine = 0;
  /** Lines that were fetched since the last change of the width; some may have been dropped since. */
  #fetched: Lines = NO_LINES;
  /** Grows with each change of the width. */
  #layout = 0;
  #isAsking = false;
  readonly #link: DaemonLink;
  readonly #id: string;
  readonly #screen: TerminalScreen;

  constructor(link: DaemonLink, id: string, screen: TerminalScreen) {
    this.#link = link;
    this.#id = id;
    this.#screen = screen;
  }

  /** Drops the lines that were fetched: to be called at the beginning and after a change of the width. */
  async measure(): Promise<void> {
    this.#fetched = NO_LINES;
    this.#layout++;
    await Promise.all([this.show(), this.#lookForCommands()]);
  }

  /**
   * To be called before the frame is drawn. @param oldest of the frame
   * @returns whether the lines are others than before: {@link measure} then
   */
  frame(firstLine: number, oldest: number, isAlternate: boolean): boolean {
    const isBack = firstLine < this.#firstLine;
    this.#firstLine = firstLine;
    this.#oldest = isAlternate ? firstLine : oldest;
    return isBack;
  }

  /** Lasting number of the oldest line that can be read. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Draws what is in view, if it is not there yet. */
  async show(): Promise<void> {
    const { first, last } = this.#screen.sight.view;
    const from = Math.max(this.#oldest, first);
    const to = Math.min(this.#screen.first, last);
    const { from: start, to: end } = this.#known();
    if (from >= to || (from >= start && to <= end) || this.#isAsking) return;
    this.#isAsking = true;
    let isDrawn: boolean;
    try {
      // At the end, of rows that have just left the screen, only the new ones.
      const next = from >= start && from <= end ? end : Math.max(this.#oldest, from - MARGIN);
      isDrawn = await this.#fetch(next, Math.min(this.#screen.first, to + MARGIN));
    } finally {
      this.#isAsking = false;
    }
    // The view, or the screen, may have moved on.
    const { first: firstNow, last: lastNow } = this.#screen.sight.view;
    const isOther = firstNow !== first || lastNow !== last || this.#screen.first > to;
    if (!isDrawn || isOther) await this.show();
  }

  async #lookForCommands(): Promise<void> {
    const { last_command: last } = await this.#link.ask('status', { id: this.#id });
    if (last) this.onCommands();
  }

  /** @returns false if the lines were laid out anew since: what was fetched is not drawn */
  async #fetch(from: number, to: number): Promise<boolean> {
    const fields = { id: this.#id, format: 'runs', from_line: from, max_lines: to - from } as const;
    const layout = this.#layout;
    const { rows = [], first_line: first } = await this.#link.ask('text', fields);
    // Another width since.
    if (layout !== this.#layout) return false;
    this.#dropUntil(first > from ? first : this.#oldest);
    const fetched = { from: first, to: Math.min(first + rows.length, this.#screen.first) };
    this.#fetched = joined(this.#known(), fetched);
    this.#screen.showPast(rows.slice(0, Math.max(0, fetched.to - first)).map(mirrorRow), first);
    return true;
  }

  /** What was fetched and still stands: rows far from the view are dropped. */
  #known(): Lines {
    const { from, to } = this.#screen.pastLines;
    const known = { from: Math.max(from, this.#fetched.from), to: Math.min(to, this.#fetched.to) };
    return known.from < known.to ? known : NO_LINES;
  }

  #dropUntil(first: number): void {
    const oldest = Math.min(first, this.#firstLine);
    if (oldest <= this.#oldest) return;
    this.#oldest = oldest;
    this.onOldest();
  }
}

/** Both, if nothing lies between them; else the newer ones. */
function joined(known: Lines, fetched: Lines): Lines {
  if (fetched.from > known.to || fetched.to < known.from) return fetched;
  return { from: Math.min(known.from, fetched.from), to: Math.max(known.to, fetched.to) };
}
