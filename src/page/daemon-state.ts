/** One daemon as the page knows it: its terminals and questions, and what its events say of them. */
import { stateKind } from '../mirror/doing-word.js';
import type { StreamLine } from '../protocol/events.js';
import type { DaemonLink } from './daemon-link.js';
import { askedIn, listed, type Ask, type Listed, type TerminalState } from './listed.js';

/** Events after which the list is another. */
const LISTED: readonly string[] = [
  'created',
  'removed',
  'exit',
  'restarted',
  'title',
  'resized',
  'command_done',
  'doing',
  'command_started',
  'alt_screen',
  'lagged',
];
const COMMANDS: readonly string[] = ['command_started', 'command_done'];
const ASKED: readonly string[] = ['asked', 'answered', 'lagged'];

/** Events come in bursts; the list is asked for once. */
const REFRESH_MS = 120;
/** No event says that a guess has changed: after so long the list is asked for again, of many terminals later. */
const GUESS_MS = 2000;
const TERMINALS_BY_GUESS_MS = 20;

export class DaemonState {
  readonly name: string;
  readonly link: DaemonLink;
  isOpen = false;
  /** Why it is not open; empty if that is not clear. */
  reason = '';
  terminals: readonly TerminalState[] = [];
  /** Sentences on what its list lacks. */
  lacks: readonly string[] = [];
  asks: readonly Ask[] = [];
  /** Terminals with a bell that nobody has looked at. */
  readonly bells = new Set<string>();
  /** Terminals with a program that waits for input. */
  readonly waiting = new Set<string>();
  /** Terminals whose shell marks its commands, with how many starts and ends of them were seen. */
  readonly commands = new Map<string, number>();
  /** Times of the last loss of typed text by terminal: one that is made again by the name gets no rest of it either. */
  readonly lostMs = new Map<string, number>();
  readonly #onChange: () => void;
  #due: { list: boolean; asks: boolean } | undefined;
  #isGuessDue = false;

  constructor(name: string, link: DaemonLink, onChange: () => void) {
    this.name = name;
    this.link = link;
    this.#onChange = onChange;
  }

  take(event: StreamLine): void {
    const terminal = 'terminal' in event ? event.terminal : undefined;
    if (event.event === 'awaiting_input' && event.certain && terminal !== undefined) this.waiting.add(terminal);
    if (event.event === 'activity' && terminal !== undefined) this.waiting.delete(terminal);
    if (COMMANDS.includes(event.event) && terminal !== undefined) this.sawCommand(terminal);
    if (event.event === 'removed' && terminal !== undefined) this.#forget(terminal);
    const isAnew = event.event === 'restarted' && this.commands.has(event.terminal);
    if (isAnew) this.sawCommand(event.terminal);
    const [isListed, isAsked] = [LISTED.includes(event.event), ASKED.includes(event.event)];
    if (isListed || isAsked) this.#refreshSoon(isListed, isAsked);
    this.#onChange();
  }

  sawCommand(id: string): void {
    this.commands.set(id, (this.commands.get(id) ?? 0) + 1);
    this.#onChange();
  }

  async refresh(list: boolean, asks: boolean): Promise<void> {
    try {
      if (list) this.#list(listed(this.name, await this.link.ask('list', {})));
      if (list) this.#lookAgainLater();
      if (asks) this.asks = askedIn(await this.link.ask('asks', {}));
    } catch {
      // Lost; it is asked for again once the link is open.
    }
    this.#onChange();
  }

  /** Events were lost with the connection: what has gone, or was made again by its name, is found here. */
  #list({ terminals, lacks }: Listed): void {
    const created = new Map(terminals.map(({ id, created_at }) => [id, created_at]));
    for (const { id, created_at } of this.terminals) if (created.get(id) !== created_at) this.#forget(id);
    this.terminals = terminals;
    this.lacks = lacks;
  }

  /** The next one of that name is another. */
  #forget(id: string): void {
    for (const known of [this.bells, this.waiting, this.commands]) known.delete(id);
  }

  #lookAgainLater(): void {
    if (this.#isGuessDue || !this.terminals.some(({ alive, doing }) => alive && doing?.sure === false)) return;
    this.#isGuessDue = true;
    setTimeout(
      () => {
        this.#isGuessDue = false;
        if (!this.isOpen) return;
        if (document.hidden) this.#lookAgainLater();
        else void this.refresh(true, false);
      },
      GUESS_MS * Math.ceil(this.terminals.length / TERMINALS_BY_GUESS_MS),
    );
  }

  #refreshSoon(list: boolean, asks: boolean): void {
    if (this.#due !== undefined) {
      this.#due.list ||= list;
      this.#due.asks ||= asks;
      return;
    }
    const due = { list, asks };
    this.#due = due;
    setTimeout(() => {
      this.#due = undefined;
      void this.refresh(due.list, due.asks);
    }, REFRESH_MS);
  }
}

/** Those that need a person first, ended ones last. */
export function inOrder(terminals: readonly TerminalState[], asks: readonly Ask[]): TerminalState[] {
  const asking = new Set(asks.map(({ id }) => id));
  const needs = (one: TerminalState): boolean => asking.has(one.id) || ['waits', 'failed'].includes(stateKind(one));
  const place = (one: TerminalState): number => (!one.alive ? 2 : needs(one) ? 0 : 1);
  return terminals.toSorted((one, other) => place(one) - place(other));
}
