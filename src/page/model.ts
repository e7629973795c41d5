/** What the page shows: daemons, their terminals, questions, the chosen terminal. Components read it, and draw when it changes. */
import type { StreamLine } from '../protocol/events.js';
import type { Reply } from '../protocol/registry.js';
import { forgetKey } from './admission.js';
import { DaemonLink, RequestError } from './daemon-link.js';
import type { KeyGrant } from './greeting.js';
import type { ThemeName } from './palette.js';

export type TerminalState = Reply<'list'>['terminals'][number];
export type Ask = Reply<'asks'>['asks'][number];

export interface DaemonState {
  readonly name: string;
  readonly link: DaemonLink;
  isOpen: boolean;
  /** Why it is not open; empty if that is not clear. */
  reason: string;
  terminals: readonly TerminalState[];
  asks: readonly Ask[];
  /** Terminals with a bell that nobody has looked at. */
  readonly bells: Set<string>;
  /** Terminals with a program that waits for input. */
  readonly waiting: Set<string>;
}

export interface Place {
  readonly daemon: string;
  readonly id: string;
}

export interface Notice {
  readonly number: number;
  readonly text: string;
}

/** Events after which the list is another. */
const LISTED: readonly string[] = [
  'created',
  'removed',
  'exit',
  'title',
  'resized',
  'command_done',
  'command_started',
  'alt_screen',
  'lagged',
];
const ASKED: readonly string[] = ['asked', 'answered', 'lagged'];

/** Events come in bursts; the list is asked for once. */
const REFRESH_MS = 120;
const NOTICE_MS = 5000;
const THEME = 't4a-theme';

export class Model {
  readonly daemons = new Map<string, DaemonState>();
  chosen: Place | undefined;
  theme: ThemeName = initialTheme();
  isDrawerOpen = false;
  isCreating = false;
  isSearching = false;
  isEnding = false;
  isUnauthorized = false;
  isReadOnly = false;
  person = '';
  search = '';
  notices: readonly Notice[] = [];
  onChange: () => void = () => {};
  onOpened: (daemon: string) => void = () => {};
  #lastNotice = 0;
  #isDue = false;

  /** The first connection names the others. */
  begin(key: KeyGrant): void {
    const first = new DaemonLink(key, undefined, {
      opened: ({ daemons, daemon, person, read_only: isReadOnly }) => {
        this.isReadOnly = isReadOnly;
        this.person = person;
        for (const name of daemons) {
          if (this.daemons.has(name)) continue;
          if (name === daemon) {
            this.#add(name, first);
            continue;
          }
          const link = new DaemonLink(
            key,
            name,
            this.#sinkOf(name, () => {}),
          );
          this.#add(name, link);
          link.open();
        }
        this.#opened(daemon);
      },
      lost: (reason) => this.#lost(first.daemon ?? '', reason),
      unauthorized: () => this.unauthorized(),
      event: (event) => this.#event(first.daemon ?? '', event),
    });
    first.open();
  }

  unauthorized(): void {
    forgetKey();
    this.isUnauthorized = true;
    this.changed();
  }

  daemon(name: string): DaemonState | undefined {
    return this.daemons.get(name);
  }

  get chosenDaemon(): DaemonState | undefined {
    return this.chosen === undefined ? undefined : this.daemons.get(this.chosen.daemon);
  }

  get chosenTerminal(): TerminalState | undefined {
    return this.chosenDaemon?.terminals.find(({ id }) => id === this.chosen?.id);
  }

  get asks(): readonly { readonly daemon: DaemonState; readonly ask: Ask }[] {
    return [...this.daemons.values()].flatMap((daemon) => daemon.asks.map((ask) => ({ daemon, ask })));
  }

  choose(place: Place | undefined): void {
    this.chosen = place;
    this.isDrawerOpen = false;
    this.isSearching = false;
    if (place !== undefined) this.daemons.get(place.daemon)?.bells.delete(place.id);
    this.changed();
  }

