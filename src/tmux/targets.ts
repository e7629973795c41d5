/** Targets of `-t` and `-s`, by the rules of tmux 3.3a (cmd-find.c). */
import { wildcard } from './wildcard.js';
import { type WindowLink, linkOf, linksByIndex, type Pane, type Session, type Window } from './model.js';
import { Refusal } from './options.js';
import type { State } from './state.js';

export interface Found {
  readonly session: Session;
  readonly link: WindowLink;
  readonly window: Window;
  readonly pane: Pane;
  /** Index that was named, or -1 for the next free one; with `isIndex`. */
  readonly index: number;
}

/** Part that a target names before it fails: verbs that go on without one take it, with its current window and active pane. */
export type TargetPart = Partial<Pick<Found, 'session' | 'link' | 'window' | 'pane'>>;

class NotFound extends Refusal {
  readonly part: TargetPart;

  constructor(message: string, part: TargetPart) {
    super(message);
    this.part = part;
  }
}

/** @throws what is no refusal of a target */
export function partOf(error: unknown): TargetPart {
  if (error instanceof NotFound) return error.part;
  if (error instanceof Refusal) return {};
  throw error;
}

export type Kind = 'session' | 'window' | 'pane';

export interface Looked {
  readonly kind: Kind;
  /** The index of a window need not be taken. */
  readonly isIndex?: boolean;
  /** Place to which the target is relative; undefined if there is no session. */
  readonly current: Found | undefined;
}

const WINDOW_WORDS: Readonly<Record<string, string>> = {
  '{start}': '^',
  '{last}': '!',
  '{end}': '$',
  '{next}': '+',
  '{previous}': '-',
};
const PANE_WORDS: Readonly<Record<string, string>> = { '{last}': '!', '{next}': '+', '{previous}': '-' };
const EDGE = /^\{((?:top|bottom)(?:-left|-right)?|left|right)\}$/;

export function at(link: WindowLink, pane: Pane = link.window.active, index = link.index): Found {
  return { session: link.session, link, window: link.window, pane, index };
}

/** @throws Refusal in the words of tmux */
export function find(state: State, given: string | undefined, looked: Looked): Found {
  const { kind, isIndex = false, current } = looked;
  if (given === undefined || given === '') {
    if (current === undefined) throw new Refusal('no current target');
    return isIndex ? { ...current, index: -1 } : current;
  }
  if (given === '=' || given === '{mouse}') throw new Refusal('no mouse target');
  if (given === '~' || given === '{marked}') {
    if (state.marked === undefined) throw new Refusal('no marked target');
    return at(state.marked.link, state.marked.pane);
  }
  const search = new Search(state, looked);
  const named = parts(given, kind);
  const { isWindowOnly, isPaneOnly } = named;
  let { session, window, pane } = named;
  const isExactSession = session?.startsWith('=') ?? false;
  const isExactWindow = window?.startsWith('=') ?? false;
  if (isExactSession) session = session?.slice(1);
  if (isExactWindow) window = window?.slice(1);
  session ||= undefined;
  window = window === undefined || window === '' ? undefined : (WINDOW_WORDS[window] ?? window);
  pane = pane === undefined || pane === '' ? undefined : (PANE_WORDS[pane] ?? pane.replace(EDGE, '$1'));
  if (pane !== undefined && isIndex) throw new Refusal("can't specify pane here");
  // A name that was looked for among sessions, too, leaves none.
  const isLoose = session === undefined && !isWindowOnly && !isPaneOnly;
  const no = (what: Kind, name: string | undefined, part: TargetPart): never => {
    const link = search.first;
    if (link === undefined) throw new NotFound(`can't find ${what}: ${name}`, part);
    const own = isLoose ? {} : { session: link.session };
    throw new NotFound(`can't find ${what}: ${name}`, { ...own, link, window: link.window });
  };
  const noWindow = (within?: Session): never => no('window', window, within === undefined ? {} : { session: within });
  const noPane = (link?: WindowLink): never =>
    no('pane', pane, link === undefined ? {} : { session: link.session, link, window: link.window });
  if (session !== undefined) {
    const found = search.session(session, isExactSession) ?? no('session', session, {});
    if (window === undefined && pane === undefined) return at(found.current, undefined, isIndex ? -1 : undefined);
    const place =
      window === undefined ? at(found.current) : (search.windowIn(found, window, isExactWindow) ?? noWindow(found));
    if (pane === undefined) return place;
    return at(place.link, search.paneIn(place.window, pane) ?? noPane(place.link));
  }
  if (window !== undefined) {
    const isOwn = isWindowOnly && !window.startsWith('@');
    const place = search.window(window, isExactWindow, isWindowOnly) ?? noWindow(isOwn ? current?.session : undefined);
    if (pane === undefined) return place;
    return at(place.link, search.paneIn(place.window, pane) ?? noPane(place.link));
  }
  if (pane !== undefined) {
    const isOwn = isPaneOnly && !pane.startsWith('%');
    return search.pane(pane, isPaneOnly) ?? noPane(isOwn ? current?.link : undefined);
  }
  if (current === undefined) throw new Refusal('no current target');
  return isIndex ? { ...current, index: -1 } : current;
}

