/** What the page shows: the chosen terminal, what is open beside it, and what is said. Components read it, and draw when it changes. */
import type { StreamLine } from '../protocol/events.js';
import { placeInAddress } from './address.js';
import { forgetKey } from './admission.js';
import { Absence } from './away.js';
import { Caller } from './caller.js';
import { Connections, type ConnectionsSink } from './connections.js';
import { RequestError } from './daemon-link.js';
import type { DaemonState } from './daemon-state.js';
import type { Welcome } from './greeting.js';
import type { Ask, TerminalState } from './listed.js';
import { keepPlace, keptPlace } from './kept-place.js';
import { Notices } from './notices.js';
import { Preferences } from './preferences.js';
import type { ShutOut } from './proof.js';
import { QuestionCards } from './question-cards.js';
import { needsOf, type Need } from './state.js';
import { SteadyOrder } from './steady-order.js';
import type { Moment } from './then.js';

export interface Place {
  readonly daemon: string;
  readonly id: string;
}

/** What is in view: the terminal, alone or with its search or its past, or another view in its place. */
export type View = 'terminal' | 'search' | 'past' | 'rules' | 'wall' | 'recordings' | 'health';

export class Model implements ConnectionsSink {
  readonly connections = new Connections(this);
  readonly preferences = new Preferences();
  readonly cards = new QuestionCards(() => this.changed());
  /** Places of the items of the list. */
  readonly listed = this.steadyOrder();
  readonly away = new Absence(() => this.changed());
  readonly notices = new Notices(() => this.changed());
  chosen: Place | undefined;
  isDrawerOpen = false;
  view: View = 'terminal';
  /** Moment at which the past begins. */
  moment: Moment | undefined;
  /** The view that the wall goes back to. */
  behind: View = 'terminal';
  /** Stands before all else. */
  dialog: 'palette' | 'create' | 'end' | undefined;
  /** What is chosen is a recording: a terminal that is in no list. */
  recording: { readonly name: string; readonly isComplete: boolean } | undefined;
  /** What happened, beside the terminal; `asked` gets the focus. */
  feed: 'closed' | 'open' | 'asked' = 'closed';
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
  /** For screen readers. */
  said = '';
  readonly caller = new Caller(({ daemon, id }) => id !== null && this.choose({ daemon, id }));
  /** A link has just been opened here: what the tab showed before may not be of it. */
  hasNewLink = false;
  /** What this tab showed before it was loaded again, until its daemon has answered or something else is chosen. */
  #before: Place | undefined;
  /** The terminal that the address names, until a daemon has answered. */
  #named = placeInAddress();
  /** Of the server that this page is from. */
  #version: string | undefined;
  /** The server is of another version than the page. */
  isOld = false;
  onChange: () => void = () => {};
  onOpened: (daemon: string) => void = () => {};
  /** Of the part that follows what happens; undefined while none does. */
  onEvent: ((daemon: string, event: StreamLine) => void) | undefined;
  #isDue = false;

  constructor() {
    const { chosen, only } = keptPlace();
    this.#before = chosen;
    this.onlyDaemon = only;
  }

  opened(daemon: DaemonState, { person, read_only: isReadOnly, rules, version }: Welcome): void {
    this.#version ??= version;
    this.isOld = version !== this.#version;
    this.hasStopped = false;
    this.isReadOnly = isReadOnly;
    this.allowsRules = rules === true;
    this.person = person;
    void daemon.refresh(true, true).then(() => {
      this.#chooseAtStart(daemon);
      return this.away.returned(daemon);
    });
    this.onOpened(daemon.name);
    this.changed();
  }

  unreached(reason: string): void {
    this.reason = reason;
  }

  stopped(): void {
    this.hasStopped = true;
    this.changed();
  }

  isShown(daemon: string): boolean {
    return this.chosen?.daemon === daemon;
  }

  event(daemon: DaemonState, event: StreamLine): void {
    this.onEvent?.(daemon.name, event);
    // Of those alone who follow them: they come in floods.
    if (event.event === 'entry') return;
    if (event.event === 'answered') this.cards.ended(daemon.name, event);
    if (event.event === 'bell') this.bell(daemon.name, event.terminal);
    if (event.event === 'warning') this.notice(event.message);
    daemon.take(event);
  }

  unauthorized(why: ShutOut): void {
    // That of a remembered browser is for the next server.
    if (why !== 'ended' || !this.connections.isRemembered) forgetKey();
    // The other sockets of a revoked page only find that its key is over.
    this.shutOut ??= why;
    this.changed();
  }

  async beRemembered(): Promise<void> {
    const remembered = await this.connections.beRemembered();
    if (remembered === undefined) return;
    this.notice(`This browser is remembered for 30 days. To end that: t4a web --forget "${remembered.name}"`);
  }

  /** After it has stopped. */
  tryAgain(): void {
    this.hasStopped = false;
    this.connections.wake();
    this.changed();
  }

