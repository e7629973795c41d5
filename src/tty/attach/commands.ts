/** Commands of the keys after the leader. */
import { beginCreation, type CreationOptions } from './creation.js';
import { LEADER } from '../keyboard.js';
import { LEADER_KEYS, type LeaderKey } from './leader-keys.js';
import type { Panel } from '../panel.js';
import type { People } from '../people.js';
import { Picker } from '../picker.js';
import type { Clipboard } from '../clipboard.js';
import type { OuterMouse } from '../outer-mouse.js';
import type { Opening } from '../scrollback.js';
import { TerminalChoices } from './terminals.js';
import type { TmuxSession } from './tmux-session.js';
import type { TtyApp } from '../tty-app.js';
import type { Visit } from '../visit.js';
import type { StatusLine } from '../status-line.js';

/** The part of a session that commands need. */
export interface CommandedSession extends TtyApp {
  readonly id: string;
  readonly visit: Visit;
  readonly people: People;
  readonly mouse: OuterMouse;
  readonly tmux: TmuxSession;
  show(id: string): Promise<void>;
  end(note: string): void;
}

export interface CommandOptions extends CreationOptions {
  /** The terminal that attach runs in, if it is one of the same daemon. */
  readonly ownTerminal: string | undefined;
  readonly clipboard: Clipboard;
}

export class AttachCommands {
  readonly #session: CommandedSession;
  readonly #options: CommandOptions;
  readonly #terminals: TerminalChoices;
  /** The terminal that was shown before. */
  #last: string | undefined;

  constructor(session: CommandedSession, options: CommandOptions) {
    this.#session = session;
    this.#options = options;
    this.#terminals = new TerminalChoices(options.connection, options.ownTerminal);
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
        return beginCreation(session, this.#options, (then) =>
          session.ask({ label: 'Name of the new terminal:' }, then),
        );
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
        return session.visit.hold.keeps('person') ? session.visit.giveBack('') : session.visit.take();
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

  async #askForNote(): Promise<void> {
    const session = this.#session;
    // The key before may be the one that takes it.
    await session.visit.hold.taken();
    if (!session.visit.hold.isMine) return session.say('You do not have the keyboard.');
    session.ask({ label: 'Give back, with a note (Enter for none):' }, (note) => session.visit.giveBack(note));
  }

  /** Asks whether to kill a terminal. If another has the keyboard, the question says so, and the answer is a person's. */
  #askToKill(id: string): void {
    const { hold } = this.#session.visit;
    const held = hold.isOthers ? `${hold.control?.as ?? 'Another'} has the keyboard. ` : '';
    this.#session.ask({ label: `${held}Kill ${id}? (y/n)`, isOneKey: true }, async (answer) => {
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
    const { connection, clipboard } = this.#options;
    this.#session.readAbove(connection, clipboard, opening);
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
