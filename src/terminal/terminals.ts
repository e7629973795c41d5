/** All terminals by id: naming, the limit, and which one was used last, by any request and by those of each scope. */
import { nearestWords } from '../base/nearest.js';
import { T4aError, quote } from '../protocol/errors.js';
import { LAST_TERMINAL } from '../protocol/vocabulary.js';
import { type CommandName, COMMANDS } from '../protocol/registry.js';
import type { Asker, Call } from '../rpc/service.js';
import type { Terminal } from './terminal.js';

/** Who names a terminal; without a command, to read. */
export type Naming = Pick<Asker, 'scope'> & Partial<Pick<Call, 'cmd' | 'restriction'>>;

/** Beyond, the least recently used scope is dropped: its "@" is as that of a new one again. */
const MAX_SCOPES = 1024;

/** Terminals of a scope that are remembered, for the removal of the latest. */
const MAX_IN_SCOPE = 16;

/** Names whose last revision is remembered; those beyond share the highest of theirs. */
const MAX_GONE = 1024;

/** Names beside those of the terminals that exist. */
export interface FrozenNames {
  readonly nextNumber: number;
  readonly used: readonly string[];
  readonly scopes: readonly (readonly [string, readonly string[]])[];
  readonly gone: readonly (readonly [string, number])[];
  readonly goneBefore: number;
}

export class Terminals {
  readonly #byId = new Map<string, Terminal>();
  #nextNumber = 1;
  #lastUsed: string | undefined;
  /** Ids in the order of their last use. */
  readonly #used = new Set<string>();
  /** Ids that requests of a scope made or named, in the order of their last use; the scopes in that order, too. */
  readonly #scopes = new Map<string, Set<string>>();

  /** Last revision of the terminals that are gone, by name, so that no later one of that name has it, too. */
  readonly #gone = new Map<string, number>();
  #goneBefore = 0;

