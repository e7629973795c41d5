import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../terminal/terminal.js';

export const forget =
  (daemon: Daemon): Handler<'forget'> =>
  async ({ id, from, to }, call) => {
    const terminal = daemon.terminals.use(id, call);
    const { forget: forgetPast } = await import('../history/forget.js');
    const { first, last } = await forgetPast(terminal, { from, to });
    return { first, last, files: await filesOf(daemon, terminal, last.ts) };
  };

/** Recordings of the terminal that began before that time. */
async function filesOf(daemon: Daemon, { id, createdAtMs, recording }: Terminal, untilMs: number): Promise<string[]> {
  if (recording !== undefined) return [recording];
  const files = await (await daemon.recordings()).list();
  // Of whole seconds. An older one is of another terminal of that name.
  const sinceMs = Math.floor(createdAtMs / 1000) * 1000;
  const isOwn = (startedAt: number | null): boolean =>
    startedAt !== null && startedAt >= sinceMs && startedAt <= untilMs;
  return files.filter((file) => file.terminal === id && isOwn(file.started_at)).map(({ path }) => path);
}
