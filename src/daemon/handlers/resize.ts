import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { takeTurn } from '../turns/turn.js';

export const resize =
  (daemon: Daemon): Handler<'resize'> =>
  (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    const act = async () => {
      await terminal.resize(params.cols, params.rows);
      const { cols, rows, rev } = terminal.screen;
      return { cols, rows, rev };
    };
    return takeTurn(daemon, terminal, params, { input: '', act }, call);
  };
