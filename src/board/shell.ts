/**
 * The shell of the crew: tabs above, one terminal at the exact size of what is left, a rail beside it, and a status line. Its rows are
 * cells: no byte of a program reaches the person's terminal. Keys go to the terminal that is shown; after Ctrl+K to the palette, and
 * Ctrl+K twice is one for the program.
 */
import { systemClock } from '../base/clock.js';
import { KeySource } from '../attach/key-source.js';
import type { KeyboardToken } from '../attach/keyboard.js';
import { Message } from '../attach/message.js';
import type { OuterTty } from '../attach/outer-tty.js';
import { PanelHost } from '../attach/panel-host.js';
import { isQuiet } from '../attach/session.js';
import type { Seat } from '../attach/sitting.js';
import type { Size } from '../attach/size.js';
import type { StatusLine } from '../attach/status-line.js';
import type { DaemonConnection } from '../client/connection.js';
import { FrameWriter, type OuterFrame } from '../mirror/frame-writer.js';
import { isT4aError } from '../protocol/errors.js';
import { Away } from './away.js';
import { canvasOf } from './canvas.js';
import { Clicks, type Drawn } from './clicks.js';
import { Commands, goesOn } from './commands.js';
import { layoutOf, type Layout } from './layout.js';
import { type Leader, WAY_BACK } from './leader.js';
import { LinesAbove } from './lines-above.js';
import { Notes } from './notes.js';
import { Outline } from './outline.js';
import { railRows } from './rail.js';
import { Scene } from './scene.js';
import type { ShellCrew } from './shell-crew.js';
import type { ShellSettings } from './shell-settings.js';
import type { Stage } from './stage.js';
import { shellStatus } from './status.js';
import { tabsOf } from './tabs.js';
import { Toasts } from './toasts.js';

export interface ShellOptions {
  readonly connection: DaemonConnection;
  readonly tty: OuterTty;
  readonly crew: ShellCrew;
  /** To the daemon of the same socket, once there is one again. */
  readonly reconnect: () => Promise<DaemonConnection>;
  /** The crew ends with the shell, however that ends. */
  readonly endsCrew: boolean;
  /** Control of terminals is never taken. */
  readonly shares: boolean;
  readonly settings: ShellSettings;
  /** The terminal that the shell runs in, if it is one of the same daemon. */
  readonly ownTerminal: string | undefined;
  /** Called once. */
  readonly onEnd: (status: number, note: string) => void;
  readonly onError: (error: unknown) => void;
}

const PAGE_UP = '\x1b[5~';
const END_OF_INPUT = '\x04';
/** 128 and SIGHUP. */
const HANGUP = 129;
const TICK_MS = 1000;

export class Shell implements Seat {
  readonly #options: ShellOptions;
  readonly #leader: Leader;
  readonly #keys: KeySource;
  readonly #panels = new PanelHost();
  readonly #message = new Message();
  readonly #toasts = new Toasts();
  readonly #writer = new FrameWriter();
  readonly #notes: Notes;
  readonly #clicks: Clicks;
  readonly #commands: Commands;
  readonly #outline: Outline;
  readonly #above: LinesAbove;
  #scene: Scene;
  /** The daemon is gone. */
  #away: Away | undefined;
  #lines: readonly string[] = [];
  #drawn: Drawn | undefined;
  #clock: NodeJS.Timeout | undefined;
  /** A paste began while the keyboard was the shell's own. */
  #pastesHere = false;
  /** All keys are for the program, the leader among them. */
  #passes = false;
  /** When the last key came. */
  #typedAt = systemClock.now();

