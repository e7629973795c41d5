/**
 * The shell of the crew: tabs above, one terminal at the exact size of what is left, and a status line. Its rows are cells: no byte of a
 * program reaches the person's terminal. Keys go to the terminal that is shown; after Ctrl+K to the palette, and Ctrl+K twice is one
 * for the program.
 */
import { systemClock } from '../base/clock.js';
import { KeySource } from '../attach/key-source.js';
import type { KeyboardToken } from '../attach/keyboard.js';
import { Message } from '../attach/message.js';
import type { OuterTty } from '../attach/outer-tty.js';
import { PanelHost } from '../attach/panel-host.js';
import { Picker } from '../attach/picker.js';
import { Prompt } from '../attach/prompt.js';
import { isQuiet } from '../attach/session.js';
import type { Seat } from '../attach/sitting.js';
import type { StatusLine } from '../attach/status-line.js';
import type { DaemonConnection } from '../client/connection.js';
import type { Preset, PresetKind } from '../crew/preset.js';
import { BELL, FrameWriter, type OuterFrame } from '../mirror/frame-writer.js';
import { isT4aError } from '../protocol/errors.js';
import { canvasOf } from './canvas.js';
import { type Need, needsOf, needsPerson } from './needs.js';
import { Notes } from './notes.js';
import { type Act, offers } from './palette.js';
import { Questions } from './questions.js';
import { railRows } from './rail.js';
import { Reading } from './reading.js';
import { Launch } from './launch.js';
import { layoutOf, type Layout } from './layout.js';
import { Roster } from './roster.js';
import type { ShellCrew } from './shell-crew.js';
import { Stage } from './stage.js';
import { shellStatus } from './status.js';
import { tabsOf } from './tabs.js';

