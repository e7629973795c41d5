/**
 * The shell of the crew: tabs above, one terminal at the exact size of what is left, a rail beside it, and a status line. Its rows are
 * cells: no byte of a program reaches the person's terminal. Keys go to the terminal that is shown; after Ctrl+K to the palette, and
 * Ctrl+K twice is one for the program.
 */
import { systemClock } from '../../base/clock.js';
import { Clipboard, type Consent } from '../clipboard.js';
import type { KeyboardToken } from '../keyboard.js';
import type { OuterTty } from '../outer-tty.js';
import type { Opening } from '../scrollback.js';
import type { SeatedApp } from '../sitting.js';
import type { Size } from '../../mirror/fit.js';
import type { StatusLine } from '../status-line.js';
import { TtyApp } from '../tty-app.js';
import type { Visit } from '../visit.js';
import type { DaemonConnection } from '../../client/connection.js';
import type { OuterFrame } from '../../mirror/frame-writer.js';
import { isT4aError } from '../../protocol/errors.js';
import { Away } from './away.js';
import { canvasOf } from './canvas.js';
import { Clicks, type Drawn } from './clicks.js';
import { CrewCommands, goesOn } from './commands.js';
import { layoutOf, type Layout } from './layout.js';
import { type Leader, WAY_BACK } from './leader.js';
import { Notes } from './notes.js';
import { Outline } from './outline.js';
import { railRows } from './rail.js';
import { Scene } from './scene.js';
import type { ShellCrew } from './shell-crew.js';
import type { ShellSettings } from './shell-settings.js';
import type { CrewStage } from './stage.js';
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

export class Shell extends TtyApp implements SeatedApp {
  readonly #options: ShellOptions;
  readonly #leader: Leader;
  readonly #toasts = new Toasts();
  readonly #notes: Notes;
  readonly #clicks: Clicks;
  readonly #commands: CrewCommands;
  readonly #outline: Outline;
  /** To copy what stands above the screen: asked for once. */
  readonly #consent: Consent = { isGiven: undefined };
  #scene: Scene;
  /** The daemon is gone. */
  #away: Away | undefined;
  #lines: readonly string[] = [];
  #drawn: Drawn | undefined;
  /** All keys are for the program, the leader among them. */
  #passes = false;
  /** When the last key came. */
  #typedAt = systemClock.now();

