/** The page in front of one terminal: its screen, its keyboard, who types, and its size while the page holds it. */
import type { CommandName, ParamsInput } from '../protocol/registry.js';
import { fittedGrid } from './cell-size.js';
import { RequestError } from './daemon-link.js';
import { Hands } from './hands.js';
import { Marks } from './marks.js';
import type { Mirror } from '../mirror/mirror.js';
import { takeKeyboard } from '../mirror/watcher.js';
import type { DaemonState } from './daemon-state.js';
import type { TerminalState } from './listed.js';
import type { Model, Place } from './model.js';
import { Pointer } from './pointer.js';
import { TerminalScreen } from './terminal-screen.js';
import { Watching, type Standing } from './watching.js';
import { Announcer } from './announcer.js';
import { SelectedText } from './selected-text.js';

const FIT_MS = 150;

/** Matching lines that the search goes through, from the end. */
const MAX_FOUND = 1000;

export interface FoundPlace {
  /** Lasting number of its line. */
  readonly line: number;
  /** Of the row in which the match begins, if the line has several. */
  readonly row: number;
}

export interface FoundPlaces {
  readonly matches: readonly FoundPlace[];
  readonly total: number;
}

/** A message has 64 KB. */
const MAX_PASTE_BYTES = 60_000;

let seats = 0;

