/**
 * The end of all terminals when the daemon leaves: side by side, each whatever becomes of the others, and within a bound.
 * Never rejects: a daemon that is told to leave leaves.
 */
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Terminal } from './terminal.js';

/** The daemon, as far as the end of its terminals is concerned. */
export interface TerminalOwner {
  readonly options: { readonly log: Log; readonly clock: Clock };
  readonly terminals: { all(): readonly Terminal[] };
  /** @returns pids of processes that could not be ended */
  remove(terminal: Terminal): Promise<number[]>;
}

/** The three steps of ending a session take as many seconds at most; this is for a machine in trouble. */
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
    daemon.options.log.error(`terminal ${terminal.id} has not ended: leaving all the same`);
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
