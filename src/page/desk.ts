/** The page as a whole: what it shows, and the seat in front of the chosen terminal. */
import type { Model } from './model.js';
import { fittedGrid } from './cell-size.js';
import { Seat } from './seat.js';

export class Desk {
  readonly model: Model;
  seat: Seat | undefined;
  #host: HTMLElement | undefined;

  constructor(model: Model) {
    this.model = model;
    model.onOpened = (daemon) => {
      if (this.seat?.place.daemon === daemon) this.seat.follow();
    };
  }

  /** The element that terminals are shown in. */
  set host(host: HTMLElement | undefined) {
    this.#host = host;
    this.arrange();
  }

  /** The seat is that of the chosen terminal, in the present theme. */
  arrange(): void {
    const { chosen, chosenDaemon, theme } = this.model;
    const isSame = this.seat?.place.daemon === chosen?.daemon && this.seat?.place.id === chosen?.id;
    if (!isSame) {
      this.seat?.leave();
      this.seat = undefined;
    }
    if (this.seat === undefined && chosen !== undefined && chosenDaemon !== undefined && this.#host !== undefined) {
      this.seat = new Seat(this.#host, this.model, chosenDaemon, chosen);
      this.focus();
    }
    const { seat } = this;
    if (seat === undefined || seat.screen.theme === theme) return;
    seat.screen.theme = theme;
    seat.screen.redraw();
  }

  /** The cards have been drawn: the cursor moves out of what they hide. */
  uncover(): void {
    const cards = document.querySelector('.asks');
    const isAbove = cards !== null && getComputedStyle(cards).position === 'absolute';
    this.seat?.screen.cover(isAbove ? cards.getBoundingClientRect() : undefined);
  }

  /** Keys are for the terminal again. A phone's keyboard would cover it, and opens at a tap. */
  focus(): void {
    if (matchMedia('(pointer: fine)').matches) this.seat?.focus();
  }

  /** A shell, or a command line, in the size of the page. */
  async create(daemon: string, command: string, name: string): Promise<void> {
    const size =
      this.#host === undefined ? {} : fittedGrid({ width: this.#host.clientWidth, height: this.#host.clientHeight });
    const state = this.model.daemon(daemon);
    if (state === undefined) return;
    const { id } = await state.link.ask('create', {
      ...size,
      ...(command === '' ? {} : { command }),
      ...(name === '' ? {} : { name }),
    });
    this.model.choose({ daemon, id });
  }

  /** Ends its program; an ended one is removed. */
  async kill(): Promise<void> {
    const { chosen, chosenDaemon } = this.model;
    if (chosen === undefined || chosenDaemon === undefined) return;
    await chosenDaemon.link.ask('kill', { id: chosen.id });
    const next = chosenDaemon.terminals.find(({ id }) => id !== chosen.id);
    this.model.choose(next === undefined ? undefined : { daemon: chosen.daemon, id: next.id });
  }
}
