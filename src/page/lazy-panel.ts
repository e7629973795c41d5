/** A part of the page that is loaded when it is meant; until then a line stands in its place. */
import { h, type ComponentChild, type ComponentType } from 'preact';
import type { Desk } from './desk.js';

type Part = ComponentType<{ readonly desk: Desk }>;

export class LazyPanel {
  readonly #load: () => Promise<Part>;
  #part: Part | undefined;
  #isLoading = false;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** @param isSilent nothing stands in its place */
  show(desk: Desk, isSilent = false): ComponentChild {
    if (this.#part !== undefined) return h(this.#part, { desk });
    if (!this.#isLoading) void this.#begin(desk);
    if (isSilent) return null;
    return h('p', { class: 'quiet loads', role: 'status' }, 'Loading');
  }

  async #begin({ model }: Desk): Promise<void> {
    this.#isLoading = true;
    try {
      this.#part = await this.#load();
    } catch {
      model.notice('This part of the page could not be loaded. Load the page again.');
    }
    this.#isLoading = false;
    model.changed();
  }
}
