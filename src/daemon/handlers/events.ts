import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Where } from '../../protocol/labels.js';
import type { Core } from '../../features/core.js';
import { terminalTest } from '../../terminal/where.js';

export const events =
  (core: Core): Handler<'events'> =>
  (params, call) => {
    if (params.shared && call.req === undefined) throw unnamedStream();
    const terminal = params.terminal === undefined ? undefined : core.terminals.use(params.terminal, call).id;
    const where = params.where === undefined ? undefined : meantBy(core, params.where);
    // Read before subscribing, in the same step: nothing can be published in between.
    const seq = core.bus.lastSeq;
    const stream = core.bus.subscribe({
      queueCapacity: core.config.event_queue,
      ...(terminal === undefined ? {} : { terminal }),
      ...(where === undefined ? {} : { isMeant: where }),
      ...(params.types === undefined ? {} : { types: params.types }),
      ...(params.since === undefined ? {} : { since: params.since }),
    });
    if (params.shared) return { reply: { seq }, stream, shared: true };
    return params.ack ? { reply: { seq }, stream } : { stream };
  };

/** A terminal that has gone counts by what was last true of it: its last event comes after its removal. */
function meantBy({ terminals }: Core, where: Where): (id: string) => boolean {
  const test = terminalTest(where);
  const last = new Set<string>();
  return (id) => {
    const terminal = terminals.peek(id);
    if (terminal === undefined) return last.delete(id);
    if (test(terminal)) return !!last.add(id);
    last.delete(id);
    return false;
  };
}

function unnamedStream(): T4aError {
  return new T4aError('invalid_field', '"shared" needs a "req": the lines of the stream carry it.', {
    field: 'shared',
    hint: 'For example "req": 1.',
  });
}