  freeze(): FrozenNames {
    return {
      nextNumber: this.#nextNumber,
      used: [...this.#used],
      scopes: Array.from(this.#scopes, ([scope, ids]) => [scope, [...ids]] as const),
      gone: [...this.#gone],
      goneBefore: this.#goneBefore,
    };
  }

  /** To be called once all terminals are added. */
  restore({ nextNumber, used, scopes, gone, goneBefore }: FrozenNames): void {
    this.#nextNumber = nextNumber;
    for (const id of used) this.#setLastUsed(id);
    this.#scopes.clear();
    for (const [scope, ids] of scopes) this.#scopes.set(scope, new Set(ids));
    for (const [id, rev] of gone) this.#gone.set(id, rev);
    this.#goneBefore = goneBefore;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Those with a program of their own, alive or not: opened recordings do not count. */
  get programs(): number {
    return this.all().filter(({ recording }) => recording === undefined).length;
  }

  /** In the order of creation. */
  all(): Terminal[] {
    return [...this.#byId.values()];
  }

  peek(id: string): Terminal | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns the terminal that a request names, and counts it as the one used last. "@" is the latest of the request's scope.
   * If the scope never had one it is the latest of all to a read, and none to an act, which others would not expect there.
   * @throws T4aError terminal_not_found
   */
  use(id: string, asker: Naming, acts = isAct(asker.cmd)): Terminal {
    const { scope } = asker;
    if (id === LAST_TERMINAL && acts && scope !== undefined && !this.#scopes.has(scope) && this.programs > 0)
      throw unnamed();
    const terminal = this.find(id, asker);
    // "@" never means a recording, and is not led elsewhere by what may only read.
    if (terminal.recording !== undefined || asker.restriction?.reach === 'read') return terminal;
    this.#setLastUsed(terminal.id);
    if (id !== LAST_TERMINAL) this.#noteIn(asker.scope, terminal.id);
    return terminal;
  }

  /**
   * Like {@link use}, for requests that do not count as a use.
   * @throws T4aError terminal_not_found
   */
  find(id: string, { scope }: Pick<Asker, 'scope'>): Terminal {
    const wanted = id === LAST_TERMINAL ? this.#latest(scope) : id;
    const terminal = wanted === undefined ? undefined : this.#byId.get(wanted);
    if (terminal === undefined) throw this.#notFound(id, scope);
    return terminal;
  }

  /** A new name: t1, t2, …; never one that this daemon has generated before, or that is in use. */
  nextId(): string {
    let id: string;
    do id = `t${this.#nextNumber++}`;
    while (this.#byId.has(id));
    return id;
  }

  /** Above all revisions that an earlier terminal of this name has had: its handles never show the later one. */
  firstRevision(id: string): number {
    const last = this.#gone.get(id) ?? this.#goneBefore;
    return last === 0 ? 0 : last + 1;
  }

  /** @throws Error if the id is taken: the other terminal would become unreachable */
  add(terminal: Terminal, { scope }: Pick<Asker, 'scope'> = {}): void {
    if (this.#byId.has(terminal.id)) throw new Error(`there are two terminals ${terminal.id}`);
    this.#byId.set(terminal.id, terminal);
    if (terminal.recording !== undefined) return;
    this.#setLastUsed(terminal.id);
    this.#noteIn(scope, terminal.id);
  }

  /** Another daemon has them: what they hold goes, even where something names them still. */
  forget(): void {
    for (const { screen } of this.#byId.values()) screen.forget();
    this.#byId.clear();
  }

  /** Returns false if it was deleted before. */
  delete(terminal: Terminal): boolean {
    if (this.#byId.get(terminal.id) !== terminal) return false;
    this.#byId.delete(terminal.id);
    this.#used.delete(terminal.id);
    this.#noteGone(terminal);
    // A scope without terminals stays one that had some: its "@" never means those of others.
    for (const ids of this.#scopes.values()) ids.delete(terminal.id);
    if (this.#lastUsed === terminal.id) this.#lastUsed = [...this.#used].at(-1);
    return true;
  }

  #noteGone({ id, screen }: Terminal): void {
    moveToEnd(this.#gone, id, Math.max(screen.rev, this.#gone.get(id) ?? 0));
    const [oldest] = this.#gone;
    if (oldest === undefined || this.#gone.size <= MAX_GONE) return;
    this.#goneBefore = Math.max(this.#goneBefore, oldest[1]);
    this.#gone.delete(oldest[0]);
  }

  #setLastUsed(id: string): void {
    this.#lastUsed = id;
    this.#used.delete(id);
    this.#used.add(id);
  }

  #latest(scope: string | undefined): string | undefined {
    const ids = scope === undefined ? undefined : this.#scopes.get(scope);
    if (scope === undefined || ids === undefined) return this.#lastUsed;
    moveToEnd(this.#scopes, scope, ids);
    return [...ids].at(-1);
  }

  #noteIn(scope: string | undefined, id: string): void {
    if (scope === undefined) return;
    const ids = this.#scopes.get(scope) ?? new Set();
    ids.delete(id);
    ids.add(id);
    if (ids.size > MAX_IN_SCOPE) dropFirst(ids);
    moveToEnd(this.#scopes, scope, ids);
    if (this.#scopes.size > MAX_SCOPES) dropFirst(this.#scopes);
  }

  #notFound(id: string, scope: string | undefined): T4aError {
    if (id === LAST_TERMINAL && this.programs > 0 && scope !== undefined) {
      const message = 'The terminals that were used here are gone, so "@" names none.';
      return new T4aError('terminal_not_found', message, { hint: 't4a list' });
    }
    if (id === LAST_TERMINAL) {
      return new T4aError('terminal_not_found', 'There is no terminal yet, so "@" names none.', { hint: 't4a create' });
    }
    const closest = nearestWords(id, this.#byId.keys())[0];
    return new T4aError('terminal_not_found', `No terminal ${quote(id)}.`, {
      hint: 't4a list',
      ...(closest === undefined ? {} : { closest }),
    });
  }
}

function isAct(cmd: CommandName | undefined): boolean {
  return cmd !== undefined && COMMANDS[cmd].traits.effect !== 'read';
}

/** With the field by which the command line of a shell finds that it may ask without a scope. */
function unnamed(): T4aError {
  const message = 'No terminal has been made or named here, so "@" names none to act on.';
  return new T4aError('terminal_not_found', message, { field: 'scope', hint: 't4a list' });
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}

function dropFirst<K>(ordered: { keys(): Iterator<K>; delete(key: K): boolean }): void {
  const first = ordered.keys().next();
  if (first.done !== true) ordered.delete(first.value);
}
