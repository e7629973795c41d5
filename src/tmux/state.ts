/** All that one door has: a table of sessions, and what belongs to none of them. */
import { systemClock } from '../base/clock.js';
import {
  type TmuxEnvironment,
  type WindowLink,
  linkOf,
  linksByIndex,
  type Pane,
  type PasteBuffer,
  type Session,
  type Window,
} from './model.js';
import { defaultBindings } from './key-table.js';
import { Options } from './options.js';

export class State {
  readonly sessions = new Map<number, Session>();
  readonly windows = new Map<number, Window>();
  readonly panes = new Map<number, Pane>();
  readonly serverOptions = new Options(undefined, 's');
  readonly sessionOptions = new Options(undefined, 'g');
  readonly windowOptions = new Options(undefined, 'wp');
  readonly environment: TmuxEnvironment = new Map();
  readonly buffers = new Map<string, PasteBuffer>();
  readonly bindings = defaultBindings();
  readonly startedMs = systemClock.wallNow();
  readonly socketPath: string;
  /** Files of commands, given by `-f`. */
  files: readonly string[] = [];
  #marked: { readonly pane: Pane; readonly link: WindowLink } | undefined;
  #nextSession = 0;
  #nextWindow = 0;
  #nextPane = 0;
  #nextBuffer = 0;
  #order = 0;

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  /** The next numbers of sessions, windows, panes and buffers, and of the order of these. */
  get counters(): readonly number[] {
    return [this.#nextSession, this.#nextWindow, this.#nextPane, this.#nextBuffer, this.#order];
  }

  set counters([session = 0, window = 0, pane = 0, buffer = 0, order = 0]: readonly number[]) {
    this.#nextSession = session;
    this.#nextWindow = window;
    this.#nextPane = pane;
    this.#nextBuffer = buffer;
    this.#order = order;
  }

  nextSessionId(): number {
    return this.#nextSession++;
  }

  nextWindowId(): number {
    return this.#nextWindow++;
  }

  nextPaneId(): number {
    return this.#nextPane++;
  }

  /** Sessions by name. */
  all(): Session[] {
    return [...this.sessions.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  sessionNamed(name: string): Session | undefined {
    return this.all().find((session) => session.name === name);
  }

  /** The one with the latest activity. */
  best(of: readonly Session[] = this.all()): Session | undefined {
    return of.reduce<Session | undefined>(
      (best, one) => (best === undefined || one.activityMs > best.activityMs ? one : best),
      undefined,
    );
  }

  /** A window may be in several sessions. */
  bestLink(window: Window, preferred?: Session): WindowLink | undefined {
    const own = preferred === undefined ? undefined : linkOf(preferred, window);
    if (own !== undefined) return own;
    const session = this.best(this.all().filter((one) => linksByIndex(one).some((link) => link.window === window)));
    return session === undefined ? undefined : linkOf(session, window);
  }

  /** A pane that has moved, or a window in another place, is marked no more. */
  get marked(): { readonly pane: Pane; readonly link: WindowLink } | undefined {
    if (this.#marked === undefined) return undefined;
    const { pane, link } = this.#marked;
    const isThere = this.sessions.get(link.session.id)?.links.get(link.index) === link && link.window === pane.window;
    return isThere && this.panes.has(pane.id) ? this.#marked : undefined;
  }

  mark(marked: { readonly pane: Pane; readonly link: WindowLink } | undefined): void {
    this.#marked = marked;
  }

  /** The newest one. */
  topBuffer(): PasteBuffer | undefined {
    return this.sortedBuffers()[0];
  }

  /** The newest comes first. */
  sortedBuffers(): PasteBuffer[] {
    return [...this.buffers.values()].toSorted((a, b) => b.order - a.order);
  }

  addBuffer(bytes: Buffer, name?: string): void {
    const isAutomatic = name === undefined;
    const given = name ?? `buffer${this.#nextBuffer++}`;
    this.buffers.delete(given);
    this.#order += 1;
    this.buffers.set(given, { name: given, bytes, order: this.#order, isAutomatic, createdMs: systemClock.wallNow() });
    const most = this.serverOptions.number('buffer-limit');
    for (const old of this.sortedBuffers()
      .filter((one) => one.isAutomatic)
      .slice(most))
      this.buffers.delete(old.name);
    let total = 0;
    for (const one of this.sortedBuffers()) {
      total += one.bytes.length;
      if (total > MOST_BUFFER_BYTES) this.buffers.delete(one.name);
    }
  }
}

const MOST_BUFFER_BYTES = 64 * 1024 * 1024;
