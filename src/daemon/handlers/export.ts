import type { CallConnection, Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const exportPast = (daemon: Daemon): Handler<'export'> => {
  /** Of each connection one at a time: what is exported is in memory until the client has read it. */
  const last = new WeakMap<CallConnection, Promise<void>>();
  return async ({ id, from, to, format, title }, call) => {
    const terminal = daemon.terminals.use(id, call);
    const { pastCast } = await import('../history/past-cast.js');
    const version = format === 'asciicast-v2' ? 2 : 3;
    const exported = (last.get(call.connection) ?? Promise.resolve()).then(async () => {
      await call.caughtUp();
      call.signal.throwIfAborted();
      return pastCast(terminal, { from, to, version, title }, call.signal);
    });
    // Without its result, which may be large.
    const ended = exported.then(
      () => {},
      () => {},
    );
    last.set(call.connection, ended);
    const { chunks, cols, rows, durationMs, first, last: end } = await exported;
    const reply = { format, cols, rows, duration_ms: Math.round(durationMs), first, last: end };
    return { reply, bytes: chunks };
  };
};
