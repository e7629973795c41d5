/**
 * `session.json` of a terminal that is kept: what it was, and how it ended. Each version of it is whole,
 * so that a reader never finds half of one.
 */
import path from 'node:path';
import { writePrivateFileLater } from '../../base/private-file.js';
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
      const file = path.join(this.#folder, SESSION_FILE);
      await writePrivateFileLater(file, `${JSON.stringify(session, undefined, 1)}\n`).catch(this.#onError);
    }
  }
}
