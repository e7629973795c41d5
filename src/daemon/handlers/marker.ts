import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const marker =
  (daemon: Daemon): Handler<'marker'> =>
  async ({ id, label }, call) => {
    const terminal = daemon.terminals.use(id, call);
    await terminal.settle();
    terminal.publish({ event: 'marker', terminal: terminal.id, label });
    return { seq: daemon.bus.lastSeq };
  };
