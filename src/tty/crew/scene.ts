/** Scene of one daemon for the shell: the members, who of them needs the person, and the terminal that is shown. */
import { People } from '../people.js';
import type { TtyApp } from '../tty-app.js';
import type { DaemonConnection } from '../../client/connection.js';
import type { Member } from '../../crew/members.js';
import { BELL } from '../../mirror/frame-writer.js';
import { notification, OUTER } from '../../mirror/outer-sequences.js';
import { Answer } from './answer.js';
import { EndWith } from './end-with.js';
import { type Need, membersNeeds } from './needs.js';
import { Questions } from './questions.js';
import { Roster } from './roster.js';
import { CrewStage } from './stage.js';
import type { Toasts } from './toasts.js';

export interface SceneOptions {
  readonly connection: DaemonConnection;
  /** Real path of the folder of the project. */
  readonly project: string;
  /** The crew ends with the shell. */
  readonly endsCrew: boolean;
  /** The terminal that the shell runs in: it is never shown. */
  readonly ownTerminal: string | undefined;
  /** Control of terminals is never taken. */
  readonly shares: boolean;
  /** Name of the key before those of the shell. */
  readonly leader: string;
  readonly toasts: Toasts;
  readonly app: TtyApp;
  /** Milliseconds in which the person has pressed no key, with the keyboard at a program. */
  readonly restedMs: () => number;
  /** The daemon has gone. */
  readonly onLost: (error: unknown) => void;
}

/** An agent moves what a person looks at only if they have not typed for so long. */
const REST_MS = 10_000;
const MAX_ALERT_LENGTH = 100;

export class Scene {
  readonly stage: CrewStage;
  readonly #options: SceneOptions;
  readonly #roster: Roster;
  readonly #people: People;
  readonly #questions: Questions;
  readonly #answer: Answer;
  readonly #endWith: EndWith;
  readonly #leaving = new AbortController();

  constructor(options: SceneOptions) {
    this.#options = options;
    const { app, connection, project, ownTerminal, onLost } = options;
    this.#questions = new Questions(connection);
    this.#endWith = new EndWith(connection, (error) => app.report(error));
    this.#answer = new Answer({ app, connection, questions: this.#questions });
    this.#people = new People({
      connection,
      canAnswer: true,
      concerns: ({ id, as }) => this.#roster.members.some((one) => one.id === (id ?? as)),
      app,
      show: (id) => this.show(id),
      draw: () => this.#changed(),
      alert: (sequences) => void app.draw(sequences),
    });
    this.stage = new CrewStage({
      connection,
      shares: options.shares,
      leader: options.leader,
      app,
      hasHand: () => this.#people.hasHand,
      onFrame: (bells) => {
        const { id, mirror } = this.stage;
        if (id !== undefined) this.#people.follow(id, mirror.state.asks);
        return app.draw(bells > 0 ? BELL : '');
      },
      onGone: (id) => {
        void app.during(() => this.show(undefined));
        app.say(`${id} is gone.`);
      },
      onError: onLost,
    });
    this.#roster = new Roster({
      connection,
      project,
      ownTerminal,
      onChange: async (members) => {
        if (options.endsCrew) await this.#endWith.cover(this.living);
        await this.#questions.load(members);
        this.#changed();
      },
      onSelected: (id, by) => this.#selected(id, by),
      onError: onLost,
    });
  }

  get connection(): DaemonConnection {
    return this.#options.connection;
  }

  /** Whether the daemon is still there. */
  get isOpen(): boolean {
    return this.#options.connection.isOpen;
  }

  get members(): readonly Member[] {
    return this.#roster.members;
  }

  get living(): readonly Member[] {
    return this.#roster.living;
  }

  get needs(): readonly Need[] {
    const questionOf = (id: string): string => this.#questions.textOf(id);
    return membersNeeds({ members: this.members, asks: this.#people.all, questionOf });
  }

  readonly hasFinished = (id: string): boolean => this.#roster.hasFinished(id);

  start(): void {
    const { onLost } = this.#options;
    const { signal } = this.#leaving;
    this.#roster.start();
    this.#people.followAll(signal).catch((error: unknown) => {
      if (!signal.aborted) onLost(error);
    });
  }

  async dispose(): Promise<void> {
    this.#leaving.abort();
    this.#roster.dispose();
    await this.stage.dispose();
  }

  /** @param id undefined: the empty canvas */
  async show(id: string | undefined): Promise<void> {
    this.#roster.show(id);
    if (id !== undefined) this.#options.toasts.close(id);
    await this.stage.show(id);
    await this.#options.app.draw();
  }

  /** A terminal that the person has started. */
  async started(id: string): Promise<void> {
    this.#roster.add(id);
    await this.show(id);
    await this.#roster.load();
  }

  /** The crew goes on without the shell. */
  release(): Promise<void> {
    return this.#endWith.release();
  }

  /** Resolves once the members are known. */
  load(): Promise<void> {
    return this.#roster.load();
  }

  /** Answers the question of this moment. */
  async answer(id: string): Promise<void> {
    const ask = this.needs.find(({ member }) => member.id === id)?.ask;
    if (ask === undefined) await this.#answer.begin(id);
    else this.#people.answer(ask.ask);
  }

  /** The keyboard of the shown terminal, until it is given back. */
  async take(): Promise<void> {
    const { visit } = this.stage;
    if (visit === undefined) this.#options.app.say('No terminal is shown.');
    else await visit.take();
  }

  async giveBack(): Promise<void> {
    const { visit } = this.stage;
    if (visit?.hold.isMine !== true) return this.#options.app.say('You do not have the keyboard.');
    await visit.giveBack('');
  }

  #changed(): void {
    const { app, toasts } = this.#options;
    const fresh = toasts.follow(this.needs, this.stage.id);
    // Questions of `ask` are announced by their own. Not the text: it is that of a program.
    const alerts = fresh.filter(({ ask }) => ask === undefined).map(({ member: { id } }) => id);
    const more = alerts.map((id) => notification(` ${id}: it waits for you`, MAX_ALERT_LENGTH)).join('');
    void app.draw(more === '' ? '' : `${OUTER.bell.on}${more}`);
  }

  #selected(id: string, by: string | undefined): void {
    const { app, toasts, restedMs } = this.#options;
    if (id === this.stage.id) return;
    toasts.propose(id, `${by ?? 'A client'} proposes to look at ${id}`);
    if (restedMs() >= REST_MS) void app.during(() => this.show(id));
    else void app.draw();
  }
}
