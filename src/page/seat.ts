/** The page in front of one terminal: its screen, its keyboard, who types, and its size while the page holds it. */
import type { CommandName, ParamsInput } from '../protocol/registry.js';
import { fittedGrid } from './cell-size.js';
import { RequestError } from './daemon-link.js';
import { Hands } from './hands.js';
import { Marks } from './marks.js';
import { Fit } from '../mirror/fit.js';
import { Hold } from '../mirror/hold.js';
import type { Mirror } from '../mirror/mirror.js';
import type { DaemonState } from './daemon-state.js';
import type { TerminalState } from './listed.js';
import type { Model, Place } from './model.js';
import { Pointer } from './pointer.js';
import { TerminalScreen } from './terminal-screen.js';
import { Watching, type Standing } from './watching.js';
import { Announcer } from './announcer.js';
import { SelectedText } from './selected-text.js';

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

/** Between what was lost and what is typed next: a person has seen by then that it was lost. */
const PAUSE_MS = 1000;

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
  readonly hold: Hold;
  /** The connection is another: the hold ends with the one that took it. */
  #isRetying = false;
  #fit: Fit | undefined;
  readonly #fits: ResizeObserver;
  readonly #onLeave = (): void => {
    void this.unfit();
    this.#giveUp();
  };

  constructor(host: HTMLElement, model: Model, daemon: DaemonState, place: Place) {
    this.#model = model;
    this.#daemon = daemon;
    this.place = place;
    const send = daemon.link.ask;
    this.hold = new Hold({
      send,
      id: place.id,
      get name() {
        return model.person;
      },
    });
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
    this.#fits = new ResizeObserver(() =>
      this.#fit?.soonTo(
        () => fittedGrid(this.screen.room),
        (error) => model.report(error),
      ),
    );
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
    this.#isRetying = this.hold.isTaken;
    this.#watching = new Watching(this.#daemon.link, this.place.id, this.screen, {
      standing: (standing) => {
        this.standing = standing;
        this.hold.follow(standing.control);
        if (this.#isRetying && this.isMine) this.#claim(false).catch(() => this.#lose());
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
    return this.hold.isMine;
  }

  /** The other that has the keyboard. */
  get holder(): string | undefined {
    return this.hold.isOthers ? this.hold.control?.as : undefined;
  }

  /** The holder has the name of this person: another page, or attach. */
  get isHeldElsewhere(): boolean {
    return this.holder === this.#model.person && this.hold.control?.person === true;
  }

  get isFitted(): boolean {
    return this.#fit !== undefined;
  }

  async take(force: boolean): Promise<void> {
    await this.#claim(force);
    this.isRefused = false;
    this.#daemon.lostMs.delete(this.place.id);
    // A phone's keyboard would cover what was just taken, or fitted.
    if (matchMedia('(pointer: fine)').matches) this.focus();
  }

  async #claim(force: boolean): Promise<void> {
    const { link } = this.#daemon;
    const { id } = this.place;
    // To take from the own name would renew the hold of the other page, and both would type.
    const isExclusive = this.isHeldElsewhere && this.hold.control?.exclusive === true;
    if (this.isHeldElsewhere && !isExclusive) await link.ask('control', { id, action: 'release' });
    await this.hold.take({ force: force || isExclusive });
    this.#model.changed();
  }

  async release(note?: string): Promise<void> {
    if (!this.isMine) return;
    await this.unfit();
    await this.hold.release(note);
  }

  async answerRequest(action: 'give' | 'deny', to: string): Promise<void> {
    await this.#daemon.link.ask('control', { id: this.place.id, action, to });
  }

  /** Takes the keyboard: the size is that of one page alone. */
  async fit(): Promise<void> {
    const { standing } = this;
    if (standing === undefined) return;
    if (!this.isMine) await this.take(false);
    const { hold, place } = this;
    const { cols, rows } = standing;
    const send = this.#daemon.link.ask;
    this.#fit ??= new Fit({ send, id: place.id, before: { cols, rows }, bond: () => hold.bond });
    await this.#fit.to(fittedGrid(this.screen.room));
    this.#model.changed();
  }

  /** The old size, unless another has the keyboard by then. */
  async unfit(): Promise<void> {
    const fit = this.#fit;
    this.#fit = undefined;
    fit?.forget();
    if (!this.isGone) await fit?.restore().catch(ignore);
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

  /** The daemon may not have seen yet that the connection before has ended. */
  #lose(): void {
    this.hold.lose();
    this.#model.changed();
  }

  #giveUp(): void {
    // By its name there may be another by now.
    if (!this.isGone) void this.hold.release().catch(ignore);
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

  #loses(): void {
    this.#daemon.lostMs.set(this.place.id, performance.now());
  }

  /** Held input is refused, never kept: a line that was meant for the old prompt would land on a new screen. */
  #input<Name extends CommandName>(cmd: Name, fields: ParamsInput<Name>): void {
    const isTyped = IS_TYPED.includes(cmd);
    const isRest = isTyped && performance.now() - (this.#daemon.lostMs.get(this.place.id) ?? -Infinity) < PAUSE_MS;
    const isHeld = this.#isReturning || this.holder !== undefined || !this.isAlive;
    if (isTyped && (isRest || isHeld)) this.#loses();
    if (this.#isElsewhere) {
      const why = this.#isReturning ? 'the screen of now has not come yet.' : 'this is the past. "Now" goes back.';
      return this.#model.notice(`Nothing was typed: ${why}`);
    }
    if (this.#model.isReadOnly) return;
    if (!this.isAlive) return isTyped ? this.#model.notice(ENDED) : undefined;
    if (this.holder !== undefined) {
      this.isRefused = true;
      this.#model.changed();
      return;
    }
    // The end of a line without its beginning is another command.
    if (isRest) return this.#model.notice(REST_LOST);
    this.screen.toEnd();
    if (cmd !== 'mouse') this.onTyped();
    this.#daemon.link.input(cmd, { ...fields, ...this.hold.bond }).catch((error: unknown) => {
      const code = error instanceof RequestError ? error.code : '';
      if (isTyped) this.#loses();
      if (code === 'control_held' || code === 'not_holder') this.isRefused = true;
      else if (code === 'connection_lost' && isTyped) this.#model.notice(MAYBE_LOST);
      else if (!QUIET.includes(code)) this.#model.notice(error instanceof Error ? error.message : String(error));
      this.#model.changed();
    });
  }
}

const IS_TYPED: readonly string[] = ['press', 'type', 'paste'];
const ENDED = 'Nothing was typed: its program has ended.';
const MAYBE_LOST = 'The connection was lost, and what you typed last may not have arrived.';
const REST_LOST =
  'Nothing was typed, since what you typed before may not have arrived. Pause for a second, then type it again.';

/** The mouse and the focus of programs that have just stopped to listen; a loss is shown already. */
const QUIET: readonly string[] = ['mouse_off', 'focus_off', 'connection_lost', 'cell_outside'];

function ignore(): void {
  // The terminal or its daemon has gone.
}
