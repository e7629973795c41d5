/**
 * Ends all terminals when the daemon shuts down: concurrently, each regardless of the others, and within a bound. Never
 * rejects: a shutdown always completes.
 */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Terminal } from '../terminal/terminal.js';

/** The part of the daemon that ending its terminals needs. */
export interface TerminalOwner {
  readonly options: { readonly log: Log; readonly clock: Clock };
  readonly terminals: { all(): readonly Terminal[] };
  /** @returns pids of processes that could not be ended */
  remove(terminal: Terminal): Promise<number[]>;
}

/** The three steps of ending a session take at most one second each; this bound is for an overloaded machine. */
const DEADLINE_MS = 6000;

/** @returns pids of processes that could not be ended */
export async function endTerminals(daemon: TerminalOwner): Promise<number[]> {
  const orphans: number[] = [];
  const attempt = async (terminal: Terminal, act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (error) {
      daemon.options.log.error(`ending terminal ${terminal.id}`, error);
    }
  };
  const ended = daemon.terminals
    .all()
    .map((terminal) => attempt(terminal, async () => orphans.push(...(await daemon.remove(terminal)))));
  await withinDeadline(daemon, Promise.all(ended));
  for (const terminal of daemon.terminals.all()) {
    daemon.options.log.error(`terminal ${terminal.id} has not ended: shutting down anyway`);
    await attempt(terminal, () => terminal.killAtOnce());
  }
  return orphans;
}

function withinDeadline({ options }: TerminalOwner, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const deadline = options.clock.after(DEADLINE_MS, resolve);
    void work.then(() => {
      deadline.dispose();
      resolve();
    });
  });
}
