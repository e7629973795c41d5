/** Panes and their terminals: creates, resizes and ends them, and follows their ends. Its state is the truth; labels are a copy. */
import { Alerts } from './alerts.js';
import { systemClock } from '../base/clock.js';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import { type LayoutCell, fixOffsets, leaf, removeCell, resizeRoot } from './layout.js';
import { leavesOf } from './layout-sets.js';
import {
  blankPane,
  blankWindow,
  isZoomed,
  type WindowLink,
  linksByIndex,
  type Pane,
  type Session,
  type Window,
} from './model.js';
import { labelsOf } from './names.js';
import type { HookNotice } from './notices.js';
import { Refusal } from './options.js';
import { type Launch, launchFields, launchSize } from './launch.js';
import { State } from './state.js';
import { type PaneFacts, type PaneNeeds, PaneTerminals } from './terminals.js';

/** Words of tmux for a server that ends before it has answered. */
const EXITED = 'server exited unexpectedly';

export class Door {
  readonly state: State;
  readonly client: Client;
  readonly alerts: Alerts;
  /** Labels that all of its terminals have. */
  readonly labels: Readonly<Record<string, string>>;
  readonly #onEmpty: () => void;
  readonly #onNotice: (notice: HookNotice) => void;
  readonly #onChange: () => void;
  readonly #terminals: PaneTerminals;
  readonly #resizes = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #activePoint = 0;

  constructor(client: Client, socketPath: string, events: DoorEvents) {
    this.client = client;
    this.#terminals = new PaneTerminals(client);
    this.labels = { tmux: basename(socketPath), 'tmux.socket': socketPath };
    this.state = new State(socketPath);
    this.alerts = new Alerts(client, this.state, events.onNotice);
    this.#onEmpty = events.onEmpty;
    this.#onNotice = events.onNotice;
    this.#onChange = events.onChange;
  }

  get facts(): ReadonlyMap<string, PaneFacts> {
    return this.#terminals.facts;
  }

  /** Whether it ends its terminals, and makes no more. */
  get isClosing(): boolean {
    return this.ending.aborted;
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Reports ends until the daemon has gone. @throws T4aError */
  async follow(signal: AbortSignal): Promise<void> {
    const where = { labels: this.labels };
    const stream = this.client.events({ types: FOLLOWED, where }, { signal });
    for await (const line of stream) {
      const { terminal, event, code = null, signal: by = null, pid = 0, title = '' } = line as Followed;
      const pane = [...this.state.panes.values()].find((one) => one.terminal === terminal && terminal !== undefined);
      if (pane === undefined) continue;
      if (event === 'bell') this.alerts.rang(pane.window);
      else if (event === 'title') this.retitle(pane, (pane.seenTitle = title));
      else if (event === 'resized') this.#terminals.later(this.#resized(pane));
      else if (event === 'restarted') Object.assign(pane, { pid, dead: undefined });
      else if (event === 'exit') this.#terminals.later(this.#mayEnd(pane, code, by));
      else this.#ended(pane, code, by);
    }
  }

  /** Starts the program of a pane. @throws Refusal */
  async start(pane: Pane, session: Session, launch: Launch): Promise<void> {
    const name = session.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^[^A-Za-z0-9]+/, '') || 'tmux';
    const fields = launchFields(this.state, pane, session, launch);
    if (this.isClosing) throw new Refusal(EXITED);
    const labels = { ...this.labels, ...labelsOf(pane, session) };
    // The child of tmux ends with 1, a shell that was to run it with 127.
    const missing = launch.command.length === 1 ? 127 : 1;
    const created = this.#terminals.create(`${name.slice(0, 40)}.${pane.id}`, { ...fields, labels }, missing);
    // A door that ends meanwhile ends the terminal, too.
    this.#terminals.later(created.then(({ id, pid }) => this.#started(pane, id, pid)));
    await created;
    if (this.isClosing) throw new Refusal(EXITED);
  }

