/** A person at one terminal: what they see of it, what they send it, its size while they are there, and control of it. */
import { type DaemonConnection, sendBy } from '../client/connection.js';
import { Fit } from '../mirror/fit.js';
import { type TypistHold, isHeld, withinMs } from './hold.js';
import type { MouseFields } from './mouse-report.js';
import type { App } from './app.js';
import { ProgramInput } from './program-input.js';
import { ShownTerminal } from './watched-terminal.js';

/** Longest wait for the old size, at the end. */
const RESTORE_MS = 500;

export interface VisitOptions {
  readonly connection: DaemonConnection;
  readonly isReadOnly: boolean;
  /** Control is never taken. */
  readonly shares: boolean;
  /** Keys of the caller, for the person. */
  readonly hints: { readonly leave: string; readonly take: string; readonly give: string };
  /** An agent has asked the person to take over. */
  hasHand(): boolean;
  readonly app: App;
}

export class Visit {
  readonly terminal: ShownTerminal;
  readonly #options: VisitOptions;
  readonly #input: ProgramInput;
  #fit: Fit | undefined;
  /** A paste is for the program. */
  #isPasting = false;

  constructor(id: string, options: VisitOptions) {
    const { connection } = options;
    this.#options = options;
    this.terminal = new ShownTerminal(connection, id, options);
    const { hold } = this.terminal;
    this.#input = new ProgramInput({
      connection,
      id,
      hold,
      take: async () => {
        // A hand is given back by the person, not by a pause.
        const keeps = options.hasHand() && hold.refusal === undefined && !hold.isMine;
        await (keeps ? hold.keep('person') : hold.ensure());
      },
      onHeld: () => void this.#refused().catch((error: unknown) => options.app.report(error)),
      onError: (error) => options.app.report(error),
    });
  }

  /** Follows the frames until it is left. @param onFrame the next frame is asked for once it resolves @param onGone its terminal was removed */
  follow(onFrame: (bells: number) => Promise<void>, onGone: () => void, onError: (error: unknown) => void): void {
    this.terminal
      .follow(({ bells, lostTo }) => {
        if (lostTo !== undefined) this.#lostTo(lostTo);
        return onFrame(bells);
      })
      .then((how) => {
        if (how === 'gone') onGone();
      }, onError);
  }

  get hold(): TypistHold {
    return this.terminal.hold;
  }

  get isReadOnly(): boolean {
    return this.#options.isReadOnly;
  }

  get isFitted(): boolean {
    return this.#fit !== undefined;
  }

  type(bytes: string): void {
    if (this.isReadOnly) this.#options.app.say(`Read only. ${this.#options.hints.leave}`);
    else if (!this.#focus(bytes)) this.#sent(this.#input.type(bytes));
  }

  /** @param mark before a paste */
  beginPaste(mark: string): void {
    this.#isPasting = !this.isReadOnly;
    if (this.#isPasting) this.#sent(this.#input.beginPaste(this.#pasteMark(mark)));
  }

  /** @param mark after it */
  endPaste(mark: string): void {
    if (this.#isPasting) this.#sent(this.#input.endPaste(this.#pasteMark(mark)));
    this.#isPasting = false;
  }

  /** @param fields undefined for what is beside the screen */
  mouse(fields: MouseFields | undefined): void {
    if (fields !== undefined) this.#input.mouse(fields);
  }

  /** Keeps control for a holder who has accepted it at the question: a pause is no answer. */
  async keepForHand(): Promise<void> {
    if (this.hold.isMine) await this.hold.keep('person');
  }

  async toggleFit(): Promise<void> {
    if (this.isReadOnly) return this.#options.app.say('Read only: the terminal keeps its size.');
    if (this.#fit !== undefined) return this.unfit();
    const { id, hold, mirror } = this.terminal;
    if (hold.refusal === undefined) await hold.keep('fit');
    const before = { cols: mirror.state.cols, rows: mirror.rows.length };
    this.#fit = new Fit({ send: sendBy(this.#options.connection), id, before });
    await this.#fit.to(this.#options.app.size);
  }

  /** Gives the terminal its own size, if it was fitted. */
  async unfit(): Promise<void> {
    const fit = this.#fit;
    this.#fit = undefined;
    const { connection } = this.#options;
    const restored = fit?.restoreOwn(() => connection.call('status', { id: this.terminal.id }));
    if (restored !== undefined) await withinMs(RESTORE_MS, restored);
    await this.hold.drop('fit');
  }

  /** The keyboard is the person's, until they give it back. Another person is overridden after a question. */
  async take(): Promise<void> {
    const { hold } = this;
    const { app, hints } = this.#options;
    const refusal = this.isReadOnly ? 'Read only: the keyboard is never taken.' : hold.refusal;
    if (refusal !== undefined) return app.say(refusal);
    try {
      await hold.keep('person');
      app.say(`You have the keyboard of ${this.terminal.id}${hints.give}`);
    } catch (error) {
      if (!isHeld(error)) throw error;
      const label = `${hold.control?.as ?? 'Another'} has the keyboard. Take it? (y/n)`;
      app.ask({ label, isOneKey: true }, async (answer) => {
        if (answer === 'y') await hold.keep('person', { force: true });
      });
    }
  }

  /** Gives back what was typed before; the terminal has its own size by then. @param note for the next one */
  async giveBack(note: string): Promise<void> {
    await this.#input.done();
    await this.unfit();
    await this.hold.release(note);
    this.#options.app.say(`The keyboard of ${this.terminal.id} is given back.`);
  }

  /** The person's terminal has another size. */
  resized(): void {
    const { app } = this.#options;
    this.#fit?.soonTo(
      () => app.size,
      (error) => app.report(error),
    );
  }

  /** Another name has taken control: what this person has typed was not meant for its screen. */
  #lostTo(name: string): void {
    this.#input.clear();
    this.#fit?.forget();
    this.#fit = undefined;
    this.#options.app.say(`${name} has taken the keyboard.`);
  }

  /** A fitted terminal has its own size again by then, and control is given back. */
  async end(): Promise<void> {
    this.terminal.leave();
    this.#input.clear();
    await this.#input.done();
    await this.unfit().catch(() => {
      // The terminal, the hold or the daemon has gone.
    });
    await this.hold.leave();
  }

  #pasteMark(mark: string): string | undefined {
    return this.terminal.mirror.state.modes['bracketed_paste'] === true ? mark : undefined;
  }

  #focus(bytes: string): boolean {
    return this.terminal.mirror.state.modes['focus_reporting'] === true && this.#input.focus(bytes);
  }

  #sent(isSent: boolean): void {
    if (!isSent) this.#options.app.say('The program does not read its input: the last keys were dropped.');
  }

  /** The refusal may come before the frame that shows who has it. */
  async #refused(): Promise<void> {
    const { app, connection, hints } = this.#options;
    const { id, hold } = this.terminal;
    const holder = hold.isOthers ? hold.control : (await connection.call('control', { id, action: 'show' })).holder;
    const why = holder?.reason === undefined ? '' : ` (${holder.reason})`;
    app.say(`${holder?.as ?? 'Another'} has the keyboard${why}: your keys were dropped. ${hints.take}`);
  }
}
