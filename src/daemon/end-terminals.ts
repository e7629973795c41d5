/**
 * Ends all terminals when the daemon shuts down: concurrently, each regardless of the others, and within a bound. Never
 * rejects: a shutdown always completes.
 */
import type { Core } from '../features/core.js';
import type { Terminal } from '../terminal/terminal.js';

type EndingCore = Pick<Core, 'log' | 'clock'> & { readonly terminals: { all(): readonly Terminal[] } };

/** The three steps of ending a session take at most one second each; this bound is for an overloaded machine. */
const DEADLINE_MS = 6000;

/**
 * @param remove ends a terminal and returns pids of processes that could not be ended
 * @returns these of all terminals
 */
export async function endTerminals(
  core: EndingCore,
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
  await withinDeadline(core, Promise.all(ended));
  for (const terminal of core.terminals.all()) {
    core.log.error(`terminal ${terminal.id} has not ended: shutting down anyway`);
    await attempt(terminal, () => terminal.killAtOnce());
  }
  return orphans;
}

function withinDeadline({ clock }: EndingCore, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const deadline = clock.after(DEADLINE_MS, resolve);
    void work.then(() => {
      deadline.dispose();
      resolve();
    });
  });
}
