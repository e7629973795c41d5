/** What the page shows: daemons, their terminals, questions, the chosen terminal. Components read it, and draw when it changes. */
import type { StreamLine } from '../protocol/events.js';
import { forgetKey, keepKey } from './admission.js';
import { browserName } from './browser-name.js';
import type { ShutOut } from './proof.js';
import { DaemonLink, RequestError } from './daemon-link.js';
import type { KeyGrant } from './greeting.js';
import { askedIn, listed, type Ask, type TerminalState } from './listed.js';
import { Caller } from './caller.js';
import { needsOf, type Need } from './state.js';
import type { ThemeName } from './palette.js';

export interface DaemonState {
  readonly name: string;
  readonly link: DaemonLink;
  isOpen: boolean;
  /** Why it is not open; empty if that is not clear. */
  reason: string;
  terminals: readonly TerminalState[];
  /** Sentences on what its list lacks. */
  lacks: readonly string[];
  asks: readonly Ask[];
  /** Terminals with a bell that nobody has looked at. */
  readonly bells: Set<string>;
  /** Terminals with a program that waits for input. */
  readonly waiting: Set<string>;
  /** Terminals whose shell marks its commands, with how many starts and ends of them were seen. */
  readonly commands: Map<string, number>;
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
  'doing',
  'command_started',
  'alt_screen',
  'lagged',
];
const COMMANDS: readonly string[] = ['command_started', 'command_done'];
const ASKED: readonly string[] = ['asked', 'answered', 'lagged'];

/** Events come in bursts; the list is asked for once. */
const REFRESH_MS = 120;
const NOTICE_MS = 5000;
const THEME = 't4a-theme';
/** The person was asked whether to be called, and has answered. */
const CALLS = 't4a-calls';
/** The commands of shells are not shown beside the rows. */
const NO_BLOCKS = 't4a-no-blocks';

export class Model {
  readonly daemons = new Map<string, DaemonState>();
  chosen: Place | undefined;
  theme: ThemeName = initialTheme();
  isDrawerOpen = false;
  isCreating = false;
  isSearching = false;
  isPaletteOpen = false;
  /** All terminals are shown in place of the chosen one. */
  isWall = false;
  isEnding = false;
  /** The past of the chosen terminal is open. */
  isPast = false;
  /** Shown in place of the terminal. */
  board: 'recordings' | 'health' | undefined;
  /** What is chosen is a recording: a terminal that is in no list. */
  recording: { readonly name: string; readonly isComplete: boolean } | undefined;
  /** What happened is shown beside the terminal. */
  isFeed = false;
  /** Rules are shown in place of the chosen terminal. */
  isRules = false;
  /** It was asked for, and gets the focus. */
  isFeedMeant = false;
  shutOut: ShutOut | undefined;
  /** No `t4a web` has answered for minutes: the page waits until it is looked at again, or told to try. */
  hasStopped = false;
  /** Why no daemon was reached so far. */
  reason = '';
  isReadOnly = false;
  /** Rules are shown and changed. */
  allowsRules = false;
  person = '';
  search = '';
  /** The list and the wall show this one alone. */
  onlyDaemon: string | undefined;
  notices: readonly Notice[] = [];
  /** For screen readers. */
  said = '';
  readonly caller = new Caller(({ daemon, id }) => id !== null && this.choose({ daemon, id }));
  onChange: () => void = () => {};
  onOpened: (daemon: string) => void = () => {};
  #first: DaemonLink | undefined;
  #key: KeyGrant | undefined;
  /** Of the part that follows what happens; undefined while none does. */
  onEvent: ((daemon: string, event: StreamLine) => void) | undefined;
  #lastNotice = 0;
  #isDue = false;
  #names: readonly string[] = [];

  /** The first connection names the others. */
  begin(key: KeyGrant): void {
    this.#key = key;
    this.#first = this.#linkTo(key, undefined);
    this.#first.open();
  }

