import type { Handler } from '../../rpc/service.js';
import { admitAct } from '../control/admitted-act.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../terminal/terminal.js';

export const forget =
  (daemon: Daemon): Handler<'forget'> =>
  async ({ id, from, to, force }, call) => {
    const terminal = daemon.terminals.use(id, call);
    admitAct(daemon.terminals, [terminal], force, call);
    const { forget: forgetPast } = await import('../history/forget.js');
    const { first, last } = await forgetPast(terminal, { from, to });
    const watch = daemon.usesRules ? (await daemon.activity()).of(terminal) : undefined;
    watch?.log.forget(first, last);
    const files = await recordingsOf(daemon, terminal, last.ts);
    return { first, last, files: watch?.file === undefined ? files : [...files, watch.file.path] };
  };

/** Those that began before that time. */
async function recordingsOf(
  daemon: Daemon,
  { id, createdAtMs, recording }: Terminal,
  untilMs: number,
): Promise<string[]> {
  if (recording !== undefined) return [recording];
  const files = await (await daemon.recordings()).list();
  // Of whole seconds. An older one is of another terminal of that name.
  const sinceMs = Math.floor(createdAtMs / 1000) * 1000;
  const isOwn = (startedAt: number | null): boolean =>
    startedAt !== null && startedAt >= sinceMs && startedAt <= untilMs;
  return files.filter((file) => file.terminal === id && isOwn(file.started_at)).map(({ path }) => path);
}
