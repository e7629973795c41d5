import type { Handler } from '../../rpc/service.js';
import type { Core } from '../core.js';

export const marker =
  (core: Core): Handler<'marker'> =>
  async ({ id, label }, call) => {
    const terminal = core.terminals.use(id, call);
    await terminal.settle();
    terminal.publish({ event: 'marker', terminal: terminal.id, label });
    return { seq: core.bus.lastSeq };
  };
