/** Whether the program has printed since a client asked last. */
import type { CallResult } from '../client/connection.js';
import { exitCodeOf } from './signals.js';
import type { ServedTerminal } from './served-terminal.js';

export class ProgramActivity {
  readonly #terminal: ServedTerminal;
  #seenBytes: number;

  /** @param seenBytes output that does not count */
  constructor(terminal: ServedTerminal, seenBytes: number) {
    this.#terminal = terminal;
    this.#seenBytes = seenBytes;
  }

  /** Since the last call. */
  take({ output_bytes: bytes }: CallResult<'status'>): boolean {
    const isNew = bytes > this.#seenBytes;
    this.#seenBytes = bytes;
    return isNew;
  }

  /** Waits for output after the last {@link take}, or for the end of the program. */
  async wait(signal: AbortSignal): Promise<{ activity: boolean; exited: boolean }> {
    await this.#terminal.waitFor([{ output_since: this.#seenBytes }, { exit: true }], signal);
    const status = await this.#terminal.call('status', {});
    return { activity: this.take(status), exited: !status.alive };
  }
}

/** @returns the exit code */
export async function waitForExit(terminal: ServedTerminal, signal: AbortSignal): Promise<number> {
  const { exit_code: code = null, signal: name = null } = await terminal.waitFor({ event: 'exit' }, signal);
  return exitCodeOf({ code, signal: name });
}
