import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const resize =
  (daemon: Daemon): Handler<'resize'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.resize(params.cols, params.rows);
    const { cols, rows, rev } = terminal.screen;
    return { cols, rows, rev };
  };