interface Parts {
  session?: string | undefined;
  window?: string | undefined;
  pane?: string | undefined;
  isWindowOnly: boolean;
  isPaneOnly: boolean;
}

function parts(given: string, kind: Kind): Parts {
  const colon = given.indexOf(':');
  const period = given.indexOf('.', colon + 1);
  const none = { isWindowOnly: false, isPaneOnly: false };
  if (colon !== -1) {
    const session = given.slice(0, colon);
    if (period === -1) return { session, window: given.slice(colon + 1), isWindowOnly: true, isPaneOnly: false };
    const [window, pane] = [given.slice(colon + 1, period), given.slice(period + 1)];
    return { session, window, pane, isWindowOnly: true, isPaneOnly: true };
  }
  if (period !== -1) {
    return { window: given.slice(0, period), pane: given.slice(period + 1), isWindowOnly: false, isPaneOnly: true };
  }
  const what = { $: 'session', '@': 'window', '%': 'pane' }[given[0] ?? ''] ?? kind;
  return { [what]: given, ...none };
}

/** Items with the name, else those that begin with it, else those that fit it as a pattern. */
function fitting<T>(all: readonly T[], name: string, isExact: boolean, nameOf: (one: T) => string): readonly T[] {
  const same = all.filter((one) => nameOf(one) === name);
  if (same.length > 0 || isExact) return same;
  const begun = all.filter((one) => nameOf(one).startsWith(name));
  if (begun.length > 0) return begun;
  const pattern = wildcard(name);
  return all.filter((one) => pattern.test(nameOf(one)));
}

function of(link: WindowLink | undefined): Found | undefined {
  return link === undefined ? undefined : at(link);
}

class Search {
  readonly #state: State;
  readonly #current: Found | undefined;
  readonly #isIndex: boolean;
  /** First of several windows that a name fits. */
  first: WindowLink | undefined;

  constructor(state: State, { current, isIndex = false }: Looked) {
    this.#state = state;
    this.#current = current;
    this.#isIndex = isIndex;
  }

  session(name: string, isExact: boolean): Session | undefined {
    const all = this.#state.all();
    if (name.startsWith('$')) return all.find(({ id }) => id === numberOf(name));
    const fit = fitting(all, name, isExact, (one) => one.name);
    return fit.length === 1 ? fit[0] : undefined;
  }

