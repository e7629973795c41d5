import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const exportPast =
  (daemon: Daemon): Handler<'export'> =>
  async ({ id, from, to, format, title }, call) => {
    const terminal = daemon.terminals.use(id, call);
    const { pastCast } = await import('../history/past-cast.js');
    const version = format === 'asciicast-v2' ? 2 : 3;
    const { chunks, cols, rows, durationMs, first, last } = await pastCast(
      terminal,
      { from, to, version, title },
      call.signal,
    );
    const reply = { format, cols, rows, duration_ms: Math.round(durationMs), first, last };
    return { reply, bytes: chunks };
  };
