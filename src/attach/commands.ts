/** What the keys after the leader do. */
import { beginCreation, type CreationOptions } from './creation.js';
import { isHeld } from './hold.js';
import { LEADER } from './keyboard.js';
import { LEADER_KEYS, type LeaderKey } from './leader-keys.js';
import type { Panel } from './panel.js';
import type { Size } from './size.js';
import type { People } from './people.js';
import { Picker } from './picker.js';
import { Prompt } from './prompt.js';
import type { Clipboard } from './clipboard.js';
import type { OuterMouse } from './outer-mouse.js';
import { type Opening, Scrollback } from './scrollback.js';
import { Terminals } from './terminals.js';
import type { TmuxSession } from './tmux-session.js';
import type { Visit } from './visit.js';
import type { StatusLine } from './status-line.js';

/** The part of a session that commands need. */
export interface CommandedSession {
  readonly id: string;
  readonly visit: Visit;
  readonly people: People;
  readonly mouse: OuterMouse;
  readonly tmux: TmuxSession;
  /** Room for the screen. */
  readonly size: Size;
  open(panel: Panel): void;
  close(panel: Panel): void;
  draw(): Promise<void>;
  show(id: string): Promise<void>;
  say(message: string): void;
  report(error: unknown): void;
  /** Keys wait until it is done. */
  during(act: () => Promise<void>): Promise<void>;
  end(note: string): void;
}

export interface CommandOptions extends CreationOptions {
  /** The terminal that attach runs in, if it is one of the same daemon. */
  readonly ownTerminal: string | undefined;
  readonly clipboard: Clipboard;
}

export class Commands {
  readonly #session: CommandedSession;
  readonly #options: CommandOptions;
  readonly #terminals: Terminals;
  /** The terminal that was shown before. */
  #last: string | undefined;

  constructor(session: CommandedSession, options: CommandOptions) {
    this.#session = session;
    this.#options = options;
    this.#terminals = new Terminals(options.connection, options.ownTerminal);
  }

