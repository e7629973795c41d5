import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { countOf, senderOf } from '../input/input-gate.js';
import { takeTurn } from '../turns/turn.js';

export const resize =
  (daemon: Daemon): Handler<'resize'> =>
  (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    const act = async () => {
      const inputs = terminal.input.countOther(senderOf(call, params));
      await terminal.resize(params.cols, params.rows);
      const { cols, rows, rev } = terminal.screen;
      return { cols, rows, rev, ...countOf(inputs, params) };
    };
    return takeTurn(daemon, terminal, params, { input: '', act }, call);
  };
