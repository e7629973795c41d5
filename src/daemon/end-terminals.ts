/**
 * Ends all terminals when the daemon shuts down: concurrently, each regardless of the others, and within a bound. Never
 * rejects: a shutdown always completes.
 */
import type { Core } from '../features/core.js';
import type { Terminal } from '../terminal/terminal.js';

type EndingCore = Pick<Core, 'log' | 'clock'> & { readonly terminals: { all(): readonly Terminal[] } };

/** Beyond the patience after SIGHUP and after SIGTERM: SIGKILL and the hang-up take at most 1.25 s, on an overloaded machine longer. */
const BEYOND_GRACE_MS = 4000;

/**
 * @param graceMs after each of two signals
 * @param remove ends a terminal and returns pids of processes that could not be ended
 * @returns these of all terminals
 */
export async function endTerminals(
  core: EndingCore,
  graceMs: number,
  remove: (terminal: Terminal) => Promise<number[]>,
): Promise<number[]> {
  const orphans: number[] = [];
  const attempt = async (terminal: Terminal, act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (error) {
      core.log.error(`ending terminal ${terminal.id}`, error);
    }
  };
  const ended = core.terminals
    .all()
    .map((terminal) => attempt(terminal, async () => orphans.push(...(await remove(terminal)))));
  await withinDeadline(core, 2 * graceMs + BEYOND_GRACE_MS, Promise.all(ended));
  for (const terminal of core.terminals.all()) {
    core.log.error(`terminal ${terminal.id} has not ended: shutting down anyway`);
    await attempt(terminal, () => terminal.killAtOnce());
  }
  return orphans;
}

function withinDeadline({ clock }: EndingCore, deadlineMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const deadline = clock.after(deadlineMs, resolve);
    void work.then(() => {
      deadline.dispose();
      resolve();
    });
  });
}
