/**
 * A person's control of one terminal. The first key takes it for a while, and further keys renew that; a command keeps it
 * until it is given back. Where no name is given, or the daemon has no `control`, nothing is taken and keys go as they do
 * without it.
 */
import { type DaemonConnection, sendBy } from '../client/connection.js';
import { Hold, type Taking } from '../mirror/hold.js';
import { isT4aError, T4aError } from '../protocol/errors.js';

/** After the last key. The daemon lets it end neither in a line nor in a paste that has begun. */
const LEASE_MS = 15_000;

/** Longest wait for the release, at the end. */
const RELEASE_MS = 500;

/** Reasons to keep control without a lease. */
export type Keeper = 'person' | 'fit';

export class TypistHold extends Hold {
  readonly #connection: DaemonConnection;
  readonly #shares: boolean;
  readonly #keepers = new Set<Keeper>();
  #taking: Promise<void> | undefined;
  /** When this person's control was first seen. */
  #mineSince: number | undefined;

  /** @param shares nothing is ever taken */
  constructor(connection: DaemonConnection, id: string, { shares }: { readonly shares: boolean }) {
    super({ send: sendBy(connection), id, name: connection.envelope.as });
    this.#connection = connection;
    this.#shares = shares;
  }

  /** A hold of the name for all of its watchers counts, too. */
  override get isMine(): boolean {
    return super.isMine || (this.hasName && this.control?.exclusive !== true);
  }

  /** Milliseconds for which it has been held; undefined if it is not. */
  get heldMs(): number | undefined {
    if (!this.isMine) this.#mineSince = undefined;
    else this.#mineSince ??= performance.now();
    return this.#mineSince === undefined ? undefined : performance.now() - this.#mineSince;
  }

  keeps(keeper: Keeper): boolean {
    return this.#keepers.has(keeper);
  }

  /** Why nothing can be taken; undefined if it can. */
  get refusal(): string | undefined {
    if (this.control === undefined) return 'The daemon is older, and has no control to take.';
    if (this.#shares) return 'With --share the keyboard is never taken.';
    if (this.options.name === undefined) return 'To take the keyboard you need a name: attach --as NAME.';
    return undefined;
  }

  override lose(): void {
    super.lose();
    this.#keepers.clear();
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
    const { as, reason } = (this.isOthers ? this.control : undefined) ?? {};
    if (reason !== undefined) throw new T4aError('control_held', `${as} has the keyboard: ${reason}`);
    await (this.#taking ?? this.take({ lease_ms: LEASE_MS }));
  }

  /** Takes it without a lease. @throws T4aError control_held if another person has it */
  async keep(keeper: Keeper, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    await this.taken();
    await this.take({ force });
    this.#keepers.add(keeper);
  }

  /** Gives it back, unless something else keeps it. */
  async drop(keeper: Keeper): Promise<void> {
    if (this.#keepers.delete(keeper) && this.#keepers.size === 0) await this.release();
  }

  override async release(note?: string): Promise<void> {
    await this.taken();
    this.#keepers.clear();
    await super.release(note);
  }

  /** When the person leaves: what another of the same name has taken stays. */
  async leave(): Promise<void> {
    await this.taken();
    // The terminal, the hold or the daemon may have gone.
    if (this.isTaken && this.#connection.isOpen) await withinMs(RELEASE_MS, this.release());
  }

  override take(how: Taking): Promise<void> {
    this.#taking = super.take(how).finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }
}

export function isHeld(error: unknown): boolean {
  return isT4aError(error) && error.code === 'control_held';
}

/** Resolves once it is settled, or late: how the daemon takes a person's leave changes nothing any more. */
export async function withinMs(ms: number, last: Promise<unknown>): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
  await Promise.race([last, late]).catch(() => {});
}
