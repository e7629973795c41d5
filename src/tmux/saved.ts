/** Two files that a door keeps beside its socket, and of which one that was killed is made anew. */
import {
  type TmuxEnvironment,
  isZoomed,
  linksByIndex,
  type WindowLink,
  type Pane,
  type PasteBuffer,
  type Session,
  type Window,
} from './model.js';
import type { CallResult } from '../client/connection.js';
import { type LayoutCell, leaf, split } from './layout.js';
import { layoutText, leavesOf, parseLayout } from './layout-sets.js';
import { Options } from './options.js';
import { programName } from './processes.js';
import type { State } from './state.js';

type SavedOptions = readonly (readonly [string, string | readonly (readonly [number, string])[]])[];

interface SavedPane extends Pick<
  Pane,
  'id' | 'terminal' | 'pid' | 'title' | 'seenTitle' | 'command' | 'cwd' | 'historyLimit'
> {
  readonly options: SavedOptions;
}

interface SavedWindow extends Pick<
  Window,
  'id' | 'name' | 'cols' | 'rows' | 'lastLayout' | 'createdMs' | 'activityMs'
> {
  layout: string;
  readonly isZoomed?: boolean;
  readonly active: number;
  readonly panes: SavedPane[];
  readonly options: SavedOptions;
}

interface SavedSession extends Pick<Session, 'id' | 'name' | 'cwd' | 'createdMs' | 'activityMs' | 'group'> {
  readonly links: (readonly [index: number, window: number])[];
  readonly current: number;
  readonly last: readonly number[];
  readonly options: SavedOptions;
  readonly environment: readonly (readonly [string, TmuxEnvironment extends Map<string, infer V> ? V : never])[];
}

interface Saved {
  readonly counters: number[];
  readonly options: readonly [server: SavedOptions, session: SavedOptions, window: SavedOptions];
  readonly environment: SavedSession['environment'];
  readonly windows: SavedWindow[];
  readonly sessions: SavedSession[];
}

export function savedText(state: State): string {
  const saved: Saved = {
    counters: [...state.counters],
    options: [written(state.serverOptions), written(state.sessionOptions), written(state.windowOptions)],
    environment: [...state.environment],
    windows: [...state.windows.values()].map(savedWindow),
    sessions: [...state.sessions.values()].map((session) => ({
      ...pick(session, ['id', 'name', 'cwd', 'createdMs', 'activityMs', 'group']),
      links: linksByIndex(session).map(({ index, window }) => [index, window.id] as const),
      current: session.current.index,
      last: session.last.map(({ index }) => index),
      options: written(session.options),
      environment: [...session.environment],
    })),
  };
  return JSON.stringify(saved);
}

/** A buffer of such a name is never written to a file. */
const SECRET = 'secret';

type SavedBuffer = Omit<PasteBuffer, 'bytes'> & { readonly bytes: string };

/** Buffers have a file of their own: they may be large, and few commands change them. */
export function buffersText(buffers: readonly PasteBuffer[]): string {
  const kept = buffers.filter(({ name }) => !name.startsWith(SECRET));
  return JSON.stringify(kept.map((one): SavedBuffer => ({ ...one, bytes: one.bytes.toString('base64') })));
}

/** @throws SyntaxError, TypeError for another text */
export function restoreBuffers(state: State, text: string): void {
  for (const one of JSON.parse(text) as SavedBuffer[])
    state.buffers.set(one.name, { ...one, bytes: Buffer.from(one.bytes, 'base64') });
}

function savedWindow(window: Window): SavedWindow {
  return {
    ...pick(window, ['id', 'name', 'cols', 'rows', 'lastLayout', 'createdMs', 'activityMs']),
    layout: layoutText((window.savedRoot ?? window.root) as LayoutCell<Pane>, ({ id }) => id),
    isZoomed: isZoomed(window),
    active: window.active.id,
    options: written(window.options),
    // In the order of the layout, which gives them their cells again.
    panes: leavesOf((window.savedRoot ?? window.root) as LayoutCell<Pane>).flatMap(({ pane }) =>
      pane === undefined
        ? []
        : {
            ...pick(pane, ['id', 'terminal', 'pid', 'title', 'seenTitle', 'command', 'cwd', 'historyLimit']),
            options: written(pane.options),
          },
    ),
  };
}

/** Maker of panes and windows, which takes away what has gone. */
export interface Maker {
  newPane(window: Window, cols: number, rows: number, id: number): Pane;
  setRoot(window: Window, root: LayoutCell<Pane>): void;
  zoom(pane: Pane): void;
  link(session: Session, window: Window, index: number): WindowLink;
  killPane(pane: Pane): void;
  endTerminal(id: string): void;
}

