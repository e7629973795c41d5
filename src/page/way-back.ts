/**
 * The browser's Back, and the address: what a person opens is an entry of the history, so that Back closes it, and the address names
 * the terminal in front. An entry that shows no more than the one before it is passed over.
 */
import { addressOf, placeInAddress } from './address.js';
import type { Model, Place, View } from './model.js';

/** What Back returns to. A dialog is left by it, and entered by no Forward. */
interface Scene {
  readonly place: Place | undefined;
  readonly view: View;
  readonly over: 'drawer' | 'dialog' | undefined;
}

interface Entry {
  /** Entries of this page before it. */
  readonly depth: number;
  readonly scene: Scene;
}

export class WayBack {
  readonly #model: Model;
  /** Undefined before a terminal is in front. */
  #entry: Entry | undefined;
  /** The entry in front shows what the one before it does, since what it was made for has been closed. */
  #isSpare = false;

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
    if (before !== undefined && isSame(before.scene, scene)) return this.#name();
    const isOpened = before !== undefined && isFurther(before.scene, scene);
    const isNext = isOpened && !this.#isSpare;
    this.#isSpare = !isOpened && before !== undefined && before.depth > 0;
    // Loaded again, the page goes on where it was.
    const kept = isEntry(history.state) ? history.state.depth : 0;
    this.#entry = { depth: (before?.depth ?? kept) + (isNext ? 1 : 0), scene };
    if (isNext) history.pushState(this.#entry, '', this.#address);
    else history.replaceState(this.#entry, '', this.#address);
  }

  readonly #onPop = ({ state }: PopStateEvent): void => {
    const model = this.#model;
    if (!isEntry(state)) return this.#visited();
    const { depth, scene } = state;
    const isBack = depth < (this.#entry?.depth ?? 0);
    const isThere = scene.place === undefined || model.has(scene.place);
    const isIdle = isThere ? isSame(scene, sceneOf(model)) : depth > 0;
    if (isBack && isIdle) return history.back();
    this.#entry = { depth, scene: { ...scene, over: undefined } };
    this.#isSpare = false;
    model.restore(isThere ? scene.place : model.chosen, scene.view);
  };

  /** Another address was entered: of a terminal, or a new link. */
  #visited(): void {
    const named = placeInAddress();
    if (named === undefined) return location.hash === '' ? undefined : location.reload();
    const place = this.#model.placeNamed(named);
    if (place === undefined) this.#model.notice(`There is no terminal ${named.id}.`);
    else this.#model.choose(place);
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

function sceneOf({ chosen, view, isDrawerOpen, dialog }: Model): Scene {
  const over = dialog !== undefined ? 'dialog' : isDrawerOpen ? 'drawer' : undefined;
  return { place: chosen, view, over };
}

function isSame(one: Scene, other: Scene): boolean {
  return isSamePlace(one.place, other.place) && one.view === other.view && one.over === other.over;
}

function isSamePlace(one: Place | undefined, other: Place | undefined): boolean {
  return one?.daemon === other?.daemon && one?.id === other?.id;
}

/** Another terminal, or something that is open in front of what was there. */
function isFurther(before: Scene, now: Scene): boolean {
  if (!isSamePlace(before.place, now.place)) return before.place !== undefined && now.place !== undefined;
  if (before.view !== now.view) return now.view !== 'terminal';
  return before.over === undefined;
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'depth' in state && 'scene' in state;
}
