/**
 * The keyboard of one terminal at one watcher: who has it as of the last frame, and whether that is this watcher. Another watcher of the
 * same person has it at another time. For browsers too.
 */
import type { Reply } from '../protocol/registry.js';
import type { MirrorState } from './mirror.js';
import type { SendRequest } from './watcher.js';

export interface HoldOptions {
  readonly send: SendRequest;
  readonly id: string;
  /** Name of the person; undefined if they have none. */
  readonly name: string | undefined;
}

export interface Taking {
  /** Default: until it is released. */
  readonly lease_ms?: number;
  readonly force?: boolean;
}

export class Hold {
  protected readonly options: HoldOptions;
  #control: MirrorState['control'];
  /** Hold that this watcher took, until a frame shows that it is lost. */
  #own: { readonly since: number; readonly number: number | null } | undefined;

  constructor(options: HoldOptions) {
    this.options = options;
  }

  /** Holder of control, as of the last frame or reply. */
  get control(): MirrorState['control'] {
    return this.#control;
  }

  get isMine(): boolean {
    return this.#own !== undefined && this.hasName && this.#control?.since === this.#own.since;
  }

  get isOthers(): boolean {
    return this.#control !== undefined && this.#control !== null && !this.isMine;
  }

  /** Whether this watcher took it, and has not heard that it is lost. */
  get isTaken(): boolean {
    return this.#own !== undefined;
  }

  /** Binds a request to this hold: the daemon refuses it once another has the keyboard. */
  get bond(): { readonly if_hold?: number } {
    return this.#own === undefined || this.#own.number === null ? {} : { if_hold: this.#own.number };
  }

  /** After each frame. @returns the name that has taken it from this watcher */
  follow(control: MirrorState['control']): string | undefined {
    const wasMine = this.isMine;
    this.#control = control;
    if (this.isMine) return undefined;
    this.lose();
    return wasMine ? control?.as : undefined;
  }

  /** Another of the same name is refused, too. @throws the error of the request, `control_held` among them */
  async take(how: Taking): Promise<void> {
    const { send, id, name } = this.options;
    const fields = { id, action: 'take', person: true, connected: true, exclusive: true, ...how } as const;
    const { holder, hold }: Reply<'control'> = await send('control', fields);
    this.#own = holder === null || holder.as !== name ? undefined : { since: holder.since, number: hold };
    // Before the frame that shows it: the next key is not to take it again.
    if (holder !== null) this.#control = { ...holder, requests: this.#control?.requests ?? [] };
  }

  /** @param note for the next one */
  async release(note?: string): Promise<void> {
    if (!this.isMine) return;
    const { send, id } = this.options;
    await send('control', { id, action: 'release', ...(note ? { note } : {}) });
    this.lose();
    this.#control = null;
  }

  /** Ends a hold with the connection that took it. */
  lose(): void {
    this.#own = undefined;
  }

  /** The holder has the name of this person. */
  protected get hasName(): boolean {
    return this.options.name !== undefined && this.#control?.as === this.options.name;
  }
}