  constructor(options: ShellOptions) {
    const { crew, settings, tty, onError } = options;
    super({ tty, onError, leader: settings.leader.byte, isWayOut: () => false });
    this.#options = options;
    this.#leader = settings.leader;
    this.#scene = this.#sceneOf(options.connection);
    this.#notes = new Notes(crew);
    this.#clicks = new Clicks({
      panels: this.panels,
      stage: () => this.#stage,
      drawn: () => this.#drawn,
      go: (target) => this.#commands.do(target),
      scrollBack: (opening) => this.#scrollBack(opening),
    });
    this.#outline = new Outline({
      scene: () => this.#scene,
      notes: this.#notes,
      panels: this.panels,
      go: (target) => this.#commands.do(target),
    });
    this.#commands = new CrewCommands({
      app: this,
      crew,
      leader: this.#leader,
      walk: () => this.#walk(),
      passKeys: () => this.#passKeys(true),
      scrollBack: () => this.#scrollBack({ by: 'key' }),
      notes: this.#notes,
      clicks: this.#clicks,
      scene: () => this.#scene,
      endsCrew: options.endsCrew,
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
      app: this,
      restedMs: () => (this.panels.panel === undefined ? systemClock.now() - this.#typedAt : 0),
      onLost: (error) => {
        if (scene === this.#scene) this.#lost(error);
      },
    });
    return scene;
  }

  start(): void {
    this.#notes.look();
    this.#scene.start();
    // Keys wait until there is something that they can be meant for.
    void this.during(() => this.#scene.load());
    void this.draw();
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    this.#away?.end();
    await this.#scene.dispose();
  }

  left(status: number): void {
    const { length } = this.#scene.living;
    const note = this.#options.endsCrew && length > 0 ? 'The crew ends.' : goesOn(length);
    // Of a terminal that has gone there is no reader.
    this.#options.onEnd(status, status === HANGUP ? '' : note);
  }

  get size(): Size {
    return this.#layout.screen;
  }

  get visit(): Visit | undefined {
    return this.#stage.visit;
  }

  get hasKeyboard(): boolean {
    return this.panels.panel !== undefined || !this.#stage.isTaking;
  }

  protected resized(): void {
    this.#stage.resized();
  }

  /** @param more goes out with the frame */
  draw(more = ''): Promise<void> {
    const { tty } = this.#options;
    if (this.#away !== undefined) {
      return this.write(this.#away.frame(tty.rows, tty.cols), '', {}, NO_CURSOR);
    }
    const { mirror } = this.#stage;
    const modes = { ...(this.hasKeyboard ? {} : mirror.state.modes), mouse_tracking: this.#clicks.tracking };
    const frame = this.#frame();
    this.#lines = frame.lines;
    return this.write(frame, more, modes, mirror.cursor);
  }

  get #stage(): CrewStage {
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
      panel: this.panels.panel,
      status: this.#statusLine(waiting.length, needs.length > waiting.length),
      hint: visit === undefined ? hintOf(living.length, this.#leader.name) : undefined,
    });
  }

  #statusLine(waiting: number, isAsking: boolean): StatusLine {
    const { panel } = this.panels;
    if (panel !== undefined) return panel.status;
    const { text } = this.message;
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

  protected take(token: KeyboardToken): void {
    if (this.#away !== undefined && token.kind !== 'reply') {
      if (token.kind === 'input' && LEAVING.test(token.bytes)) this.#options.onEnd(0, '');
      return;
    }
    if (token.kind !== 'reply') this.#typedAt = systemClock.now();
    switch (token.kind) {
      case 'reply':
        return this.answered(token.bytes);
      case 'leader':
        this.message.clear();
        if (this.#passes) this.#passKeys(false);
        else this.#commands.openPalette();
        break;
      case 'command':
        this.#command(token.key);
        break;
      case 'paste':
        this.pasted(token);
        break;
      case 'mouse':
        if (!this.#clicks.take(token.bytes)) return;
        break;
      default: {
        const isForProgram = this.#isForProgram;
        this.#input(token.bytes);
        // What a program is typed changes nothing here until it answers. A key that closes a panel shows what lay below.
        if (isForProgram && this.#isForProgram) return;
      }
    }
    void this.draw();
  }

  get #isForProgram(): boolean {
    return !this.hasKeyboard && this.message.text === undefined;
  }

  /** @param key after the leader */
  #command(key: string): void {
    const line = this.#options.settings.bindings.get(key);
    if (key === this.#leader.byte) {
      this.panels.close();
      if (this.#stage.isTaking) this.#stage.type(key);
    } else if (line !== undefined) {
      this.panels.close();
      this.#commands.doLine(line);
    } else if (SIDEWAYS.has(key)) this.#walk();
    else if (key === END_OF_INPUT) this.#commands.leave();
    else if (key === PAGE_UP) this.#scrollBack({ by: 'key' });
    else this.#input(key);
  }

  #walk(): void {
    if (this.#layout.railCols > 0) return this.#outline.walk();
    this.panels.close();
    this.say('There is no room for a rail: the palette has all that would be in it.');
  }

  #passKeys(passes: boolean): void {
    if (passes && !this.#stage.isTaking) return this.say('No program takes keys here.');
    this.#passes = passes;
    this.source.useLeader((passes ? WAY_BACK : this.#leader).byte);
    void this.draw();
  }

  #scrollBack(opening: Opening): void {
    const clipboard = new Clipboard(this.#consent, (sequence) => void this.#options.tty.write(sequence));
    this.readAbove(this.#scene.connection, clipboard, opening);
  }

  #input(bytes: string): void {
    if (this.typed(bytes)) return;
    if (this.#stage.isTaking) this.#stage.type(bytes);
    else if (this.#stage.visit !== undefined) {
      if (/[q\r]/.test(bytes)) void this.during(() => this.#scene.show(undefined));
    } else if (bytes.includes(END_OF_INPUT)) this.#commands.leave();
    else if (ARROWS.test(bytes)) this.#walk();
  }

  #lost(error: unknown): void {
    const { reconnect, onError } = this.#options;
    if (!isT4aError(error) || error.code !== 'connection_lost') return onError(error);
    if (this.#away !== undefined) return;
    const { id } = this.#stage;
    // Keys that were meant for what it showed are not for what comes.
    this.panels.close();
    this.message.clear();
    const onBack = (connection: DaemonConnection): void => void this.#back(connection, id);
    this.#away = new Away(this.#lines, { reconnect, onBack, onError });
    void this.#scene.dispose();
    void this.draw();
  }

  /** @param id of the terminal that was shown */
  async #back(connection: DaemonConnection, id: string | undefined): Promise<void> {
    this.#scene = this.#sceneOf(connection);
    this.#away = undefined;
    this.forget();
    this.#scene.start();
    this.say('The daemon is back.');
    await this.during(async () => {
      await this.#scene.load();
      if (this.#scene.living.some((one) => one.id === id)) await this.#scene.show(id);
    });
  }

  /** Keys wait until it is done. Its error is shown. */
  override async during(act: () => Promise<void>): Promise<void> {
    await super.during(act);
    await this.draw();
  }

  override report(error: unknown): void {
    if (isT4aError(error) && error.code === 'connection_lost' && !this.#scene.isOpen) this.#lost(error);
    else super.report(error);
  }

  protected tick(): void {
    const changes = [this.message.tick(), this.#toasts.tick(), this.#notes.look()];
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
