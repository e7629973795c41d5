/**
 * `session.json` of a terminal that is kept: what it was, and how it ended. Each version of it is written beside the last one and then
 * takes its place, so that a reader never finds half of one.
 */
// Node loads `promises` when it is used first.
import { constants, promises } from 'node:fs';
import path from 'node:path';
import { SESSION_FILE } from '../past/persisted.js';

export interface Session {
  readonly version: number;
  readonly t4a: string;
  readonly id: string;
  readonly title: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** At the start; changes are in the ledger. */
  readonly cols: number;
  readonly rows: number;
  /** Grows with each `restart`. */
  readonly generation: number;
  /** Milliseconds since the Unix epoch. */
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  readonly ledger: {
    /** Of the program, that are in it. */
    readonly bytes: number;
    readonly missing_bytes: number;
    /** Why it ended early; null if it did not. */
    readonly cut: string | null;
  };
}

export class SessionFile {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  /** Only the last one counts. */
  #next: Session | undefined;
  #writing: Promise<void> | undefined;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Once the folder is there. */
  write(session: Session): void {
    this.#next = session;
    this.#writing ??= this.#run().finally(() => (this.#writing = undefined));
  }

  async written(): Promise<void> {
    await this.#writing;
  }

  async #run(): Promise<void> {
    for (let session = this.#next; session !== undefined; session = this.#next) {
      this.#next = undefined;
      await this.#replace(session).catch(this.#onError);
    }
  }

  async #replace(session: Session): Promise<void> {
    const file = path.join(this.#folder, SESSION_FILE);
    const fresh = `${file}.new`;
    const { O_CREAT, O_TRUNC, O_WRONLY, O_NOFOLLOW } = constants;
    const handle = await promises.open(fresh, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(session, undefined, 1)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await promises.rename(fresh, file);
  }
}