export class Seat {
  /** Another seat in front of the same place has another: the terminal was made again by the same name. */
  readonly number = ++seats;
  readonly place: Place;
  readonly screen: TerminalScreen;
  readonly hands: Hands;
  readonly marks: Marks;
  standing: Standing | undefined;
  isGone = false;
  /** Of its terminal; undefined until the list of its daemon has that. */
  #createdAt: number | undefined;
  /** A key was pressed while another name has the keyboard. */
  isRefused = false;
  /** Called when something is typed. */
  onTyped: () => void = () => {};
  readonly #model: Model;
  readonly #daemon: DaemonState;
  readonly #pointer: Pointer;
  readonly #selected: SelectedText;
  readonly #announcer: Announcer;
  #watching: Watching | undefined;
  /** Another moment, which is shown in place of now. */
  #then: Mirror | undefined;
  /** Another moment is chosen: its screen may still be on its way. */
  isMomentChosen = false;
  /** From another moment to now, whose screen has not come yet. */
  #isReturning = false;
  /** That of this page: another page, or attach, may hold under the same name. */
  #hold: { readonly number: number; readonly since: number } | undefined;
  /** The connection is another: the hold ends with the one that took it. */
  #isRetying = false;
  #before: { readonly cols: number; readonly rows: number } | undefined;
  #fitTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #fits: ResizeObserver;
  readonly #onLeave = (): void => {
    void this.unfit();
    this.#giveUp();
  };

  constructor(host: HTMLElement, model: Model, daemon: DaemonState, place: Place) {
    this.#model = model;
    this.#daemon = daemon;
    this.place = place;
    this.screen = new TerminalScreen(host, place.id);
    this.screen.theme = model.preferences.theme;
    this.marks = new Marks(this.screen);
    this.screen.onDrawn = () => this.marks.refresh();
    this.screen.sight.onEnd = () => model.changed();
    this.hands = new Hands(this.screen.field, {
      press: (key) => this.#input('press', { id: place.id, keys: [key] }),
      type: (text) => this.#input('type', { id: place.id, text }),
      paste: (text) => this.#paste(text),
      compose: (text) => this.screen.compose(text),
    });
    this.#pointer = new Pointer(this.screen, {
      modes: () => (this.#isElsewhere ? undefined : this.#watching?.mirror.state),
      act: (cmd, fields) => this.#input(cmd, { id: place.id, ...fields }),
      focus: () => this.focus(),
      copy: (text) => this.#copy(text),
    });
    this.#selected = new SelectedText({
      screen: this.screen,
      link: daemon.link,
      id: place.id,
      notice: (text) => model.notice(text),
    });
    this.#announcer = new Announcer({
      say: (text) => model.say(text),
      waits: () => daemon.waiting.has(place.id),
    });
    this.#fits = new ResizeObserver(() => this.#fitSoon());
    this.#fits.observe(host);
    addEventListener('pagehide', this.#onLeave);
    this.follow();
  }

  /** @param listed the terminal of its name; undefined if there is none @returns whether it is the one that is shown */
  isOf(listed: TerminalState | undefined): boolean {
    this.#createdAt ??= listed?.created_at;
    if (listed === undefined || listed.created_at === this.#createdAt) return true;
    this.isGone = true;
    return false;
  }

  /** At the beginning, and when the connection is there again. */
  follow(): void {
    this.isGone = false;
    this.#watching?.leave();
    this.#isRetying = this.#hold !== undefined;
    this.#watching = new Watching(this.#daemon.link, this.place.id, this.screen, {
      standing: (standing) => {
        this.standing = standing;
        if (!this.#holds(standing)) this.#hold = undefined;
        else if (this.#isRetying) this.#claim(false).catch(() => this.#lose());
        this.#isRetying = false;
        this.#model.changed();
      },
      frame: (mirror) => {
        this.#isReturning = false;
        this.#announcer.frame(mirror);
      },
      commands: () => this.#daemon.sawCommand(this.place.id),
      bell: () => this.#model.bell(this.place.daemon, this.place.id),
      gone: () => {
        this.isGone = true;
        this.#model.changed();
      },
    });
    this.#watching.isHidden = this.isThen;
    if (this.#daemon.link.isOpen) void this.#watching.follow();
  }

  /** What is shown is the past. Nothing is typed meanwhile. */
  get isThen(): boolean {
    return this.#then !== undefined;
  }

  /** What is typed would reach a screen that is not the one in view. */
  get #isElsewhere(): boolean {
    return this.isThen || this.isMomentChosen || this.#isReturning;
  }

  /** @param then a whole screen of another moment; undefined for now, live */
  showThen(then: Mirror | undefined): void {
    if (then === undefined && this.#then === undefined) return;
    const isFirst = this.#then === undefined;
    this.#then = then;
    this.#isReturning = then === undefined && this.rev === undefined;
    if (this.#watching !== undefined) this.#watching.isHidden = then !== undefined;
    if (isFirst || then === undefined) this.screen.toEnd();
    if (then !== undefined) this.screen.draw(then, then.firstLine, true);
    this.#model.changed();
  }

  leave(): void {
    this.#then = undefined;
    removeEventListener('pagehide', this.#onLeave);
    this.#fits.disconnect();
    this.hands.dispose();
    this.#pointer.dispose();
    this.#selected.dispose();
    this.#announcer.dispose();
    this.marks.show('');
    clearTimeout(this.#fitTimer);
    void this.unfit();
    this.#giveUp();
    this.#watching?.leave();
    this.screen.dispose();
  }

  focus(): void {
    this.screen.field.focus({ preventScroll: true });
  }

  /** Revision of the screen; undefined before its first frame. */
  get rev(): number | undefined {
    return this.#watching?.mirror.rev;
  }

  /** Lines of the alternate screen are numbered by themselves. */
  get isAlternate(): boolean {
    return this.#watching?.mirror.state.altScreen === true;
  }

  /** Until its program has ended, or a frame says so. */
  get isAlive(): boolean {
    return !this.isGone && this.standing?.alive !== false;
  }

  get isMine(): boolean {
    return this.standing !== undefined && this.#holds(this.standing);
  }

  /** The other that has the keyboard. */
  get holder(): string | undefined {
    const control = this.standing?.control ?? undefined;
    return control === undefined || this.isMine ? undefined : control.as;
  }

  /** The holder has the name of this person: another page, or attach. */
  get isHeldElsewhere(): boolean {
    return this.holder === this.#model.person && this.standing?.control?.person === true;
  }

  get isFitted(): boolean {
    return this.#before !== undefined;
  }

  async take(force: boolean): Promise<void> {
    await this.#claim(force);
    this.isRefused = false;
    // A phone's keyboard would cover what was just taken, or fitted.
    if (matchMedia('(pointer: fine)').matches) this.focus();
  }

  async #claim(force: boolean): Promise<void> {
    const { link } = this.#daemon;
    const { id } = this.place;
    // To take from the own name would renew the hold of the other page, and both would type.
    const isExclusive = this.isHeldElsewhere && this.standing?.control?.exclusive === true;
    if (this.isHeldElsewhere && !isExclusive) await link.ask('control', { id, action: 'release' });
    const { hold, holder } = await takeKeyboard(link.ask, id, { force: force || isExclusive });
    const isOwn = hold !== null && holder?.as === this.#model.person;
    this.#hold = isOwn ? { number: hold, since: holder.since } : undefined;
    this.#model.changed();
  }

  async release(note?: string): Promise<void> {
    if (!this.isMine) return;
    await this.unfit();
    const words = note === undefined || note === '' ? {} : { note };
    await this.#daemon.link.ask('control', { id: this.place.id, action: 'release', ...words });
    this.#hold = undefined;
  }

  async answerRequest(action: 'give' | 'deny', to: string): Promise<void> {
    await this.#daemon.link.ask('control', { id: this.place.id, action, to });
  }

  /** Takes the keyboard: the size is that of one page alone. */
  async fit(): Promise<void> {
    const { standing } = this;
    if (standing === undefined) return;
    if (!this.isMine) await this.take(false);
    this.#before ??= { cols: standing.cols, rows: standing.rows };
    await this.#resize(fittedGrid(this.screen.room));
    this.#model.changed();
  }

  /** The old size, unless another client has changed it since. */
  async unfit(): Promise<void> {
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined && !this.isGone) await this.#resize(before).catch(ignore);
    this.#model.changed();
  }

  /** A line of the phone's line bar. */
  submit(line: string): void {
    if (line === '') this.#input('press', { id: this.place.id, keys: ['Enter'] });
    else this.#input('type', { id: this.place.id, text: line, submit: true });
  }

  /** The last matching lines, of all that match. */
  async find(pattern: string): Promise<FoundPlaces> {
    const fields = { id: this.place.id, pattern, fixed: true, ignore_case: true, last: true, max: MAX_FOUND };
    const { matches, total } = await this.#daemon.link.ask('grep', fields);
    const cols = this.standing?.cols || Infinity;
    const rowOf = (number: number, start: number): number => number + Math.floor(start / cols);
    return {
      total,
      matches: matches.map(({ number, spans }) => ({ line: number, row: rowOf(number, spans[0]?.start ?? 0) })),
    };
  }

  show(line: number): void {
    this.screen.sight.toLine(line);
  }

  #holds({ control }: Standing): boolean {
    const isOwnName = control !== null && control.person && control.as === this.#model.person;
    return isOwnName && control.since === this.#hold?.since;
  }

  /** The daemon may not have seen yet that the connection before has ended. */
  #lose(): void {
    this.#hold = undefined;
    this.#model.changed();
  }

  #giveUp(): void {
    // By its name there may be another by now.
    if (!this.isMine || this.isGone) return;
    void this.#daemon.link.ask('control', { id: this.place.id, action: 'release' }).catch(ignore);
    this.#hold = undefined;
  }

  #resize({ cols, rows }: { readonly cols: number; readonly rows: number }): Promise<unknown> {
    const hold = this.#hold === undefined ? {} : { if_hold: this.#hold.number };
    return this.#daemon.link.ask('resize', { id: this.place.id, cols, rows, ...hold });
  }

  #fitSoon(): void {
    if (this.#before === undefined) return;
    clearTimeout(this.#fitTimer);
    this.#fitTimer = setTimeout(() => {
      if (this.#before !== undefined) this.#model.attempt(() => this.#resize(fittedGrid(this.screen.room)));
    }, FIT_MS);
  }

  #copy(text: string): void {
    if (!('clipboard' in navigator))
      return this.#model.notice('Without TLS the browser does not let a page copy by itself.');
    this.#model.attempt(async () => {
      await navigator.clipboard.writeText(text);
      this.#model.notice(`Copied ${text}`);
    });
  }

  #paste(text: string): void {
    const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
    if (bytes <= MAX_PASTE_BYTES) this.#input('paste', { id: this.place.id, text });
    else this.#model.notice(`The paste is too long: ${Math.ceil(bytes / 1000)} KB, and a page sends 60.`);
  }

  /** Held input is refused, never kept: a line that was meant for the old prompt would land on a new screen. */
  #input<Name extends CommandName>(cmd: Name, fields: ParamsInput<Name>): void {
    if (this.#isElsewhere) {
      const why = this.#isReturning ? 'the screen of now has not come yet.' : 'this is the past. "Now" goes back.';
      return this.#model.notice(`Nothing was typed: ${why}`);
    }
    if (this.#model.isReadOnly || !this.isAlive) return;
    if (this.holder !== undefined) {
      this.isRefused = true;
      this.#model.changed();
      return;
    }
    this.screen.toEnd();
    if (cmd !== 'mouse') this.onTyped();
    const hold = this.#hold === undefined ? {} : { if_hold: this.#hold.number };
    this.#daemon.link.input(cmd, { ...fields, ...hold }).catch((error: unknown) => {
      const code = error instanceof RequestError ? error.code : '';
      if (code === 'control_held' || code === 'not_holder') this.isRefused = true;
      else if (!QUIET.includes(code)) this.#model.notice(error instanceof Error ? error.message : String(error));
      this.#model.changed();
    });
  }
}

/** The mouse and the focus of programs that have just stopped to listen; a loss is shown already. */
const QUIET: readonly string[] = ['mouse_off', 'focus_off', 'connection_lost', 'cell_outside'];

function ignore(): void {
  // The terminal or its daemon has gone.
}