  bell(daemon: string, id: string): void {
    const isSeen = this.chosen?.daemon === daemon && this.chosen.id === id && !document.hidden;
    if (!isSeen) this.daemons.get(daemon)?.bells.add(id);
    this.changed();
  }

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem(THEME, this.theme);
    this.changed();
  }

  /** Runs it; a failure becomes a notice. */
  attempt(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => this.notice(error instanceof RequestError ? error.message : String(error)));
  }

  notice(text: string): void {
    const number = ++this.#lastNotice;
    this.notices = [...this.notices.filter((one) => one.text !== text).slice(-2), { number, text }];
    setTimeout(() => this.dismiss(number), NOTICE_MS);
    this.changed();
  }

  dismiss(number: number): void {
    this.notices = this.notices.filter((one) => one.number !== number);
    this.changed();
  }

  /** Components draw once, after all changes of this turn. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      document.documentElement.dataset['theme'] = this.theme;
      const count = this.asks.length;
      const place = this.chosen === undefined ? 't4a' : `${this.chosen.id} · t4a`;
      document.title = count === 0 ? place : `(${count}) ${place}`;
      this.onChange();
    });
  }

  #add(name: string, link: DaemonLink): void {
    this.daemons.set(name, {
      name,
      link,
      isOpen: false,
      reason: '',
      terminals: [],
      asks: [],
      bells: new Set(),
      waiting: new Set(),
    });
  }

  #sinkOf(name: string, after: () => void): ConstructorParameters<typeof DaemonLink>[2] {
    return {
      opened: () => {
        this.#opened(name);
        after();
      },
      lost: (reason) => this.#lost(name, reason),
      unauthorized: () => this.unauthorized(),
      event: (event) => this.#event(name, event),
    };
  }

  #opened(name: string): void {
    const daemon = this.daemons.get(name);
    if (daemon === undefined) return;
    daemon.isOpen = true;
    void this.#refresh(daemon, true, true).then(() => this.#chooseFirst(daemon));
    this.onOpened(name);
    this.changed();
  }

  #chooseFirst({ name, terminals }: DaemonState): void {
    const first = terminals.find(({ alive }) => alive) ?? terminals[0];
    if (this.chosen === undefined && first !== undefined) this.choose({ daemon: name, id: first.id });
  }

  #lost(name: string, reason: string): void {
    const daemon = this.daemons.get(name);
    if (daemon !== undefined) Object.assign(daemon, { isOpen: false, reason });
    this.changed();
  }

  #event(name: string, event: StreamLine): void {
    const daemon = this.daemons.get(name);
    if (daemon === undefined) return;
    const terminal = 'terminal' in event ? event.terminal : undefined;
    if (event.event === 'bell' && terminal !== undefined) this.bell(name, terminal);
    if (event.event === 'warning') this.notice(event.message);
    if (event.event === 'awaiting_input' && event.certain && terminal !== undefined) daemon.waiting.add(terminal);
    if (event.event === 'activity' && terminal !== undefined) daemon.waiting.delete(terminal);
    const [isListed, isAsked] = [LISTED.includes(event.event), ASKED.includes(event.event)];
    if (isListed || isAsked) this.#refreshSoon(daemon, isListed, isAsked);
    this.changed();
  }

  readonly #due = new Map<DaemonState, { list: boolean; asks: boolean }>();

  #refreshSoon(daemon: DaemonState, list: boolean, asks: boolean): void {
    const due = this.#due.get(daemon);
    if (due !== undefined) {
      due.list ||= list;
      due.asks ||= asks;
      return;
    }
    this.#due.set(daemon, { list, asks });
    setTimeout(() => {
      const now = this.#due.get(daemon);
      this.#due.delete(daemon);
      if (now !== undefined) void this.#refresh(daemon, now.list, now.asks);
    }, REFRESH_MS);
  }

  async #refresh(daemon: DaemonState, list: boolean, asks: boolean): Promise<void> {
    try {
      if (list) daemon.terminals = (await daemon.link.ask('list', {})).terminals;
      if (asks) daemon.asks = (await daemon.link.ask('asks', {})).asks;
    } catch {
      // Lost; it is asked for again once the link is open.
    }
    this.changed();
  }
}

function initialTheme(): ThemeName {
  const stored = localStorage.getItem(THEME);
  if (stored === 'dark' || stored === 'light') return stored;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
