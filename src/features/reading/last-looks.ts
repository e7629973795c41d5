/** The text that each asker was shown last of each terminal, so that the next look has only what is new. Kept of those alone who ask so. */
import type { CallConnection, Call } from '../../rpc/service.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface Look {
  readonly rev: number;
  readonly cols: number;
  readonly rows: number;
  readonly altScreen: boolean;
  /** Lasting number of the top row. */
  readonly first: number;
  /** Top to bottom, without the blank rows below the text. */
  readonly lines: readonly string[];
  readonly atMs: number;
}

/** Harnesses have a handful of terminals each. */
const MAX_LOOKS = 256;

/** Of all askers; a full look at 80x24 has 4 KB, and one at 1000x1000 has 2 MB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** One look takes no more, so that eight askers have room at least. */
const MAX_LOOK_BYTES = MAX_BYTES / 8;

interface Kept {
  readonly look: Look;
  /** A terminal of the same name may follow. */
  readonly of: WeakRef<Terminal>;
  /** A restarted program shows nothing of what another one has drawn. */
  readonly generation: number;
  readonly bytes: number;
}

export class LastLooks {
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  readonly #connections = new WeakMap<CallConnection, number>();
  #numbered = 0;
  #bytes = 0;

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(terminal: Terminal, asker: Call): Look | undefined {
    const kept = this.#kept.get(this.#keyOf(terminal, asker));
    return kept?.of.deref() === terminal && kept.generation === terminal.generation ? kept.look : undefined;
  }

  /** The oldest make room for it. */
  set(terminal: Terminal, asker: Call, look: Look): void {
    const key = this.#keyOf(terminal, asker);
    this.#drop(key);
    const bytes = look.lines.reduce((sum, line) => sum + BYTES_A_LINE + 2 * line.length, 0);
    if (bytes > MAX_LOOK_BYTES) return;
    this.#kept.set(key, { look, of: new WeakRef(terminal), generation: terminal.generation, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_LOOKS && this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  /** Clients without a scope are told apart by their connections. */
  #keyOf({ id }: Terminal, { scope, as, connection }: Call): string {
    return JSON.stringify([id, scope ?? this.#numberOf(connection), as]);
  }

  #numberOf(connection: CallConnection): number {
    const number = this.#connections.get(connection) ?? this.#numbered++;
    this.#connections.set(connection, number);
    return number;
  }
}

/** The string's own. */
const BYTES_A_LINE = 32;

/** Of all connections. */
export const lastLooks = new LastLooks();
