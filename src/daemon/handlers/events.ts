import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const events =
  (daemon: Daemon): Handler<'events'> =>
  (params, call) => {
    const terminal = params.terminal === undefined ? undefined : daemon.terminals.use(params.terminal, call).id;
    // Read before subscribing, in the same step: nothing can be published in between.
    const seq = daemon.bus.lastSeq;
    const stream = daemon.bus.subscribe({
      queueCapacity: daemon.config.event_queue,
      ...(terminal === undefined ? {} : { terminal }),
      ...(params.types === undefined ? {} : { types: params.types }),
      ...(params.since === undefined ? {} : { since: params.since }),
    });
    return params.ack ? { reply: { seq }, stream } : { stream };
  };
