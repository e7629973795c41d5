/** Where a terminal is in its life, and waiting for it to come to another place. */
import { Emitter } from '../base/emitter.js';
import { T4aError } from '../protocol/errors.js';
import type { SessionTable } from './system/session-table.js';
import { signalName } from './system/processes.js';
import { exitOf, transition, type TerminalState, type Transition } from './state.js';
import type { Leader } from './termination.js';
import { until } from './until.js';

export class Life {
  readonly #changed = new Emitter<TerminalState>();
  #state: TerminalState;

  constructor(state: TerminalState = { kind: 'running' }) {
    this.#state = state;
  }

  get state(): TerminalState {
    return this.#state;
  }

  get exit(): { code: number | null; signal: string | null } {
    const exit = exitOf(this.#state);
    return { code: exit?.code ?? null, signal: signalName(exit?.signal ?? null) };
  }

  exitedError(id: string): T4aError {
    const { code, signal } = this.exit;
    const how = signal !== null ? `was ended by ${signal}` : code === null ? 'has ended' : `exited with code ${code}`;
    return new T4aError('terminal_exited', `The process of terminal "${id}" ${how}.`, { hint: `t4a kill ${id}` });
  }

  /** @throws Error on an impossible step: a bug of the caller */
  take(step: Transition): void {
    this.#state = transition(this.#state, step);
    this.#changed.emit(this.#state);
    if (this.#state.kind === 'removed') this.#changed.clear();
  }

  until(reached: (state: TerminalState) => boolean, signal?: AbortSignal): Promise<void> {
    if (reached(this.#state)) return Promise.resolve();
    return until(signal, ({ resolve }, scope) => {
      scope.add(this.#changed.on((state) => void (reached(state) && resolve())));
    });
  }

  /** The leader of the session of the program of now. */
  leader(process: { readonly pid: number }, sessions: SessionTable): Leader {
    return {
      get pid() {
        return process.pid;
      },
      sessions,
      isReaped: () => this.#state.kind !== 'running',
      untilReaped: () => this.until(({ kind }) => kind !== 'running'),
    };
  }
}
