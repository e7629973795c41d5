import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const events =
  (daemon: Daemon): Handler<'events'> =>
  (params, { req }) => {
    if (params.shared && req === undefined) throw unnamedStream();
    const terminal = params.terminal === undefined ? undefined : daemon.terminals.use(params.terminal).id;
    // Read before subscribing, in the same step: nothing can be published in between.
    const seq = daemon.bus.lastSeq;
    const stream = daemon.bus.subscribe({
      queueCapacity: daemon.config.event_queue,
      ...(terminal === undefined ? {} : { terminal }),
      ...(params.types === undefined ? {} : { types: params.types }),
      ...(params.since === undefined ? {} : { since: params.since }),
    });
    if (params.shared) return { reply: { seq }, stream, shared: true };
    return params.ack ? { reply: { seq }, stream } : { stream };
  };

function unnamedStream(): T4aError {
  return new T4aError('invalid_field', '"shared" needs a "req": the lines of the stream carry it.', {
    field: 'shared',
    hint: 'For example "req": 1.',
  });
}
