import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const cursor =
  (daemon: Daemon): Handler<'cursor'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    const { cursor: at, rev } = terminal.snapshot();
    return { row: at.row, col: at.col, visible: at.visible, shape: at.shape, blink: at.blink, rev };
  };