/** @param text empty if none was written @param living the terminals of this door that run @throws SyntaxError, TypeError for another text */
export function restore(state: State, maker: Maker, text: string, living: readonly Terminal[]): void {
  const saved = JSON.parse(text || savedText(state)) as Saved;
  const unused = text === '' ? 0 : (saved.counters[2] ?? 0);
  const panes = new Set(saved.windows.flatMap((window) => window.panes.map(({ id }) => id)));
  for (const terminal of living.toSorted((a, b) => a.created_at - b.created_at)) {
    const pane = paneOf(terminal);
    // The file had its pane and has it no more: the end was answered, and the program has not followed it yet.
    if (pane < unused && !panes.has(pane)) maker.endTerminal(terminal.id);
    else addTo(saved, terminal);
  }
  state.counters = saved.counters;
  for (const [at, options] of [state.serverOptions, state.sessionOptions, state.windowOptions].entries())
    read(options, saved.options[at]);
  for (const [name, value] of saved.environment) state.environment.set(name, value);
  const gone: Pane[] = [];
  const zoomed: Window[] = [];
  for (const { layout, isZoomed: wasZoomed, active, options, panes, ...fields } of saved.windows) {
    const window = {
      ...fields,
      lastPanes: [],
      root: undefined,
      savedRoot: undefined,
      options: new Options(state.windowOptions),
      links: new Set<WindowLink>(),
    } as unknown as Window;
    read(window.options, options);
    window.panes = panes.map(({ options: own, ...known }) => {
      const pane = Object.assign(maker.newPane(window, fields.cols, fields.rows, known.id), known);
      read(pane.options, own);
      if (!living.some(({ id, pid }) => id === pane.terminal && pid === pane.pid)) gone.push(pane);
      return pane;
    });
    window.active = window.panes.find(({ id }) => id === active) ?? (window.panes[0] as Pane);
    state.windows.set(window.id, window);
    const root = parseLayout(layout, window.panes);
    if (root !== undefined) maker.setRoot(window, root);
    if (wasZoomed === true) zoomed.push(window);
  }
  for (const { links, current, last, options, environment, ...fields } of saved.sessions) {
    const session = {
      ...fields,
      links: new Map<number, WindowLink>(),
      environment: new Map(environment),
      options: new Options(state.sessionOptions),
    } as unknown as Session;
    read(session.options, options);
    for (const [index, id] of links) maker.link(session, state.windows.get(id) as Window, index);
    session.current = session.links.get(current) as WindowLink;
    session.last = last.flatMap((index) => session.links.get(index) ?? []);
    state.sessions.set(session.id, session);
  }
  for (const pane of gone) {
    // There is nothing to end.
    pane.terminal = '';
    maker.killPane(pane);
  }
  for (const { active } of zoomed) maker.zoom(active);
}

type Terminal = CallResult<'list'>['terminals'][number];

/** @returns NaN for a terminal without that label */
const paneOf = ({ labels }: Terminal): number => Number(labels['tmux.pane']?.slice(1));

/** A terminal that is newer than the file goes where its labels say, below what is there; its session and window are made if need be. */
function addTo(saved: Saved, one: Terminal): void {
  const { id: terminal, pid, cols, rows, cwd, cmd, title, created_at, labels } = one;
  const id = paneOf(one);
  const [, index = '', name = ''] = /^(\d+):(.*)$/.exec(labels['tmux.window'] ?? '') ?? [];
  if (pid === null || !Number.isSafeInteger(id) || index === '') return;
  const known = saved.windows.flatMap(({ panes }) => panes).find((pane) => pane.id === id);
  if (known !== undefined) return void Object.assign(known, { terminal, pid });
  const seen = { title, seenTitle: title };
  const pane: SavedPane = { id, terminal, pid, ...seen, command: cmd, cwd, historyLimit: 0, options: [] };
  const [sessionId = 0, windowId = 0, paneId = 0] = saved.counters;
  saved.counters[2] = Math.max(paneId, id + 1);
  const times = { createdMs: created_at, activityMs: created_at };
  let session = saved.sessions.find((one) => one.name === labels['tmux.session']);
  const place = session?.links.find(([at]) => at === Number(index));
  const window = saved.windows.find((one) => one.id === place?.[1]);
  const idOf = (of: SavedPane): number => of.id;
  const root = window === undefined ? undefined : parseLayout(window.layout, window.panes);
  const last = root === undefined ? undefined : leavesOf(root).at(-1);
  if (window !== undefined && root !== undefined && last !== undefined) {
    const below = { type: 'topbottom', size: undefined, isBefore: false, isFull: false } as const;
    const made = split(last, root, below) ?? split(last, root, { ...below, type: 'leftright' });
    if (made === undefined) return;
    made.cell.pane = pane;
    window.layout = layoutText(made.root, idOf);
    window.panes.push(pane);
    return;
  }
  saved.counters[1] = windowId + 1;
  const layout = layoutText(leaf(pane, cols, rows), idOf);
  // A name that is none of the program was given.
  const isGiven = !cmd.some((word) => programName(word) === name);
  const options: SavedOptions = isGiven ? [['automatic-rename', 'off']] : [];
  const made = { id: windowId, name, cols, rows, lastLayout: -1, ...times, layout, active: id, panes: [pane], options };
  saved.windows.push(made);
  if (session === undefined) {
    saved.counters[0] = sessionId + 1;
    const [links, current, group] = [[], Number(index), undefined];
    const own = { links, current, last: [], options: [], environment: [], group };
    session = { id: sessionId, name: labels['tmux.session'] ?? '', cwd, ...times, ...own };
    saved.sessions.push(session);
  }
  session.links.push([Number(index), windowId]);
}

function written(options: Options): SavedOptions {
  return options.names().map((name) => {
    const value = options.own(name) ?? '';
    return [name, typeof value === 'string' ? value : [...value]] as const;
  });
}

function read(options: Options, saved: SavedOptions = []): void {
  for (const [name, value] of saved) options.set(name, typeof value === 'string' ? value : new Map(value));
}

function pick<T, K extends keyof T>(of: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, of[key]])) as Pick<T, K>;
}
