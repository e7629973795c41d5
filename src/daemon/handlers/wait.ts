import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { waitAndObserve } from '../turns/turn.js';

export const wait =
  (daemon: Daemon): Handler<'wait'> =>
  async ({ id, observe, ...params }, call) => {
    const terminal = daemon.terminals.use(id, call);
    const { wait: outcome, reply, bytes } = await waitAndObserve(daemon, terminal, params, observe, call);
    const { wait: _, ...observed } = reply;
    return { reply: { ...outcome, ...observed }, ...(bytes === undefined ? {} : { bytes }) };
  };