  /** @param key that was pressed */
  async run(act: LeaderKey['act'], key = ''): Promise<void> {
    const session = this.#session;
    const { id } = session;
    switch (act) {
      case 'detach':
        return session.end(`Detached from ${id}.`);
      case 'help':
        return session.open(new HelpPanel());
      case 'literal':
        return session.visit.type(LEADER);
      case 'create':
        return beginCreation(session, this.#options, (then) => this.#ask({ label: 'Name of the new terminal:' }, then));
      case 'kill':
        return this.#askToKill(id);
      case 'last':
        return this.#back();
      case 'pick':
        return this.#pick();
      case 'scrollback':
        return this.scrollBack({ by: 'key' });
      case 'mouse':
        return this.#toggleMouse();
      case 'take':
        return session.visit.hold.keeps('person') ? this.#give('') : this.take();
      case 'give':
        return this.#askForNote();
      case 'answer':
        return session.people.answer();
      case 'decline':
        return session.people.decline();
      case 'window':
      case 'pane':
        return this.#toPane(act === 'pane' ? undefined : Number(key));
      case 'fit':
        return session.visit.toggleFit();
      default:
        return this.#step(act === 'next' ? 1 : -1);
    }
  }

  /** Until it is given back. Another person is overridden after a question. */
  async take(): Promise<void> {
    const { id, visit } = this.#session;
    const { hold } = visit;
    const refusal = visit.isReadOnly ? 'Read only: the keyboard is never taken.' : hold.refusal;
    if (refusal !== undefined) return this.#session.say(refusal);
    try {
      await hold.keep('person');
      this.#session.say(`You have the keyboard of ${id}. Ctrl+B g gives it back.`);
    } catch (error) {
      if (!isHeld(error)) throw error;
      const label = `${hold.control?.as ?? 'Another'} has the keyboard. Take it? (y/n)`;
      this.#ask({ label, isOneKey: true }, async (answer) => {
        if (answer === 'y') await hold.keep('person', { force: true });
      });
    }
  }

  async #askForNote(): Promise<void> {
    const session = this.#session;
    // The key before may be the one that takes it.
    await session.visit.hold.taken();
    if (!session.visit.hold.isMine) return session.say('You do not have the keyboard.');
    this.#ask({ label: 'Give back, with a note (Enter for none):' }, (note) => this.#give(note));
  }

  async #give(note: string): Promise<void> {
    const { id, visit } = this.#session;
    await visit.giveBack(note);
    this.#session.say(`The keyboard of ${id} is given back.`);
  }

  #ask(asked: { readonly label: string; readonly isOneKey?: boolean }, then: (answer: string) => Promise<void>): void {
    const onAnswer = (answer: string): void => void this.#session.during(() => then(answer));
    this.#session.open(new Prompt({ ...asked, onAnswer }));
  }

  /** Where another has the keyboard, the question says so, and the answer is a person's. */
  #askToKill(id: string): void {
    const { hold } = this.#session.visit;
    const held = hold.isOthers ? `${hold.control?.as ?? 'Another'} has the keyboard. ` : '';
    this.#ask({ label: `${held}Kill ${id}? (y/n)`, isOneKey: true }, async (answer) => {
      if (answer === 'y') await this.#kill(id, held !== '');
    });
  }

  async #kill(id: string, force: boolean): Promise<void> {
    const next = await this.#terminals.neighbour(id, 1);
    // That it goes is no surprise.
    if (this.#session.id === id) this.#session.visit.terminal.leave();
    await this.#options.connection.call('kill', force ? { id, force } : { id });
    if (next === undefined) return this.#session.end(`Killed ${id}.`);
    this.#session.say(`Killed ${id}.`);
    await this.#session.show(next);
  }

  /** Before another terminal is shown. */
  async leave(visit: Visit): Promise<void> {
    this.#last = visit.terminal.id;
    await visit.end();
  }

  async #back(): Promise<void> {
    const last = this.#last;
    const isThere = last !== this.#session.id && (await this.#terminals.choices()).some(({ id }) => id === last);
    if (last === undefined || !isThere) this.#session.say('There is no last terminal.');
    else await this.#session.show(last);
  }

  async #step(by: 1 | -1): Promise<void> {
    const { id, tmux } = this.#session;
    const isPane = await tmux.look(id);
    const next = isPane ? tmux.step(id, by) : await this.#terminals.neighbour(id, by);
    if (isPane && next === id) this.#session.say('There is no other window.');
    else if (next === undefined) this.#session.say('There is no other terminal.');
    else await this.#session.show(next);
  }

  /** @param index of a window; undefined for the next pane of this one */
  async #toPane(index: number | undefined): Promise<void> {
    const { id, tmux } = this.#session;
    if (!(await tmux.look(id))) return this.#session.say('This terminal is no pane of tmux.');
    const next = index === undefined ? tmux.pane(id) : tmux.window(index);
    if (next === undefined) this.#session.say(`There is no window ${index}.`);
    else if (next !== id) await this.#session.show(next);
  }

  async #pick(): Promise<void> {
    const choices = await this.#terminals.choices();
    const onPick = (id: string): void => {
      if (id !== this.#session.id) void this.#session.during(() => this.#session.show(id));
    };
    this.#session.open(new Picker(choices, onPick));
    await this.#session.draw();
  }

  #toggleMouse(): void {
    const isLeft = this.#session.mouse.toggle();
    this.#session.say(isLeft ? 'Your terminal has the mouse: Ctrl+B m takes it back.' : 'The mouse is taken back.');
  }

  scrollBack(opening: Opening): void {
    const session = this.#session;
    const { connection, clipboard } = this.#options;
    const panel: Scrollback = new Scrollback({
      connection,
      id: session.id,
      mirror: session.visit.terminal.mirror,
      clipboard,
      opening,
      window: () => session.size,
      onChange: () => void session.draw(),
      onEnd: (notice) => {
        session.close(panel);
        session.say(notice);
      },
      onError: (error) => {
        session.close(panel);
        session.report(error);
      },
    });
    session.open(panel);
  }
}

/** The list of commands; any key closes it. */
export class HelpPanel implements Panel {
  readonly status: StatusLine = { left: ' Commands', right: 'any key: close ', look: 'message' };

  overlay(): readonly string[] {
    const width = Math.max(...LEADER_KEYS.map(({ label }) => label.length));
    return LEADER_KEYS.map(({ label, help }) => ` Ctrl+B ${label.padEnd(width)}  ${help}`);
  }

  take(): boolean {
    return true;
  }
}
