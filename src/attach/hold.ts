/**
 * A person's control of one terminal. The first key takes it for a while, and further keys renew that; a command keeps it
 * until it is given back. Where no name is given, or the daemon has no `control`, nothing is taken and keys go as they do
 * without it.
 */
import type { CallArguments, DaemonConnection } from '../client/connection.js';
import type { MirrorState } from '../mirror/mirror.js';
import { type SendRequest, takeKeyboard, type Taking } from '../mirror/watcher.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import type { ParamsInput } from '../protocol/registry.js';

/** After the last key. The daemon lets it end neither in a line nor in a paste that has begun. */
const LEASE_MS = 15_000;

/** Longest wait for the release, at the end. */
const RELEASE_MS = 500;

/** What keeps control without a lease. */
export type Keeper = 'person' | 'fit';

export class Hold {
  readonly #connection: DaemonConnection;
  readonly #id: string;
  readonly #name: string | undefined;
  readonly #shares: boolean;
  readonly #keepers = new Set<Keeper>();
  #control: MirrorState['control'];
  /** When this took it, if no frame has shown since that it is lost: another of the same name has another time. */
  #ownSince: number | undefined;
  #taking: Promise<void> | undefined;
  /** When this person's control was first seen. */
  #mineSince: number | undefined;

  /** @param shares nothing is ever taken */
  constructor(connection: DaemonConnection, id: string, { shares }: { readonly shares: boolean }) {
    this.#connection = connection;
    this.#id = id;
    this.#name = connection.envelope.as;
    this.#shares = shares;
  }

  /** Who has control, as of the last frame. */
  get control(): MirrorState['control'] {
    return this.#control;
  }

  get isMine(): boolean {
    if (this.#name === undefined || this.#control?.as !== this.#name) return false;
    return this.#control.exclusive !== true || this.#control.since === this.#ownSince;
  }

  /** For so long it has been; undefined if it is not. */
  get heldMs(): number | undefined {
    if (!this.isMine) this.#mineSince = undefined;
    else this.#mineSince ??= performance.now();
    return this.#mineSince === undefined ? undefined : performance.now() - this.#mineSince;
  }

  get isOthers(): boolean {
    return this.#control !== undefined && this.#control !== null && !this.isMine;
  }

  keeps(keeper: Keeper): boolean {
    return this.#keepers.has(keeper);
  }

  /** Why nothing can be taken; undefined if it can. */
  get refusal(): string | undefined {
    if (this.#control === undefined) return 'The daemon is older, and has no control to take.';
    if (this.#shares) return 'With --share the keyboard is never taken.';
    if (this.#name === undefined) return 'To take the keyboard you need a name: attach --as NAME.';
    return undefined;
  }

  /** After each frame. @returns the name that has taken it from this person */
  follow(control: MirrorState['control']): string | undefined {
    const wasMine = this.isMine;
    this.#control = control;
    if (!wasMine || this.isMine) return undefined;
    this.#ownSince = undefined;
    this.#keepers.clear();
    return control?.as;
  }

  /** Resolves once a take that is on its way is answered. */
  async taken(): Promise<void> {
    await this.#taking?.catch(() => {
      // Its caller has the error.
    });
  }

  /** Before each input. @throws T4aError control_held if another person has it, or an agent that gave a reason */
  async ensure(): Promise<void> {
    if (this.refusal !== undefined || this.isMine) return;
    // A stray key must not end what an agent has announced: that takes a command.
    const { as, reason } = (this.isOthers ? this.#control : undefined) ?? {};
    if (reason !== undefined) throw new T4aError('control_held', `${as} has the keyboard: ${reason}`);
    await (this.#taking ?? this.#take({ lease_ms: LEASE_MS }));
  }

  /** Takes it without a lease. @throws T4aError control_held if another person has it */
  async keep(keeper: Keeper, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    await this.taken();
    await this.#take({ force });
    this.#keepers.add(keeper);
  }

  /** Gives it back, unless something else keeps it. */
  async drop(keeper: Keeper): Promise<void> {
    if (this.#keepers.delete(keeper) && this.#keepers.size === 0) await this.release();
  }

  /** @param note for the next one */
  async release(note?: string): Promise<void> {
    await this.taken();
    this.#keepers.clear();
    if (!this.isMine) return;
    await this.#connection.call('control', { id: this.#id, action: 'release', ...(note ? { note } : {}) });
    this.#ownSince = undefined;
    this.#control = null;
  }

  /** When the person leaves: what another of the same name has taken stays. */
  async leave(): Promise<void> {
    await this.taken();
    if (this.#ownSince === undefined || !this.#connection.isOpen) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, RELEASE_MS).unref());
    await Promise.race([this.release(), late]).catch(() => {
      // The terminal, the hold or the daemon has gone.
    });
  }

  #take(how: Taking): Promise<void> {
    const taking = this.#askFor(how).finally(() => {
      this.#taking = undefined;
    });
    this.#taking = taking;
    return taking;
  }

  async #askFor(how: Taking): Promise<void> {
    const { holder } = await takeKeyboard(sendBy(this.#connection), this.#id, how);
    this.#ownSince = holder?.since;
    // Before the frame that shows it: the next key is not to take it again.
    if (holder !== null) this.#control = { ...holder, requests: this.#control?.requests ?? [] };
  }
}

export function sendBy(connection: DaemonConnection): SendRequest {
  return <Name extends 'watch' | 'control'>(cmd: Name, params: ParamsInput<Name>, signal?: AbortSignal) =>
    connection.call(cmd, ...([params, { signal }] as CallArguments<Name>));
}

export function isHeld(error: unknown): boolean {
  return isT4aError(error) && error.code === 'control_held';
}
