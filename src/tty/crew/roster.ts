/** The members of the crew in one project, as the daemon lists them: asked for again after each event that may change them. */
import { systemClock } from '../../base/clock.js';
import type { DaemonConnection } from '../../client/connection.js';
import { EventStream } from '../../client/event-stream.js';
import { type Member, Members } from '../../crew/members.js';
import { treeOf } from '../../crew/tree.js';
import { needOf } from '../../protocol/needs-person.js';
import type { StreamLine } from '../../protocol/events.js';
import { Finished } from './finished.js';
import { DrawPace } from './pace.js';

/** Programs change what they do up to ten times a second each: all that they do within this time is one list. */
const PAUSE_MS = 100;

export interface RosterOptions {
  readonly connection: DaemonConnection;
  /** Real path of its folder. */
  readonly project: string;
  /** The terminal that the shell runs in: it is never shown. */
  readonly ownTerminal: string | undefined;
  /** After each list. Resolves before the next is asked for. */
  readonly onChange: (members: readonly Member[]) => Promise<void>;
  /** An agent proposes to look at a terminal. */
  readonly onSelected: (id: string, by: string | undefined) => void;
  /** The daemon has gone. */
  readonly onError: (error: unknown) => void;
}

export class Roster {
  readonly #options: RosterOptions;
  readonly #leaving = new AbortController();
  /** Started here: a project whose path is no label has no others. */
  readonly #own = new Set<string>();
  /** Since they were last shown. */
  readonly #finished = new Finished();
  #members: readonly Member[] = [];
  #shown: string | undefined;
  /** A terminal that has just begun may be proposed before it is in the list. */
  #proposed: { readonly id: string; readonly by: string | undefined } | undefined;
  readonly #pace: DrawPace;

  constructor(options: RosterOptions) {
    this.#options = options;
    const act = (): Promise<void> => this.load().catch((error: unknown) => this.#failed(error));
    this.#pace = new DrawPace({ act, pauseMs: PAUSE_MS });
  }

  /** Each below the one that started it. */
  get members(): readonly Member[] {
    return this.#members;
  }

  get living(): readonly Member[] {
    return this.#members.filter(({ terminal }) => terminal.alive);
  }

  /** Whether it has finished what it was working on since it was last shown. */
  hasFinished(id: string): boolean {
    return this.#finished.has(id);
  }

  add(id: string): void {
    this.#own.add(id);
  }

  show(id: string | undefined): void {
    this.#shown = id;
    if (id !== undefined) this.#finished.see(id);
  }

  start(): void {
    this.#follow().catch((error: unknown) => this.#failed(error));
  }

  dispose(): void {
    this.#leaving.abort();
    this.#pace.dispose();
  }

  async load(): Promise<void> {
    const { connection, project, ownTerminal, onChange } = this.#options;
    const { terminals } = await connection.call('list');
    const all = new Members(terminals, systemClock.wallNow()).all;
    this.#members = treeOf(
      all.filter((one) => (one.project === project || this.#own.has(one.id)) && one.id !== ownTerminal),
    ).map(({ member }) => member);
    this.#finished.follow(this.#members, this.#shown);
    await onChange(this.#members);
    this.#propose();
  }

  #failed(error: unknown): void {
    if (!this.#leaving.signal.aborted) this.#options.onError(error);
  }

  #published({ name, data, as }: Published): void {
    const id = name === 'crew.select' ? selectedOf(data) : undefined;
    if (id === undefined) return;
    this.#proposed = { id, by: as };
    this.#propose();
  }

  #propose(): void {
    const proposed = this.#proposed;
    if (proposed === undefined || !this.living.some(({ id }) => id === proposed.id)) return;
    this.#proposed = undefined;
    this.#options.onSelected(proposed.id, proposed.by);
  }

  async #follow(): Promise<void> {
    const { connection } = this.#options;
    const { signal } = this.#leaving;
    const types = [
      'created',
      'exit',
      'removed',
      'restarted',
      'labelled',
      'doing',
      'asked',
      'answered',
      'published',
    ] as const;
    const stream = new EventStream(connection.socketPath, { types: [...types] }, signal, () => connection.envelope);
    await stream.subscribed;
    await this.load();
    for await (const event of stream) {
      if (event.event === 'published') this.#published(event as unknown as Published);
      else this.#pace.ask({ isUrgent: isNeeded(event) });
    }
  }
}

/** A person may be needed from now on. That they are no longer can wait: another question may follow. */
function isNeeded(event: StreamLine): boolean {
  if (event.event !== 'doing') return event.event === 'asked';
  return needOf({ doing: event }) !== null;
}

interface Published {
  readonly name: string;
  readonly data: string;
  readonly as?: string;
}

/** Selection that `select_process` publishes; any client can. */
function selectedOf(data: string): string | undefined {
  try {
    const { process_id: id } = JSON.parse(data) as { readonly process_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
