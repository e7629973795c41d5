/** The page as a whole: what it shows, and the seat in front of the chosen terminal. */
import { seenKey } from './away.js';
import { pageKey } from './key-names.js';
import { inOrder } from './daemon-state.js';
import type { Model, Place, View } from './model.js';
import type { Ask } from './listed.js';
import { fittedGrid } from './cell-size.js';
import { Seat } from './seat.js';
import type { Moment } from './then.js';
import { WayBack } from './way-back.js';

/** Of the shell of the chosen terminal. */
export interface CommandBlocks {
  readonly count: number;
  /** @returns whether there is one to go to */
  step(steps: number): boolean;
  copyOutput(): void;
  copyPicture(): void;
}

export class Desk {
  readonly model: Model;
  readonly wayBack: WayBack;
  seat: Seat | undefined;
  /** While its commands are shown. */
  blocks: CommandBlocks | undefined;
  /** While the search is open. */
  focusSearch: (() => void) | undefined;
  #host: HTMLElement | undefined;

  constructor(model: Model) {
    this.model = model;
    this.wayBack = new WayBack(model);
    addEventListener('keydown', this.#onKey, { capture: true });
    // What it shows is seen now: nobody is called for it any more.
    addEventListener('focus', () => model.changed());
    model.onOpened = (daemon) => {
      if (this.seat?.place.daemon !== daemon) return;
      if (!document.hidden) this.#saw();
      this.seat.follow();
    };
    addEventListener('pagehide', () => !document.hidden && this.#saw());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return this.#saw();
      for (const one of model.daemons.values()) if (one.isOpen) void model.away.returned(one);
    });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const key = pageKey(event);
    if (key === undefined || this.model.shutOut !== undefined) return;
    // Where no shell marks its commands, these keys are the program's.
    if (typeof key === 'number' && (document.querySelector('dialog[open]') !== null || this.blocks?.step(key) !== true))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (typeof key === 'number') return;
    if (key === 'palette' && this.model.dialog === 'palette') return this.closePalette();
    // A dialog is answered first.
    if (document.querySelector('dialog[open]') !== null) return;
    if (key === 'search') return this.search();
    if (key === 'past') return this.togglePast();
    this.openPalette();
  };

  openPalette(): void {
    this.model.dialog = 'palette';
    this.model.changed();
  }