  get daemons(): ReadonlyMap<string, DaemonState> {
    return this.connections.daemons;
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

  /** Once, when there is a reason for the first time. */
  get offersCalls(): boolean {
    return this.caller.mayAsk && !this.preferences.hasChosenCalls && this.needs.length > 0;
  }

  /** @param wanted the browser asks, too */
  async setCalls(wanted: boolean): Promise<void> {
    this.preferences.chooseCalls(wanted);
    this.changed();
    if (wanted && !(await this.caller.ask())) this.notice('The browser does not let this page call you.');
    this.changed();
  }

  choose(place: Place | undefined): void {
    this.#before = undefined;
    this.moment = undefined;
    this.chosen = place;
    this.isDrawerOpen = false;
    this.view = this.behind = 'terminal';
    this.recording = undefined;
    if (place !== undefined) this.daemons.get(place.daemon)?.bells.delete(place.id);
    this.changed();
  }

  has({ daemon, id }: Place): boolean {
    return this.daemons.get(daemon)?.terminals.some((one) => one.id === id) === true;
  }

  /** @param named by an address, which leaves out a daemon that is the only one */
  placeNamed({ daemon, id }: { readonly daemon?: string; readonly id: string }): Place | undefined {
    const names = daemon === undefined ? [...this.daemons.keys()] : [daemon];
    return names.map((name) => ({ daemon: name, id })).find((place) => this.has(place));
  }

  /** What was shown before; nothing stands in front of it. */
  restore(place: Place | undefined, view: View, hasFeed: boolean): void {
    this.choose(place);
    this.view = view;
    this.dialog = undefined;
    if (!hasFeed) this.feed = 'closed';
  }

  bell(daemon: string, id: string): void {
    const isSeen = this.chosen?.daemon === daemon && this.chosen.id === id && !document.hidden;
    if (!isSeen) this.daemons.get(daemon)?.bells.add(id);
    this.changed();
  }

  toggleFeed(): void {
    this.feed = this.feed === 'closed' ? 'asked' : 'closed';
    this.changed();
  }

  show(dialog: Model['dialog']): void {
    this.isDrawerOpen = false;
    this.dialog = dialog;
    this.changed();
  }

  /** Another may be open by now. */
  hide(dialog: Model['dialog']): void {
    if (this.dialog !== dialog) return;
    this.dialog = undefined;
    this.changed();
  }

  /** No terminal is in view. */
  get isAway(): boolean {
    return this.view === 'wall' || this.view === 'recordings' || this.view === 'health';
  }

  toggleBlocks(): void {
    this.preferences.toggleBlocks();
    this.changed();
  }

  toggleTheme(): void {
    this.preferences.toggleTheme();
    this.changed();
  }

  /** Places of a list; a click that is dropped in it becomes a notice. */
  steadyOrder(): SteadyOrder {
    return new SteadyOrder(
      () => this.changed(),
      () => this.notice('Something else stood there a moment ago: the click was dropped.'),
    );
  }

  /** Runs it; a failure becomes a notice. */
  attempt(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => this.report(error));
  }

  report(error: unknown): void {
    this.notice(error instanceof RequestError ? error.message : String(error));
  }

  notice(text: string): void {
    this.notices.add(text);
  }

  /** Hidden pages are silent. */
  say(text: string): void {
    if (document.hidden) return;
    this.said = text;
    this.changed();
  }

  /** Components draw once, after all changes of this turn. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      document.documentElement.dataset['theme'] = this.preferences.theme;
      const count = this.needs.length;
      const place = this.chosen === undefined || this.view === 'wall' ? 't4a' : `${this.chosen.id} · t4a`;
      document.title = count === 0 ? place : `(${count}) ${place}`;
      this.caller.see(this.needs);
      this.#keep();
      this.onChange();
    });
  }

  /** What the tab showed before, else the first of the list. */
  #chooseAtStart(daemon: DaemonState): void {
    if (this.#named !== undefined) this.#before = { daemon: daemon.name, ...this.#named };
    this.#named = undefined;
    const before = this.#before;
    if (before === undefined) return this.#chooseFirst(daemon);
    if (daemon.name !== before.daemon && this.daemons.has(before.daemon)) {
      // The others may answer first, and its own may be down: its seat says so.
      this.#chooseUnseen(before);
      this.#before = before;
      return;
    }
    // Its list was lost with the connection.
    if (!daemon.isOpen) return;
    this.#before = undefined;
    const isThere = daemon.lacks.length > 0 || daemon.terminals.some(({ id }) => id === before.id);
    if (daemon.name === before.daemon && isThere) return this.#chooseUnseen(before);
    if (!this.hasNewLink) this.notice(`The terminal ${before.id} of ${before.daemon} is gone.`);
    this.chosen = undefined;
    for (const one of [daemon, ...this.daemons.values()]) this.#chooseFirst(one);
    this.changed();
  }

  #chooseFirst({ name, terminals }: DaemonState): void {
    const first = terminals.find(({ alive }) => alive) ?? terminals[0];
    if (this.chosen === undefined && first !== undefined) this.#chooseUnseen({ daemon: name, id: first.id });
  }

  /** A person was faster than the list: the wall stays. */
  #chooseUnseen(place: Place): void {
    const { view } = this;
    this.choose(place);
    if (view === 'wall') this.view = view;
  }

  #keep(): void {
    if (this.recording !== undefined || this.#before !== undefined) return;
    keepPlace({ chosen: this.chosen, only: this.onlyDaemon });
  }
}
