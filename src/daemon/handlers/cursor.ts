import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const cursor =
  (daemon: Daemon): Handler<'cursor'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    const { row, col, visible, shape, blink } = terminal.screen.cursor;
    return { row, col, visible, shape, blink, rev: terminal.screen.rev };
  };
