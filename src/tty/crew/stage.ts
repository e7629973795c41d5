/** The one terminal that the shell shows, or none: its visit, its size, its picture. */
import { Picture } from '../picture.js';
import type { TtyApp } from '../tty-app.js';
import { Visit } from '../visit.js';
import type { DaemonConnection } from '../../client/connection.js';
import { Mirror } from '../../mirror/mirror.js';
import { Viewport } from './viewport.js';

export interface CrewStageOptions {
  readonly connection: DaemonConnection;
  /** Control is never taken. */
  readonly shares: boolean;
  /** Name of the key before those of the shell. */
  readonly leader: string;
  /** An agent has asked the person to take over. */
  readonly hasHand: () => boolean;
  /** After each frame. The next is asked for once it resolves. */
  readonly onFrame: (bells: number) => Promise<void>;
  /** The terminal has been removed. */
  readonly onGone: (id: string) => void;
  readonly app: TtyApp;
  readonly onError: (error: unknown) => void;
}

interface Shown {
  readonly visit: Visit;
  readonly viewport: Viewport;
  readonly picture: Picture;
}

const NO_TERMINAL = new Mirror();

export class CrewStage {
  readonly #options: CrewStageOptions;
  readonly #blank = new Picture();
  #shown: Shown | undefined;

  constructor(options: CrewStageOptions) {
    this.#options = options;
  }

  get visit(): Visit | undefined {
    return this.#shown?.visit;
  }

  get id(): string | undefined {
    return this.visit?.terminal.id;
  }

  get mirror(): Mirror {
    return this.visit?.terminal.mirror ?? NO_TERMINAL;
  }

  get picture(): Picture {
    return this.#shown?.picture ?? this.#blank;
  }

  /** Whether keys go to a program. */
  get isTaking(): boolean {
    return this.visit !== undefined && this.visit.terminal.end === undefined;
  }

  type(bytes: string): void {
    this.#shown?.visit.type(bytes);
    this.#shown?.viewport.typed();
  }

  /** The person's terminal has another size. */
  resized(): void {
    this.#shown?.viewport.resized();
  }

  /** @param id undefined: none, so that no key reaches a program that it was not meant for */
  async show(id: string | undefined): Promise<void> {
    const before = this.#shown;
    this.#shown = undefined;
    before?.viewport.dispose();
    await before?.visit.end();
    if (id !== undefined) this.#begin(id);
  }

  async dispose(): Promise<void> {
    this.#shown?.viewport.dispose();
    await this.#shown?.visit.end();
  }

  #begin(id: string): void {
    const { app, connection, shares, leader, hasHand, onFrame, onGone, onError } = this.#options;
    const visit = new Visit(id, {
      connection,
      isReadOnly: false,
      shares,
      hints: { leave: `${leader} leave leaves.`, take: `${leader} take takes it.`, give: ', until you give it back.' },
      hasHand,
      app,
    });
    const { terminal, hold } = visit;
    const viewport = new Viewport({ connection, terminal, hold, app });
    this.#shown = { visit, viewport, picture: new Picture() };
    const frame = (bells: number): Promise<void> => {
      viewport.follow();
      return onFrame(bells);
    };
    visit.follow(frame, () => onGone(id), onError);
  }
}