  window(name: string, isExact: boolean, isOnly: boolean): Found | undefined {
    if (name.startsWith('@')) {
      const window = this.#windowOf(name);
      const link = window === undefined ? undefined : this.#state.bestLink(window, this.#current?.session);
      return link === undefined ? undefined : at(link);
    }
    const own = this.#current === undefined ? undefined : this.windowIn(this.#current.session, name, isExact);
    if (own !== undefined || isOnly) return own;
    const session = this.session(name, false);
    return session === undefined ? undefined : at(session.current, undefined, this.#isIndex ? -1 : undefined);
  }

  windowIn(session: Session, name: string, isExact: boolean): Found | undefined {
    const links = linksByIndex(session);
    if (name.startsWith('@')) {
      const window = this.#windowOf(name);
      return of(window === undefined ? undefined : linkOf(session, window));
    }
    if (!isExact && (name.startsWith('+') || name.startsWith('-'))) {
      const by = stepsOf(name);
      if (this.#isIndex) {
        const index = session.current.index + by;
        return index < 0 ? undefined : at(session.current, undefined, index);
      }
      return of(links.at((links.indexOf(session.current) + by) % links.length));
    }
    if (!isExact && name === '!') return of(session.last[0]);
    if (!isExact && name === '^') return of(links[0]);
    if (!isExact && name === '$') return of(links.at(-1));
    if (/^\d+$/.test(name) && Number(name) <= 0x7fffffff) {
      const link = session.links.get(Number(name));
      if (link !== undefined) return at(link);
      if (this.#isIndex) return at(session.current, undefined, Number(name));
    }
    const fit = fitting(links, name, isExact, ({ window }) => window.name);
    if (fit.length > 1) [this.first] = fit;
    return fit.length === 1 ? of(fit[0]) : undefined;
  }

  pane(name: string, isOnly: boolean): Found | undefined {
    if (name.startsWith('%')) {
      const pane = this.#paneOf(name);
      const link = pane === undefined ? undefined : this.#state.bestLink(pane.window, this.#current?.session);
      return link === undefined ? undefined : at(link, pane);
    }
    const own = this.#current === undefined ? undefined : this.paneIn(this.#current.window, name);
    if (own !== undefined && this.#current !== undefined) return at(this.#current.link, own);
    return isOnly ? undefined : this.window(name, false, false);
  }

  paneIn(window: Window, name: string): Pane | undefined {
    if (name.startsWith('%')) {
      const pane = this.#paneOf(name);
      return pane?.window === window ? pane : undefined;
    }
    if (name === '!') return window.lastPanes[0];
    const towards = { '{up-of}': 'U', '{down-of}': 'D', '{left-of}': 'L', '{right-of}': 'R' }[name];
    if (towards !== undefined) return neighbour(window.active, towards as Towards);
    if (/^[+-]/.test(name)) {
      const by = stepsOf(name);
      return window.panes.at((window.panes.indexOf(window.active) + by) % window.panes.length);
    }
    if (/^\d+$/.test(name)) {
      return window.panes[Number(name) - window.options.number('pane-base-index')];
    }
    return atEdge(window, name);
  }

  #windowOf(name: string): Window | undefined {
    return [...this.#state.windows.values()].find(({ id }) => id === numberOf(name));
  }

  #paneOf(name: string): Pane | undefined {
    return [...this.#state.panes.values()].find(({ id }) => id === numberOf(name));
  }
}

/** Number of `$1`, `@01` or `%+1`, as tmux reads it. */
function numberOf(name: string): number {
  return /^\s*[-+]?\d+$/.test(name.slice(1)) ? Number(name.slice(1)) : NaN;
}

/** Number that `+`, `-2` and the like mean. */
function stepsOf(name: string): number {
  return (name.length === 1 ? 1 : Number(name.slice(1)) || 0) * (name.startsWith('-') ? -1 : 1);
}

function atEdge(window: Window, name: string): Pane | undefined {
  if (!/^(?:(?:top|bottom)(?:-left|-right)?|left|right)$/.test(name)) return undefined;
  const [col, row] = [placeAlong(name, 'left', 'right', window.cols), placeAlong(name, 'top', 'bottom', window.rows)];
  return window.panes.find(({ cell }) => {
    if (cell === undefined) return false;
    return col >= cell.x && col <= cell.x + cell.sx && row >= cell.y && row <= cell.y + cell.sy;
  });
}

function placeAlong(name: string, first: string, last: string, size: number): number {
  if (name.includes(first)) return 0;
  return name.includes(last) ? size - 1 : (size - 1) >> 1;
}

export type Towards = 'U' | 'D' | 'L' | 'R';

/** The pane beside another; of several the one that was active last. */
export function neighbour(pane: Pane, towards: Towards): Pane | undefined {
  const { window } = pane;
  const isSide = towards === 'L' || towards === 'R';
  const { cell } = pane;
  if (cell === undefined) return undefined;
  const [start, size, whole] = isSide ? [cell.x, cell.sx, window.cols] : [cell.y, cell.sy, window.rows];
  let edge = towards === 'U' || towards === 'L' ? start : start + size + 1;
  if ((towards === 'U' || towards === 'L') && edge === 0) edge = whole + 1;
  if ((towards === 'D' || towards === 'R') && edge >= whole) edge = 0;
  const [from, to] = isSide ? [cell.y, cell.y + cell.sy] : [cell.x, cell.x + cell.sx];
  const all = window.panes.filter((one) => {
    if (one === pane || one.cell === undefined) return false;
    const { x, y, sx, sy } = one.cell;
    const [oneStart, oneSize] = isSide ? [x, sx] : [y, sy];
    const touches = towards === 'U' || towards === 'L' ? oneStart + oneSize + 1 === edge : oneStart === edge;
    if (!touches) return false;
    const [first, size2] = isSide ? [y, sy] : [x, sx];
    const end = first + size2 - 1;
    return (first < from && end > to) || (first >= from && first <= to) || (end >= from && end <= to);
  });
  return all.toSorted((a, b) => b.activePoint - a.activePoint)[0];
}