  constructor(options: ShellOptions) {
    this.#options = options;
    const { crew, settings } = options;
    this.#leader = settings.leader;
    this.#keys = new KeySource((token) => this.#take(token), { leader: this.#leader.byte, isWayOut: () => false });
    const during = (act: () => Promise<void>): Promise<void> => this.#during(act);
    const say = (message: string): void => this.#say(message);
    const report = (error: unknown): void => this.#report(error);
    const size = (): Size => this.#layout.screen;
    this.#scene = this.#sceneOf(options.connection);
    this.#notes = new Notes(crew);
    this.#above = new LinesAbove({
      panels: this.#panels,
      connection: () => this.#scene.connection,
      stage: () => this.#stage,
      size,
      write: (sequence) => void options.tty.write(sequence),
      draw: () => void this.draw(),
      say,
      report,
    });
    this.#clicks = new Clicks({
      panels: this.#panels,
      stage: () => this.#stage,
      drawn: () => this.#drawn,
      go: (target) => this.#commands.do(target),
      scrollBack: (opening) => this.#above.open(opening),
    });
    this.#outline = new Outline({
      scene: () => this.#scene,
      notes: this.#notes,
      panels: this.#panels,
      go: (target) => this.#commands.do(target),
    });
    this.#commands = new Commands({
      crew,
      leader: this.#leader,
      walk: () => this.#walk(),
      passKeys: () => this.#passKeys(true),
      scrollBack: () => this.#above.open({ by: 'key' }),
      panels: this.#panels,
      notes: this.#notes,
      clicks: this.#clicks,
      scene: () => this.#scene,
      endsCrew: options.endsCrew,
      size,
      during,
      say,
      report,
      end: (note) => options.onEnd(0, note),
    });
  }

  #sceneOf(connection: DaemonConnection): Scene {
    const { crew, ownTerminal, endsCrew, shares } = this.#options;
    const scene: Scene = new Scene({
      connection,
      project: crew.project,
      endsCrew,
      ownTerminal,
      shares,
      leader: this.#leader.name,
      toasts: this.#toasts,
      size: () => this.#layout.screen,
      restedMs: () => (this.#panels.panel === undefined ? systemClock.now() - this.#typedAt : 0),
      draw: (more) => this.draw(more),
      open: (panel) => this.#panels.open(panel),
      during: (act) => this.#during(act),
      say: (message) => this.#say(message),
      report: (error) => this.#report(error),
      onLost: (error) => {
        if (scene === this.#scene) this.#lost(error);
      },
    });
    return scene;
  }

  start(): void {
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
    this.#notes.look();
    this.#scene.start();
    // Keys wait until there is something that they can be meant for.
    void this.#during(() => this.#scene.load());
    void this.draw();
  }

  async dispose(): Promise<void> {
    this.#keys.dispose();
    clearInterval(this.#clock);
    this.#away?.end();
    await this.#scene.dispose();
  }

  left(status: number): void {
    const { length } = this.#scene.living;
    const note = this.#options.endsCrew && length > 0 ? 'The crew ends.' : goesOn(length);
    // Of a terminal that has gone there is no reader.
    this.#options.onEnd(status, status === HANGUP ? '' : note);
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
    if (this.#away !== undefined) {
      const frame = this.#writer.write(this.#away.frame(tty.rows, tty.cols));
      return tty.write(`${tty.modes.follow({}, NO_CURSOR)}${frame}`);
    }
    const { mirror, isTaking } = this.#stage;
    const isProgram = this.#panels.panel === undefined && isTaking;
    const modes = { ...(isProgram ? mirror.state.modes : {}), mouse_tracking: this.#clicks.tracking };
    const frame = this.#frame();
    this.#lines = frame.lines;
    return tty.write(`${tty.modes.follow(modes, mirror.cursor)}${this.#writer.write(frame)}${more}`);
  }

  get #stage(): Stage {
    return this.#scene.stage;
  }

  get #layout(): Layout {
    return layoutOf(this.#options.tty, this.#options.settings.railCols);
  }

  #frame(): OuterFrame {
    const layout = this.#layout;
    const { mirror, picture, visit, id: shown } = this.#stage;
    const { needs, living, hasFinished } = this.#scene;
    const parts = { ...this.#outline.parts, rows: layout.rows - 1 };
    const isNeeding = (id: string): boolean => needs.some(({ member }) => member.id === id);
    const hasRail = layout.railCols > 0;
    const { members } = parts;
    this.#drawn = {
      layout,
      tabs: tabsOf({ members, shown, needs: isNeeding, hasFinished, bySession: hasRail }),
      rail: hasRail ? railRows(parts) : [],
      toasts: this.#toasts.all,
    };
    const waiting = needs.filter(({ member }) => member.id !== shown);
    return canvasOf({
      ...this.#drawn,
      picture,
      mirror,
      panel: this.#panels.panel,
      status: this.#statusLine(waiting.length, needs.length > waiting.length),
      hint: visit === undefined ? hintOf(living.length, this.#leader.name) : undefined,
    });
  }

  #statusLine(waiting: number, isAsking: boolean): StatusLine {
    const { panel } = this.#panels;
    if (panel !== undefined) return panel.status;
    const { text } = this.#message;
    if (text !== undefined) return { left: ` ${text}`, right: '', look: 'message' };
    const { project } = this.#options.crew;
    return shellStatus({
      project,
      visit: this.#stage.visit,
      size: this.#layout.screen,
      waiting,
      isAsking,
      leader: this.#leader,
      passes: this.#passes,
    });
  }

  #take(token: KeyboardToken): void {
    if (this.#away !== undefined && token.kind !== 'reply') {
      if (token.kind === 'input' && LEAVING.test(token.bytes)) this.#options.onEnd(0, '');
      return;
    }
    if (token.kind !== 'reply') this.#typedAt = systemClock.now();
    switch (token.kind) {
      case 'reply':
        return this.#answer(token.bytes);
      case 'leader':
        this.#message.clear();
        if (this.#passes) this.#passKeys(false);
        else this.#commands.openPalette();
        break;
      case 'command':
        this.#command(token.key);
        break;
      case 'paste':
        this.#paste(token.bytes, token.begins);
        break;
      case 'mouse':
        if (!this.#clicks.take(token.bytes)) return;
        break;
      default: {
        const isForProgram = this.#isForProgram;
        this.#typed(token.bytes);
        // What a program is typed changes nothing here until it answers. A key that closes a panel shows what lay below.
        if (isForProgram && this.#isForProgram) return;
      }
    }
    void this.draw();
  }

  get #isForProgram(): boolean {
    return this.#stage.isTaking && this.#panels.panel === undefined && this.#message.text === undefined;
  }

  /** @param key after the leader */
  #command(key: string): void {
    const line = this.#options.settings.bindings.get(key);
    if (key === this.#leader.byte) {
      this.#panels.close();
      if (this.#stage.isTaking) this.#stage.type(key);
    } else if (line !== undefined) {
      this.#panels.close();
      this.#commands.doLine(line);
    } else if (SIDEWAYS.has(key)) this.#walk();
    else if (key === END_OF_INPUT) this.#commands.leave();
    else if (key === PAGE_UP) this.#above.open({ by: 'key' });
    else this.#typed(key);
  }

  #walk(): void {
    if (this.#layout.railCols > 0) return this.#outline.walk();
    this.#panels.close();
    this.#say('There is no room for a rail: the palette has all that would be in it.');
  }

  #passKeys(passes: boolean): void {
    if (passes && !this.#stage.isTaking) return this.#say('No program takes keys here.');
    this.#passes = passes;
    this.#keys.useLeader((passes ? WAY_BACK : this.#leader).byte);
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
      if (/[q\r]/.test(bytes)) void this.#during(() => this.#scene.show(undefined));
    } else if (bytes.includes(END_OF_INPUT)) this.#commands.leave();
    else if (ARROWS.test(bytes)) this.#walk();
  }

  #answer(reply: string): void {
    const { tty } = this.#options;
    if (reply.endsWith('u')) void tty.write(tty.modes.useKitty()).then(() => this.draw());
    else if (reply.endsWith('c')) {
      this.#keys.answered();
      tty.answered();
    }
  }

  #lost(error: unknown): void {
    const { reconnect, onError } = this.#options;
    if (!isT4aError(error) || error.code !== 'connection_lost') return onError(error);
    if (this.#away !== undefined) return;
    const { id } = this.#stage;
    // Keys that were meant for what it showed are not for what comes.
    this.#panels.close();
    this.#message.clear();
    const onBack = (connection: DaemonConnection): void => void this.#back(connection, id);
    this.#away = new Away(this.#lines, { reconnect, onBack, onError });
    void this.#scene.dispose();
    void this.draw();
  }

  /** @param id of the terminal that was shown */
  async #back(connection: DaemonConnection, id: string | undefined): Promise<void> {
    this.#scene = this.#sceneOf(connection);
    this.#away = undefined;
    this.#writer.forget();
    this.#scene.start();
    this.#say('The daemon is back.');
    await this.#during(async () => {
      await this.#scene.load();
      if (this.#scene.living.some((one) => one.id === id)) await this.#scene.show(id);
    });
  }

  /** Keys wait until it is done. Its error is shown. */
  async #during(act: () => Promise<void>): Promise<void> {
    await this.#keys.during(act).catch((error: unknown) => this.#report(error));
    await this.draw();
  }

  #say(message: string): void {
    this.#message.say(message);
    void this.draw();
  }

  #report(error: unknown): void {
    if (!isT4aError(error)) this.#options.onError(error);
    else if (error.code === 'connection_lost' && !this.#scene.isOpen) this.#lost(error);
    else if (!isQuiet(error)) this.#say(error.message);
  }

  #tick(): void {
    const changes = [this.#message.tick(), this.#toasts.tick(), this.#notes.look()];
    // Times that are shown go on.
    const hasTimes = this.#scene.needs.length > 0 || (this.#stage.visit?.hold.control ?? null) !== null;
    if (changes.includes(true) || hasTimes) void this.draw();
  }
}

/** Right and left: the rail is beside. */
const SIDEWAYS: ReadonlySet<string> = new Set(['\x1b[C', '\x1bOC', '\x1b[D', '\x1bOD']);
// oxlint-disable-next-line no-control-regex -- keys
const ARROWS = /^\x1b[[O][A-D]/;

const NO_CURSOR = { shape: 'block', blink: false } as const;
/** While the daemon is gone: q, Ctrl+C, Ctrl+D. */
// oxlint-disable-next-line no-control-regex -- keys
const LEAVING = /[q\x03\x04]/;

function hintOf(living: number, leader: string): string {
  return living === 0
    ? `Press ${leader} to start an agent or a process`
    : `Press ${leader} to go to one of ${living}, or to start another`;
}
