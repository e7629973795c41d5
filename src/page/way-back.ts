/**
 * The browser's Back, and the address: what a person opens is an entry of the history, so that Back closes it, and the address names
 * the terminal in front. Entries of what was closed by hand stay in the history of the browser, and Back passes over them.
 */
import { addressOf, placeInAddress } from './address.js';
import type { Model, Place, View } from './model.js';

/** What Back returns to. A dialog is left by it, and entered by no Forward. */
interface Scene {
  readonly place: Place | undefined;
  readonly view: View;
  readonly over: 'drawer' | 'dialog' | undefined;
  /** The feed stands beside the terminal. Back closes it, and opens none. */
  readonly hasFeed: boolean;
}

/** A scene, and the depth of its entry: how many entries of this page are before it. */
interface Step {
  readonly depth: number;
  readonly scene: Scene;
}

interface Entry extends Step {
  /** What Back goes to, the nearest last. Entries between them show what was closed by hand. */
  readonly behind: readonly Step[];
  /** The depth of the entry that shows the same, where what was open in front of that one has been closed. */
  readonly same: number;
}

/** What is open in front of one terminal is a few steps. */
const MOST_BEHIND = 20;

export class WayBack {
  readonly #model: Model;
  /** Undefined before a terminal is in front. */
  #entry: Entry | undefined;
  /** The address that is in front was entered, and its entry has no scene yet. */
  #isVisit = false;

  constructor(model: Model) {
    this.#model = model;
    addEventListener('popstate', this.#onPop);
  }

  /** To be called after each change of what is shown. */
  follow(): void {
    const model = this.#model;
    // Recordings have no address, nor has a terminal before its daemon has answered.
    if (model.recording !== undefined || (model.chosen === undefined && this.#entry === undefined)) return;
    const scene = sceneOf(model);
    const before = this.#entry;
    if (before !== undefined && isSame(before.scene, scene) && !this.#isVisit) return this.#name();
    const entry = before === undefined ? firstEntry(scene) : after(before, scene);
    const isNew = before !== undefined && entry.depth > before.depth;
    this.#entry = before !== undefined && this.#isVisit ? visited(before, entry) : entry;
    if (isNew && !this.#isVisit) history.pushState(this.#entry, '', this.#address);
    else history.replaceState(this.#entry, '', this.#address);
    this.#isVisit = false;
  }

  readonly #onPop = ({ state }: PopStateEvent): void => {
    const model = this.#model;
    if (!isEntry(state)) return this.#visited();
    const now = this.#entry;
    const { depth, scene } = state;
    const steps = depth - (now?.depth ?? depth);
    const isThere = scene.place === undefined || model.has(scene.place);
    const shown = { ...scene, over: undefined, hasFeed: scene.hasFeed && model.feed !== 'closed' };
    const isIdle = isThere ? isSame(shown, sceneOf(model)) : depth > 0;
    const isClosed = steps < 0 && depth > (now?.behind.at(-1)?.depth ?? -1);
    // Before the first entry is another page: only a Back from there goes to it.
    const isPassed = (steps > 0 || (steps < 0 && depth > 0)) && (isIdle || isClosed);
    if (isPassed) {
      // It goes on to what is behind the one that was in front.
      this.#entry = { ...state, behind: isClosed ? (now?.behind ?? []) : state.behind, scene: sceneOf(model) };
      return history.go(Math.sign(steps));
    }
    // Without its dialog it may show what is behind it.
    this.#entry = closed(state, shown) ?? { ...state, scene: shown };
    history.replaceState(this.#entry, '');
    model.restore(isThere ? scene.place : model.chosen, scene.view, shown.hasFeed);
  };

  /** Another address was entered: of a terminal, or a new link. */
  #visited(): void {
    const named = placeInAddress();
    if (named === undefined && location.hash !== '') return location.reload();
    this.#isVisit = true;
    const place = named === undefined ? this.#model.chosen : this.#model.placeNamed(named);
    if (place !== undefined) this.#model.choose(place);
    else if (named !== undefined) this.#model.notice(`There is no terminal ${named.id}.`);
  }

  /** Another daemon may have come since. */
  #name(): void {
    if (location.hash !== this.#address.slice(this.#address.indexOf('#')))
      history.replaceState(this.#entry, '', this.#address);
  }

  get #address(): string {
    const { chosen, daemons } = this.#model;
    if (chosen === undefined) return location.pathname;
    return location.pathname + addressOf(daemons.size > 1 ? [chosen.daemon, chosen.id] : [chosen.id]);
  }
}

/** Loaded again, the page goes on where it was. */
function firstEntry(scene: Scene): Entry {
  const { state } = history;
  if (!isEntry(state)) return { depth: 0, same: 0, scene, behind: [] };
  return { ...state, scene };
}

function after(before: Entry, scene: Scene): Entry {
  if (isSame(before.scene, scene)) return before;
  const further = isFurther(before.scene, scene) ? next(before, scene) : { ...before, scene, same: before.depth };
  return closed(before, scene) ?? further;
}

/** The browser has made an entry for an address that a person entered. */
function visited(before: Entry, entry: Entry): Entry {
  const depth = before.depth + 1;
  const isOwn = entry !== before && entry.same === entry.depth;
  return { ...entry, depth, same: isOwn ? depth : entry.same };
}

/** @returns undefined if that is not what stood behind what was open */
function closed({ depth, behind }: Entry, scene: Scene): Entry | undefined {
  for (const [at, step] of [...behind.entries()].toReversed()) {
    // Who chooses a terminal that was in front before goes on to it.
    if (!isSamePlace(step.scene.place, scene.place)) return undefined;
    if (isSame(step.scene, scene)) return { depth, same: step.depth, scene, behind: behind.slice(0, at) };
  }
  return undefined;
}

/** The entry of what was closed is used again. */
function next({ depth, same, scene: before, behind }: Entry, scene: Scene): Entry {
  const own = same < depth ? depth : depth + 1;
  return { depth: own, same: own, scene, behind: [...behind, { depth: same, scene: before }].slice(-MOST_BEHIND) };
}

function sceneOf({ chosen, view, isDrawerOpen, dialog, feed }: Model): Scene {
  const over = dialog !== undefined ? 'dialog' : isDrawerOpen ? 'drawer' : undefined;
  return { place: chosen, view, over, hasFeed: feed !== 'closed' };
}

function isSame(one: Scene, other: Scene): boolean {
  return (
    isSamePlace(one.place, other.place) &&
    one.view === other.view &&
    one.over === other.over &&
    one.hasFeed === other.hasFeed
  );
}

function isSamePlace(one: Place | undefined, other: Place | undefined): boolean {
  return one?.daemon === other?.daemon && one?.id === other?.id;
}

/** Another terminal, or something that is open in front of what was there. */
function isFurther(before: Scene, now: Scene): boolean {
  if (!isSamePlace(before.place, now.place)) return before.place !== undefined && now.place !== undefined;
  if (before.view !== now.view) return now.view !== 'terminal';
  if (before.over !== now.over) return before.over === undefined;
  return now.hasFeed;
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'behind' in state && 'scene' in state;
}
