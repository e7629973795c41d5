/** The masters that a daemon which takes over has got at its start, and its descriptors of them. */
import type { Terminal } from '../../terminal/terminal.js';
import { FIRST_MASTER_FD } from './descriptors.js';

interface Given {
  /** Pid of the program: another one of the same terminal has another master. */
  readonly pid: number;
  readonly fd: number;
}

export class Masters {
  readonly #given = new Map<Terminal, Given>();

  constructor(terminals: readonly Terminal[]) {
    for (const terminal of terminals) {
      if (terminal.master !== undefined)
        this.#given.set(terminal, { pid: terminal.pid, fd: FIRST_MASTER_FD + this.#given.size });
    }
  }

  get end(): number {
    return FIRST_MASTER_FD + this.#given.size;
  }

  /** Whether it needs none, or the one that was given is still its own. */
  has(terminal: Terminal): boolean {
    return terminal.master === undefined || this.#given.get(terminal)?.pid === terminal.pid;
  }

  /** Undefined for one whose output has ended. */
  fdOf(terminal: Terminal): number | undefined {
    return terminal.master === undefined ? undefined : this.#given.get(terminal)?.fd;
  }

  /** To be called once the other daemon has them. */
  forget(): void {
    this.#given.clear();
  }

  /** Descriptors that none of the terminals has any more. */
  left(terminals: readonly Terminal[]): readonly number[] {
    const used = new Set(terminals.map((terminal) => this.fdOf(terminal)));
    return [...this.#given.values()].flatMap(({ fd }) => (used.has(fd) ? [] : fd));
  }
}