  /** Makes a pane that counts as dead, and has no terminal. */
  leaveEmpty(pane: Pane, { cwd, caller }: Launch): void {
    Object.assign(pane, {
      command: [''],
      cwd: cwd ?? caller.cwd,
      dead: { status: null, signal: null, atMs: systemClock.wallNow() },
    });
  }

  #started(pane: Pane, id: string, pid: number): void {
    Object.assign(pane, { terminal: id, pid, dead: undefined, seenTitle: hostname() });
    if (!this.state.panes.has(pane.id)) this.#terminals.end(id);
  }

  newPane(window: Window, cols: number, rows: number, id = this.state.nextPaneId()): Pane {
    const pane = blankPane(id, window, cols, rows);
    this.state.panes.set(id, pane);
    return pane;
  }

  /** @param adopted has left its window */
  newWindow(cols: number, rows: number, adopted?: Pane): Window {
    const window = blankWindow(this.state.nextWindowId(), this.state.windowOptions, cols, rows);
    const pane = adopted ?? this.newPane(window, cols, rows);
    pane.window = window;
    window.panes = [pane];
    window.active = pane;
    pane.activePoint = ++this.#activePoint;
    this.setRoot(window, leaf<Pane>(pane, cols, rows));
    this.state.windows.set(window.id, window);
    return window;
  }

  link(session: Session, window: Window, index: number): WindowLink {
    const link: WindowLink = { index, alerts: new Set(), session, window };
    session.links.set(index, link);
    window.links.add(link);
    return link;
  }

  select(link: WindowLink): boolean {
    const { session } = link;
    if (session.current === link) return false;
    session.last = [session.current, ...session.last.filter((one) => one !== session.current && one !== link)];
    session.current = link;
    this.alerts.chosen(link.window);
    return true;
  }

  /** A window without a link ends; a session without a window ends. @returns whether the session lives */
  unlink(link: WindowLink): void {
    const { session, window } = link;
    const links = linksByIndex(session);
    const at = links.indexOf(link);
    session.links.delete(link.index);
    window.links.delete(link);
    session.last = session.last.filter((one) => one !== link);
    if (session.current === link) {
      const next = session.last.shift() ?? links[at - 1] ?? links[at + 1];
      if (next !== undefined) session.current = next;
    }
    if (window.links.size === 0) this.#dropWindow(window);
    if (session.links.size === 0) this.dropSession(session);
    else if (session.options.isOn('renumber-windows')) this.renumber(session);
  }

  renumber(session: Session): void {
    const links = linksByIndex(session);
    const base = session.options.number('base-index');
    session.links.clear();
    for (const [at, link] of links.entries()) {
      link.index = base + at;
      session.links.set(link.index, link);
    }
  }

  dropSession(session: Session): void {
    if (!this.state.sessions.delete(session.id)) return;
    for (const link of linksByIndex(session)) {
      session.links.delete(link.index);
      link.window.links.delete(link);
      if (link.window.links.size === 0) this.#dropWindow(link.window);
    }
    if (this.state.sessions.size === 0 && this.state.serverOptions.isOn('exit-empty')) this.#onEmpty();
  }

  #dropWindow(window: Window): void {
    this.state.windows.delete(window.id);
    for (const pane of window.panes) this.#dropPane(pane);
  }

  #dropPane(pane: Pane): void {
    pane.stopPipe?.();
    this.state.panes.delete(pane.id);
    const { terminal } = pane;
    pane.terminal = '';
    if (terminal !== '') this.#terminals.end(terminal, pane.dead !== undefined);
  }

  /** The pane leaves its window, whose last one takes the window with it. */
  killPane(pane: Pane): void {
    if (!this.state.panes.has(pane.id)) return;
    const { window } = pane;
    this.#dropPane(pane);
    if (window.panes.length === 1) {
      for (const link of window.links) this.unlink(link);
      return;
    }
    this.removePane(pane);
  }

  /** Out of its window, for another place or for good. */
  removePane(pane: Pane): void {
    const { window } = pane;
    this.unzoom(window);
    if (window.root !== undefined && pane.cell !== undefined) {
      const root: LayoutCell<Pane> | undefined = removeCell(
        pane.cell as LayoutCell<Pane>,
        window.root as LayoutCell<Pane>,
      );
      pane.cell = undefined;
      const at = window.panes.indexOf(pane);
      window.panes = window.panes.filter((one) => one !== pane);
      window.lastPanes = window.lastPanes.filter((one) => one !== pane);
      if (window.active === pane) {
        const next = window.lastPanes.shift() ?? window.panes[at - 1] ?? window.panes[at];
        if (next !== undefined) window.active = next;
      }
      if (root !== undefined) this.setRoot(window, root);
    }
  }

  retitle(pane: Pane, title: string): void {
    pane.title = title;
    this.#onNotice({ name: 'pane-title-changed', pane, window: pane.window });
  }

  setModes(pane: Pane, modes: string[]): void {
    const isOther = pane.modes.at(-1) !== modes.at(-1);
    pane.modes = modes;
    if (isOther) this.#onNotice({ name: 'pane-mode-changed', pane, window: pane.window });
  }

  activate(pane: Pane): boolean {
    const { window } = pane;
    if (window.active === pane) return false;
    window.lastPanes = [window.active];
    window.active = pane;
    pane.activePoint = ++this.#activePoint;
    return true;
  }

  /** Sizes of panes follow the tree. */
  setRoot(window: Window, root: LayoutCell<Pane>): void {
    window.root = root;
    fixOffsets(window.root);
    for (const cell of leavesOf(root)) {
      const { pane } = cell;
      if (pane === undefined) continue;
      pane.cell = cell;
      const { top, bottom } = statusRows(window, cell);
      Object.assign(pane, { left: cell.x, top: cell.y + top });
      this.#resize(pane, cell.sx, Math.max(1, cell.sy - top - bottom));
    }
  }

  resizeWindow(window: Window, cols: number, rows: number): void {
    this.unzoom(window);
    if (window.root === undefined) return;
    resizeRoot(window.root, cols, rows);
    window.cols = Math.max(cols, window.root.sx);
    window.rows = Math.max(rows, window.root.sy);
    this.setRoot(window, window.root as LayoutCell<Pane>);
  }

  zoom(pane: Pane): void {
    const { window } = pane;
    if (isZoomed(window) || window.panes.length === 1) return;
    window.savedRoot = window.root;
    for (const one of window.panes) one.cell = undefined;
    this.setRoot(window, leaf(pane, window.cols, window.rows));
  }

  /** @returns whether it was zoomed */
  unzoom(window: Window): boolean {
    if (window.savedRoot === undefined) return false;
    const root = window.savedRoot as LayoutCell<Pane>;
    window.savedRoot = undefined;
    this.setRoot(window, root);
    return true;
  }

  #resize(pane: Pane, cols: number, rows: number): void {
    if (pane.cols === cols && pane.rows === rows) return;
    Object.assign(pane, { cols, rows });
    if (pane.terminal === '' || pane.dead !== undefined) return;
    // The size of a pane of which another has control stays.
    const asked: Promise<unknown> = this.client.call('resize', { id: pane.terminal, ...launchSize(pane) });
    const done = asked
      .catch(() => this.#resized(pane))
      .catch(() => {})
      .finally(() => this.#resizes.delete(done));
    this.#resizes.add(done);
  }

  /** Sizes are those of the terminals then. */
  async sized(): Promise<void> {
    await Promise.all(this.#resizes);
  }

  /** After a rename or a move. */
  relabel(window: Window): void {
    const [link] = window.links;
    if (link === undefined) return;
    for (const pane of window.panes) {
      if (pane.terminal !== '')
        this.#terminals.later(this.client.call('label', { id: pane.terminal, set: labelsOf(pane, link.session) }));
    }
  }

  /** Asks the daemon what it says of these panes now. */
  async refresh(needs: PaneNeeds): Promise<void> {
    await this.#terminals.look(needs);
    const ended = [...needs.keys()].filter(
      ({ terminal, dead }) => dead === undefined && this.facts.get(terminal)?.alive === false,
    );
    await Promise.all(
      ended.map(async (pane) => {
        // Output of a program that has ended may not be read yet.
        const facts = await this.#terminals.status(pane.terminal);
        if (facts?.state === 'exited' && facts.restarting !== true) this.#ended(pane, facts.exit_code, facts.signal);
      }),
    );
  }

  /** A pane stays while `restart` starts its program again. */
  async #mayEnd(pane: Pane, code: number | null, signal: string | null): Promise<void> {
    const { terminal } = pane;
    for (;;) {
      const facts = await this.#terminals.status(terminal);
      if (pane.terminal !== terminal || facts?.alive === true) return;
      if (facts?.restarting !== true) return this.#ended(pane, facts?.exit_code ?? code, facts?.signal ?? signal);
      await delay(RESTART_POLL_MS);
    }
  }

  /** Another client of the daemon did it. A size that is asked for now wins. */
  async #resized(pane: Pane): Promise<void> {
    const { cols, rows, terminal: id } = pane;
    const facts = await this.client.call('status', { id });
    const fits = launchSize(pane);
    if (pane.cols !== cols || pane.rows !== rows || pane.terminal !== id) return;
    if (facts.cols !== fits.cols || facts.rows !== fits.rows)
      Object.assign(pane, { cols: facts.cols, rows: facts.rows });
  }

  #ended(pane: Pane, code: number | null, signal: string | null): void {
    if (pane.dead !== undefined || !this.state.panes.has(pane.id)) return;
    pane.dead = { status: code, signal, atMs: systemClock.wallNow() };
    const keeps = pane.options.text('remain-on-exit');
    const [link] = pane.window.links;
    if (keeps === 'on' || (keeps === 'failed' && code !== 0)) {
      return this.#onNotice({ name: 'pane-died', pane, window: pane.window, session: link?.session });
    }
    this.#onNotice({ name: 'pane-exited', pane, window: pane.window, session: link?.session });
    this.killPane(pane);
    this.#onChange();
  }

  /** Ends the terminal of a pane that a door before has ended. */
  endTerminal(id: string): void {
    this.#terminals.end(id);
  }

  /** The terminal of a pane whose program is started anew. */
  release(pane: Pane): void {
    const { terminal } = pane;
    pane.terminal = '';
    if (terminal !== '') this.#terminals.later(this.client.call('kill', { id: terminal }));
  }

  /** Ends the door as `kill-server` does it. */
  end(): void {
    this.#dropAll();
    this.#onEmpty();
  }

  async close(): Promise<void> {
    this.#dropAll();
    await this.sized();
    await this.#terminals.close();
  }

  #dropAll(): void {
    this.#ending.abort();
    this.alerts.close();
    this.#terminals.closes();
    for (const session of this.state.all()) this.dropSession(session);
  }
}

/** Rows of a cell that `pane-border-status` takes, at an edge of the window: elsewhere it is in the border. */
export function statusRows(
  { options, root }: Window,
  { y, sy }: LayoutCell,
): { readonly top: number; readonly bottom: number } {
  const status = options.text('pane-border-status');
  return {
    top: Number(status === 'top' && y === 0),
    bottom: Number(status === 'bottom' && y + sy === root?.sy),
  };
}

const FOLLOWED: ('bell' | 'exit' | 'removed' | 'resized' | 'restarted' | 'title')[] = [
  'bell',
  'exit',
  'removed',
  'resized',
  'restarted',
  'title',
];

/** Looks at a program that is started again: its end may have to be forced, and its start may fail. */
const RESTART_POLL_MS = 100;

interface Followed {
  readonly event: string;
  readonly terminal?: string;
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly pid?: number;
  readonly title?: string;
}

export interface DoorEvents {
  readonly onEmpty: () => void;
  readonly onNotice: (notice: HookNotice) => void;
  /** A pane has ended by itself. */
  readonly onChange: () => void;
}