export interface ShellOptions {
  readonly connection: DaemonConnection;
  readonly tty: OuterTty;
  readonly crew: ShellCrew;
  /** The terminal that the shell runs in, if it is one of the same daemon. */
  readonly ownTerminal: string | undefined;
  /** Called once. */
  readonly onEnd: (status: number, note: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Ctrl+K. */
const LEADER = '\x0b';
const END_OF_INPUT = '\x04';
const TICK_MS = 1000;

const PALETTE = { label: 'Crew:', enter: 'do it', none: 'nothing of that name' };

export class Shell implements Seat {
  readonly #options: ShellOptions;
  readonly #roster: Roster;
  readonly #keys = new KeySource((token) => this.#take(token), { leader: LEADER, isWayOut: () => false });
  readonly #panels = new PanelHost();
  readonly #message = new Message();
  readonly #writer = new FrameWriter();
  readonly #stage: Stage;
  readonly #questions: Questions;
  readonly #launch: Launch;
  readonly #notes: Notes;
  #clock: NodeJS.Timeout | undefined;
  /** A paste began while the keyboard was the shell's own. */
  #pastesHere = false;

  constructor(options: ShellOptions) {
    this.#options = options;
    const { connection, crew, ownTerminal } = options;
    this.#questions = new Questions(connection);
    this.#roster = new Roster({
      connection,
      project: crew.project,
      ownTerminal,
      onChange: async (members) => {
        await this.#questions.load(members);
        void this.draw();
      },
      onError: options.onError,
    });
    this.#notes = new Notes(crew);
    const say = (message: string): void => this.#say(message);
    this.#stage = new Stage({
      connection,
      size: () => this.#layout.screen,
      onFrame: (bells) => this.draw(bells > 0 ? BELL : ''),
      onGone: (id) => {
        void this.#during(() => this.#show(undefined));
        this.#say(`${id} is gone.`);
      },
      say,
      report: (error) => this.#report(error),
      onError: options.onError,
    });
    this.#launch = new Launch({
      crew,
      open: (prompt) => this.#panels.open(prompt),
      during: (act) => void this.#during(act),
      say,
      start: (kind, preset, text) => this.#start(kind, preset, text),
    });
  }

  start(): void {
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
    this.#roster.start();
    this.#notes.look();
    void this.draw();
  }

  async dispose(): Promise<void> {
    this.#keys.dispose();
    clearInterval(this.#clock);
    this.#roster.dispose();
    await this.#stage.dispose();
  }

  left(status: number): void {
    this.#options.onEnd(status, '');
  }

  keys(bytes: string): void {
    this.#keys.push(bytes);
  }

  redraw(): void {
    this.#writer.forget();
    this.#stage.resized();
    void this.draw();
  }

  /** @param more goes out with the frame */
  draw(more = ''): Promise<void> {
    const { tty } = this.#options;
    const { mirror } = this.#stage;
    const isProgram = this.#panels.panel === undefined && this.#stage.isTaking;
    // The mouse is left to the person's terminal.
    const modes = { ...(isProgram ? mirror.state.modes : {}), mouse_tracking: 'none' };
    return tty.write(`${tty.modes.follow(modes, mirror.cursor)}${this.#writer.write(this.#frame())}${more}`);
  }

  #frame(): OuterFrame {
    const layout = this.#layout;
    const { mirror, picture, visit, id: shown } = this.#stage;
    const members = this.#roster.members.filter(({ id, terminal }) => terminal.alive || id === shown);
    const hasFinished = (id: string): boolean => this.#roster.hasFinished(id);
    const { names: scratchpads, preview } = this.#notes;
    const hasRail = layout.railCols > 0;
    return canvasOf({
      layout,
      picture,
      mirror,
      panel: this.#panels.panel,
      status: this.#status(),
      tabs: tabsOf({ members, shown, hasFinished, bySession: hasRail }),
      rail: hasRail
        ? railRows({
            needs: this.#needs,
            members,
            shown,
            hasFinished,
            scratchpads,
            preview,
            rows: layout.rows - 1,
            nowMs: systemClock.wallNow(),
          })
        : [],
      hint: visit === undefined ? this.#hint : undefined,
    });
  }

  get #needs(): readonly Need[] {
    return needsOf({ members: this.#roster.members, asks: [], questionOf: (id) => this.#questions.textOf(id) });
  }

  get #hint(): string {
    const { length } = this.#roster.living;
    return length === 0
      ? 'Press Ctrl+K to start an agent or a process'
      : `Press Ctrl+K to go to one of ${length}, or to start another`;
  }

  #status(): StatusLine {
    const { panel } = this.#panels;
    if (panel !== undefined) return panel.status;
    const { text } = this.#message;
    if (text !== undefined) return { left: ` ${text}`, right: '', look: 'message' };
    const { visit, id } = this.#stage;
    const waiting = this.#roster.living.filter((one) => needsPerson(one) && one.id !== id).length;
    return shellStatus({ project: this.#options.crew.project, visit, size: this.#layout.screen, waiting });
  }

  get #layout(): Layout {
    return layoutOf(this.#options.tty);
  }

  #take(token: KeyboardToken): void {
    switch (token.kind) {
      case 'reply':
        return this.#answer(token.bytes);
      case 'leader':
        this.#openPalette();
        break;
      case 'command':
        if (token.key !== LEADER) this.#typed(token.key);
        else {
          this.#panels.close();
          if (this.#stage.isTaking) this.#stage.type(LEADER);
        }
        break;
      case 'paste':
        this.#paste(token.bytes, token.begins);
        break;
      case 'mouse':
        return;
      default:
        this.#typed(token.bytes);
        // What is typed changes nothing here until the program answers.
        if (this.#stage.isTaking && this.#panels.panel === undefined && this.#message.text === undefined) return;
    }
    void this.draw();
  }

  #paste(mark: string, begins: boolean): void {
    const { visit } = this.#stage;
    if (begins) this.#pastesHere = this.#panels.panel !== undefined || !this.#stage.isTaking;
    if (this.#pastesHere) this.#pastesHere = begins;
    else if (begins) visit?.beginPaste(mark);
    else visit?.endPaste(mark);
  }

  #typed(bytes: string): void {
    if (this.#message.text !== undefined) {
      this.#message.clear();
      void this.draw();
    }
    if (this.#pastesHere) this.#panels.paste(bytes);
    else if (this.#panels.panel !== undefined) {
      // Keys after the one that closes it are for what comes then.
      const rest = this.#panels.take(bytes);
      if (rest !== '') this.#keys.pass([{ kind: 'input', bytes: rest }]);
    } else if (this.#stage.isTaking) this.#stage.type(bytes);
    else if (this.#stage.visit !== undefined) {
      if (/[q\r]/.test(bytes)) void this.#during(() => this.#show(undefined));
    } else if (bytes.includes(END_OF_INPUT)) this.#leave();
  }

  #answer(reply: string): void {
    const { tty } = this.#options;
    if (reply.endsWith('u')) void tty.write(tty.modes.useKitty()).then(() => this.draw());
    else if (reply.endsWith('c')) {
      this.#keys.answered();
      tty.answered();
    }
  }

  #openPalette(): void {
    this.#message.clear();
    const offered = offers({
      members: this.#roster.members,
      needs: this.#needs,
      scratchpads: this.#notes.names,
      nowMs: systemClock.wallNow(),
      presets: this.#options.crew.presets(),
      shown: this.#stage.id,
    });
    const pick = (id: string): void => {
      const picked = offered.find((one) => one.id === id);
      if (picked !== undefined) this.#act(picked.act);
    };
    this.#panels.open(new Picker(offered, pick, PALETTE));
  }

  #act(act: Act): void {
    switch (act.kind) {
      case 'go':
        return void this.#during(() => this.#show(act.id));
      case 'close':
        return this.#ask({ label: `End ${act.id} and all that it has started? (y/n)`, isOneKey: true }, async (key) => {
          if (key === 'y') await this.#close(act.id);
        });
      case 'start':
        return this.#launch.begin(act.preset);
      case 'scratchpad':
        return this.#read(act.name);
      default:
        return this.#leave();
    }
  }

  async #start(kind: PresetKind, preset: Preset, text: string): Promise<void> {
    const { crew } = this.#options;
    const id = await crew.start(kind, preset, this.#layout.screen);
    this.#roster.add(id);
    await this.#show(id);
    await this.#roster.load();
    if (text === '') return;
    crew.deliver(id, text, preset).then(
      (why) => {
        if (why !== undefined) this.#say(`${id}: Enter was not pressed: ${why}.`);
      },
      (problem: unknown) => this.#report(problem),
    );
  }

  #read(name: string): void {
    this.#notes.choose(name);
    this.#panels.open(new Reading(name, this.#notes.lines(name), () => this.#layout.screen));
    void this.draw();
  }

  async #close(id: string): Promise<void> {
    const isShown = this.#stage.id === id;
    await this.#options.crew.close(id);
    if (isShown) await this.#show(undefined);
    this.#say(`Ended ${id}.`);
  }

  #leave(): void {
    const { living } = this.#roster;
    const { length } = living;
    const roots = living.filter(({ parent }) => !living.some(({ id }) => id === parent));
    if (length === 0) return this.#options.onEnd(0, '');
    const label = `Leave? Enter: ${length} ${length === 1 ? 'goes' : 'go'} on. e: end all. Esc: stay.`;
    this.#ask({ label, isOneKey: true }, async (key) => {
      if (key === 'e') {
        for (const { id } of roots) await this.#options.crew.close(id);
        this.#options.onEnd(0, 'The crew has ended.');
      } else if (key === '\r') this.#options.onEnd(0, `The crew goes on: ${length}. "t4a crew list" shows it.`);
    });
  }

  /** @param id undefined: the empty canvas, where no key reaches a program that it was not meant for */
  async #show(id: string | undefined): Promise<void> {
    this.#roster.show(id);
    await this.#stage.show(id);
    await this.draw();
  }

  #ask(
    asked: { readonly label: string; readonly isOneKey?: boolean; readonly card?: () => readonly string[] },
    then: (answer: string) => Promise<void>,
  ): void {
    this.#panels.open(new Prompt({ ...asked, onAnswer: (answer) => void this.#during(() => then(answer)) }));
  }

  /** Keys wait until it is done. Its error is shown. */
  #during(act: () => Promise<void>): Promise<void> {
    return this.#keys.during(act).catch((error: unknown) => this.#report(error));
  }

  #say(message: string): void {
    this.#message.say(message);
    void this.draw();
  }

  #report(error: unknown): void {
    if (!isT4aError(error)) this.#options.onError(error);
    else if (!isQuiet(error)) this.#say(error.message);
  }

  #tick(): void {
    const hasGone = this.#message.tick();
    const isNews = this.#notes.look() || this.#needs.length > 0;
    if (hasGone || isNews || (this.#stage.visit?.hold.control ?? null) !== null) void this.draw();
  }
}