  unauthorized(why: ShutOut): void {
    // That of a remembered browser is for the next server.
    if (why !== 'ended' || !this.isRemembered) forgetKey();
    // The other sockets of a revoked page only find that its key is over.
    this.shutOut ??= why;
    this.changed();
  }

  get isRemembered(): boolean {
    return this.#key?.until !== undefined;
  }

  /** The server remembers browsers, and this one is not yet. */
  get mayBeRemembered(): boolean {
    return this.#welcomed?.welcome?.remembers === true && !this.isRemembered;
  }

  async beRemembered(): Promise<void> {
    const remembered = await this.#welcomed?.remember(browserName(navigator));
    if (remembered === undefined) return;
    this.#key = remembered;
    keepKey(remembered);
    for (const { link } of this.daemons.values()) link.renew(remembered);
    this.notice(`This browser is remembered for 30 days. To end that: t4a web --forget "${remembered.name}"`);
  }

  get #welcomed(): DaemonLink | undefined {
    return [...this.daemons.values()].find(({ isOpen }) => isOpen)?.link;
  }

  /** After it has stopped. */
  tryAgain(): void {
    this.hasStopped = false;
    this.#first?.wake();
    for (const { link } of this.daemons.values()) link.wake();
    this.changed();
  }

  get shownDaemons(): readonly DaemonState[] {
    const only = this.onlyDaemon === undefined ? undefined : this.daemons.get(this.onlyDaemon);
    return only === undefined ? [...this.daemons.values()] : [only];
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

  get needs(): readonly Need[] {
    return needsOf(this.daemons.values());
  }

  /** Of the chosen terminal; 0 if no shell marks its commands there. */
  get commandsSeen(): number {
    return this.chosenDaemon?.commands.get(this.chosen?.id ?? '') ?? 0;
  }

  sawCommand({ commands }: DaemonState, id: string): void {
    commands.set(id, (commands.get(id) ?? 0) + 1);
    this.changed();
  }

  /** Once, when there is a reason for the first time. */
  get offersCalls(): boolean {
    return this.caller.mayAsk && localStorage.getItem(CALLS) === null && this.needs.length > 0;
  }

  /** @param wanted the browser asks, too */
  async setCalls(wanted: boolean): Promise<void> {
    localStorage.setItem(CALLS, wanted ? 'yes' : 'no');
    this.changed();
    if (wanted && !(await this.caller.ask())) this.notice('The browser does not let this page call you.');
    this.changed();
  }

  choose(place: Place | undefined): void {
    this.chosen = place;
    this.isDrawerOpen = false;
    this.isSearching = false;
    this.isWall = false;
    this.isPast = false;
    this.board = undefined;
    this.recording = undefined;
    this.isRules = false;
    if (place !== undefined) this.daemons.get(place.daemon)?.bells.delete(place.id);
    this.changed();
  }

  bell(daemon: string, id: string): void {
    const isSeen = this.chosen?.daemon === daemon && this.chosen.id === id && !document.hidden;
    if (!isSeen) this.daemons.get(daemon)?.bells.add(id);
    this.changed();
  }

  setFeed(isShown: boolean): void {
    this.isFeed = this.isFeedMeant = isShown;
    this.changed();
  }

  get hidesBlocks(): boolean {
    return localStorage.getItem(NO_BLOCKS) !== null;
  }

  toggleBlocks(): void {
    if (this.hidesBlocks) localStorage.removeItem(NO_BLOCKS);
    else localStorage.setItem(NO_BLOCKS, 'yes');
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

  /** Hidden pages are silent. */
  say(text: string): void {
    if (document.hidden) return;
    this.said = text;
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
      const place = this.chosen === undefined || this.isWall ? 't4a' : `${this.chosen.id} · t4a`;
      document.title = count === 0 ? place : `(${count}) ${place}`;
      this.caller.see(this.needs);
      this.onChange();
    });
  }

  /** @param daemon undefined for the first one that answers */
  #linkTo(key: KeyGrant, daemon: string | undefined): DaemonLink {
    const link: DaemonLink = new DaemonLink(key, daemon, {
      opened: ({ daemons, daemon: name, person, read_only: isReadOnly, rules = false }) => {
        this.hasStopped = false;
        this.isReadOnly = isReadOnly;
        this.allowsRules = rules;
        this.person = person;
        if (!this.daemons.has(name)) this.daemons.set(name, newDaemon(name, link));
        this.#named(daemons);
        this.#opened(name);
      },
      lost: (reason) => this.#lost(link.daemon, reason),
      stopped: () => {
        this.hasStopped = true;
        this.changed();
      },
      unauthorized: (why) => this.unauthorized(why),
      named: (names) => this.#named(names),
      event: (event) => this.#event(link.daemon ?? '', event),
    });
    return link;
  }

  /** In the order of the names. */
  #named(names: readonly string[]): void {
    const key = this.#key;
    if (key === undefined) return;
    this.#names = names;
    for (const name of names) {
      let daemon = this.daemons.get(name);
      if (daemon === undefined) {
        daemon = newDaemon(name, this.#linkTo(key, name));
        daemon.link.open();
      }
      this.daemons.delete(name);
      this.daemons.set(name, daemon);
    }
    this.#dropUnnamed();
    this.changed();
  }

  /** What is still open, or shown, stays as long as that. */
  #dropUnnamed(): void {
    for (const { name, isOpen, link } of this.daemons.values()) {
      if (isOpen || this.#names.includes(name) || this.chosen?.daemon === name) continue;
      link.close();
      this.daemons.delete(name);
    }
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
    if (this.chosen !== undefined || first === undefined) return;
    const { isWall } = this;
    this.choose({ daemon: name, id: first.id });
    // A person was faster than the list.
    this.isWall = isWall;
  }

  #lost(name: string | undefined, reason: string): void {
    const daemon = name === undefined ? undefined : this.daemons.get(name);
    if (daemon === undefined) this.reason = reason;
    else Object.assign(daemon, { isOpen: false, reason });
    this.#dropUnnamed();
    this.changed();
  }

  #event(name: string, event: StreamLine): void {
    const daemon = this.daemons.get(name);
    if (daemon === undefined) return;
    this.onEvent?.(name, event);
    // Of those alone who follow them: they come in floods.
    if (event.event === 'entry') return;
    const terminal = 'terminal' in event ? event.terminal : undefined;
    if (event.event === 'bell' && terminal !== undefined) this.bell(name, terminal);
    if (event.event === 'warning') this.notice(event.message);
    if (event.event === 'awaiting_input' && event.certain && terminal !== undefined) daemon.waiting.add(terminal);
    if (event.event === 'activity' && terminal !== undefined) daemon.waiting.delete(terminal);
    if (COMMANDS.includes(event.event) && terminal !== undefined) this.sawCommand(daemon, terminal);
    if (event.event === 'removed' && terminal !== undefined) daemon.commands.delete(terminal);
    const isAnew = event.event === 'restarted' && daemon.commands.has(event.terminal);
    if (isAnew) this.sawCommand(daemon, event.terminal);
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
      if (list) Object.assign(daemon, listed(daemon.name, await daemon.link.ask('list', {})));
      if (asks) daemon.asks = askedIn(await daemon.link.ask('asks', {}));
    } catch {
      // Lost; it is asked for again once the link is open.
    }
    this.changed();
  }
}

/** Ended ones last. */
export function inOrder(terminals: readonly TerminalState[]): TerminalState[] {
  return [...terminals.filter(({ alive }) => alive), ...terminals.filter(({ alive }) => !alive)];
}

function newDaemon(name: string, link: DaemonLink): DaemonState {
  return {
    name,
    link,
    isOpen: false,
    reason: '',
    terminals: [],
    lacks: [],
    asks: [],
    bells: new Set(),
    waiting: new Set(),
    commands: new Map(),
  };
}

function initialTheme(): ThemeName {
  const stored = localStorage.getItem(THEME);
  if (stored === 'dark' || stored === 'light') return stored;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
