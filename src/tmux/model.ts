/** Sessions, windows and panes of a door, and what it keeps beside them: plain data, that verbs change and formats read. */
import { hostname } from 'node:os';
import { systemClock } from '../base/clock.js';
import type { LayoutCell } from './layout.js';
import { Options } from './options.js';

export interface Dead {
  readonly status: number | null;
  readonly signal: string | null;
  readonly atMs: number;
}

export interface Pane {
  readonly id: number;
  window: Window;
  /** Id of its terminal; empty until that is created, and after it has gone. */
  terminal: string;
  pid: number;
  cols: number;
  rows: number;
  left: number;
  top: number;
  cell: LayoutCell | undefined;
  readonly options: Options;
  /** Place of the cursor of the main screen when the alternate one was looked at last. */
  savedCursor: { readonly row: number; readonly col: number } | undefined;
  /** The character on which the cursor stood when a format asked for it last; undefined in the right half of a wide one. */
  underCursor: string | undefined;
  /** Rows of the screen, as they were when a format looked for a text in them. */
  rowsSeen: readonly string[];
  title: string;
  /** Title that the terminal had when it was looked at last: a title that was given stays until the program sets another. */
  seenTitle: string;
  /** Command as given; empty for the default. */
  command: readonly string[];
  cwd: string;
  /** The option `history-limit` when the pane was made. */
  historyLimit: number;
  dead: Dead | undefined;
  /** `copy-mode` and the like, the one that is seen last. */
  modes: string[];
  takesInput: boolean;
  stopPipe: (() => void) | undefined;
  lastKeysMs: number;
  readonly sinceMs: number;
  /** Grows with each pane that becomes active. */
  activePoint: number;
}

export interface Window {
  readonly id: number;
  name: string;
  panes: Pane[];
  active: Pane;
  /** The one that was active before, or none. */
  lastPanes: Pane[];
  root: LayoutCell | undefined;
  /** Root of a zoomed window as it was before. */
  savedRoot: LayoutCell | undefined;
  cols: number;
  rows: number;
  readonly options: Options;
  readonly links: Set<WindowLink>;
  lastLayout: number;
  readonly createdMs: number;
  activityMs: number;
}

/** Activity, a bell, silence: as flags of windows show them. */
export type Alert = '#' | '!' | '~';

/** A window in a session, at an index. */
export interface WindowLink {
  index: number;
  readonly alerts: Set<Alert>;
  readonly session: Session;
  window: Window;
}

export interface Session {
  readonly id: number;
  name: string;
  readonly links: Map<number, WindowLink>;
  current: WindowLink;
  last: WindowLink[];
  readonly environment: TmuxEnvironment;
  readonly options: Options;
  cwd: string;
  readonly createdMs: number;
  activityMs: number;
  group: string | undefined;
}

/** A name without a value is removed from what is inherited. */
export type TmuxEnvironment = Map<string, { readonly value: string | undefined; readonly hidden: boolean }>;

export interface PasteBuffer {
  readonly name: string;
  readonly bytes: Buffer;
  readonly order: number;
  readonly isAutomatic: boolean;
  readonly createdMs: number;
}

/** Links by index. */
export function linksByIndex(session: Session): WindowLink[] {
  return [...session.links.values()].toSorted((a, b) => a.index - b.index);
}

export function linkOf(session: Session, window: Window): WindowLink | undefined {
  if (session.current.window === window) return session.current;
  return linksByIndex(session).find((link) => link.window === window);
}

export function isZoomed(window: Window): boolean {
  return window.savedRoot !== undefined;
}

/** A pane that has no terminal and no cell. */
export function blankPane(id: number, window: Window, cols: number, rows: number): Pane {
  return {
    id,
    window,
    terminal: '',
    pid: 0,
    cols,
    rows,
    left: 0,
    top: 0,
    cell: undefined,
    options: new Options(window.options),
    savedCursor: undefined,
    underCursor: undefined,
    rowsSeen: [],
    title: hostname(),
    seenTitle: hostname(),
    command: [],
    cwd: '/',
    historyLimit: 0,
    dead: undefined,
    modes: [],
    takesInput: true,
    stopPipe: undefined,
    lastKeysMs: 0,
    sinceMs: performance.now(),
    activePoint: 0,
  };
}

/** A window that has no panes, named by its caller. */
export function blankWindow(id: number, options: Options, cols: number, rows: number): Window {
  return {
    id,
    name: '',
    panes: [],
    lastPanes: [],
    root: undefined,
    savedRoot: undefined,
    cols,
    rows,
    options: new Options(options),
    links: new Set<WindowLink>(),
    lastLayout: -1,
    createdMs: systemClock.wallNow(),
    activityMs: systemClock.wallNow(),
  } as unknown as Window;
}