  closePalette(): void {
    if (this.model.dialog !== 'palette') return;
    this.model.hide('palette');
    this.#afterDrawing(() => {
      if (document.activeElement === document.body) this.focus();
    });
  }

  /** In the order of the list. */
  terminals(): Place[] {
    return [...this.model.daemons.values()].flatMap((daemon) =>
      inOrder(daemon.terminals, daemon.asks).map(({ id }) => ({ daemon: daemon.name, id })),
    );
  }

  choose(place: Place): void {
    this.model.choose(place);
    this.focus();
  }

  /** The past of a terminal at a moment. */
  openMoment(place: Place, moment: Moment): void {
    this.model.choose(place);
    this.model.view = 'past';
    this.model.moment = moment;
  }

  /** The screen in front has been looked at until now. */
  #saw(): void {
    const { seat, model } = this;
    if (seat?.rev === undefined || model.recording !== undefined) return;
    const { daemon, id } = seat.place;
    const terminal = model.daemon(daemon)?.terminals.find((one) => one.id === id);
    if (terminal !== undefined) model.away.saw(seenKey(daemon, terminal), seat.rev);
  }

  /** @param steps further in the list, and round */
  step(steps: number): void {
    const { chosen } = this.model;
    const all = this.terminals();
    const at = all.findIndex(({ daemon, id }) => daemon === chosen?.daemon && id === chosen.id);
    const next = all[(at + steps + all.length) % all.length];
    if (next !== undefined) this.choose(next);
  }

  /** Another view in place of the terminal, or back to it. */
  toggleView(view: Exclude<View, 'terminal' | 'search' | 'past'>): void {
    const { model } = this;
    const isBack = model.view === view;
    this.#closeRecording();
    const next = isBack ? model.behind : view;
    model.behind = view === 'wall' && model.view === 'past' ? 'past' : 'terminal';
    model.view = next;
    model.isDrawerOpen = false;
    model.changed();
    if (isBack) this.#afterDrawing(() => this.focus());
  }

  /** The past of the chosen terminal, or back to now. */
  togglePast(): void {
    const { model } = this;
    if (this.seat === undefined || model.view === 'rules') return;
    if (model.recording !== undefined) return this.#leaveRecording();
    model.view = model.view === 'past' ? 'terminal' : 'past';
    model.changed();
    if (model.view === 'terminal') this.#afterDrawing(() => this.focus());
  }

  /** @param daemon that has it open */
  play(daemon: string, id: string, recording: NonNullable<Model['recording']>): void {
    const { model } = this;
    if (model.recording === undefined) this.#before = model.chosen;
    model.choose({ daemon, id });
    model.recording = recording;
    model.view = 'past';
  }

  /** The terminal that was chosen before a recording. */
  #before: Place | undefined;

  /** What is closed is not chosen any more. */
  #closeRecording(): void {
    if (this.model.recording !== undefined) this.model.choose(this.#before);
  }

  #leaveRecording(): void {
    const before = this.#before ?? this.terminals()[0];
    if (before === undefined) this.model.choose(undefined);
    else this.choose(before);
  }

  openList(): void {
    this.model.isDrawerOpen = true;
    this.model.changed();
    this.#afterDrawing(() => {
      const found = ['.item.is-chosen', '.item', '.find input'].map((one) =>
        document.querySelector<HTMLElement>(`.tree ${one}`),
      );
      found.find((one) => one !== null)?.focus();
    });
  }

  /** The card of a question, with the terminal that it is about. */
  answer(daemon: string, { ask, id }: Ask): void {
    if (id !== null) this.model.choose({ daemon, id });
    this.#afterDrawing(() => {
      const card = document.querySelector(`[data-ask="${CSS.escape(`${daemon} ${ask}`)}"]`);
      card?.querySelector('details')?.setAttribute('open', '');
      card?.querySelector<HTMLElement>('.answers input, .answers button')?.focus();
    });
  }

  /** Components are drawn in a later microtask than the change. */
  #afterDrawing(act: () => void): void {
    requestAnimationFrame(() => setTimeout(act));
  }

  /** The element that terminals are shown in. */
  set host(host: HTMLElement | undefined) {
    this.#host = host;
    this.arrange();
  }

  /** The seat is that of the chosen terminal, in the present theme. */
  arrange(): void {
    const { theme } = this.model.preferences;
    const chosen = this.model.isAway ? undefined : this.model.chosen;
    const { chosenDaemon } = this.model;
    const isSame = this.seat?.place.daemon === chosen?.daemon && this.seat?.place.id === chosen?.id;
    const isMadeAgain = isSame && this.seat?.isOf(this.model.chosenTerminal) === false;
    // Where a person has gone meanwhile, the keys go on going.
    const isFocused = !isMadeAgain || document.activeElement === this.seat?.screen.field;
    if (!isSame || isMadeAgain) {
      if (!isMadeAgain && !document.hidden) this.#saw();
      this.seat?.leave();
      this.seat = undefined;
    }
    if (this.seat === undefined && chosen !== undefined && chosenDaemon !== undefined && this.#host !== undefined) {
      this.seat = new Seat(this.#host, this.model, chosenDaemon, chosen);
      this.seat.screen.moved.add(this.placeNotices);
      this.seat.isOf(this.model.chosenTerminal);
      if (isFocused) this.focus();
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

  /** At the bottom of the page, or below its bar while they would hide the row of the cursor there. */
  readonly placeNotices = (): void => {
    if (this.model.notices.shown.length === 0) return;
    const { seat } = this;
    const notices = document.querySelector('.notices');
    if (notices === null || seat === undefined) return;
    notices.classList.remove('is-above');
    const [hidden, row] = [notices.getBoundingClientRect(), seat.screen.field.getBoundingClientRect()];
    notices.classList.toggle('is-above', row.bottom > hidden.top && row.top < hidden.bottom);
  };

  search(): void {
    const { model } = this;
    if (model.view === 'search') return this.focusSearch?.();
    if (this.seat === undefined || model.recording !== undefined || model.view === 'rules') return;
    model.view = 'search';
    model.changed();
  }

  /** The place stays, until a key is typed. */
  closeSearch(): void {
    this.model.view = 'terminal';
    this.model.changed();
    this.focus();
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

  /** Ends its program; an ended one is removed. @param force also while another name has the keyboard */
  async kill(force: boolean): Promise<void> {
    const { chosen, chosenDaemon } = this.model;
    if (chosen === undefined || chosenDaemon === undefined) return;
    await chosenDaemon.link.ask('kill', { id: chosen.id, ...(force ? { force } : {}) });
    const next = inOrder(chosenDaemon.terminals, chosenDaemon.asks).find(({ id }) => id !== chosen.id);
    this.model.choose(next === undefined ? undefined : { daemon: chosen.daemon, id: next.id });
  }
}
