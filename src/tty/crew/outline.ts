/** Parts of the rail, as scene and scratchpads have it at this moment; and the keyboard in it. */
import { systemClock } from '../../base/clock.js';
import type { PanelHost } from '../panel-host.js';
import type { Notes } from './notes.js';
import { placeKey, type RailPlace, railPlaces, type RailParts, type RailTarget } from './rail.js';
import { RailWalk } from './rail-walk.js';
import type { Scene } from './scene.js';

export interface OutlineOptions {
  readonly scene: () => Scene;
  readonly notes: Notes;
  readonly panels: PanelHost;
  readonly go: (target: RailTarget) => void;
}

export class Outline {
  readonly #options: OutlineOptions;

  constructor(options: OutlineOptions) {
    this.#options = options;
  }

  get parts(): Omit<RailParts, 'rows'> {
    const { panel } = this.#options.panels;
    return { ...this.#found, walk: panel instanceof RailWalk ? panel.key : undefined };
  }

  get #found(): Omit<RailParts, 'rows' | 'walk'> {
    const { scene, notes } = this.#options;
    const { needs, members, hasFinished, stage } = scene();
    const { id: shown } = stage;
    return {
      needs,
      members: members.filter(({ id, terminal }) => terminal.alive || id === shown),
      shown,
      hasFinished,
      scratchpads: notes.names,
      preview: notes.preview,
      nowMs: systemClock.wallNow(),
    };
  }

  /** Arrows and Enter are for the rail, until one of its places is chosen. */
  walk(): void {
    const { panels, go, scene } = this.#options;
    const { id } = scene().stage;
    const places = (): readonly RailPlace[] => railPlaces(this.#found);
    const key = id === undefined ? undefined : placeKey('tree', id);
    panels.open(new RailWalk({ places, go: ({ target }) => go(target) }, key));
  }
}
