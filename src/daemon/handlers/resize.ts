import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { takeTurn } from '../turn.js';

export const resize =
  (daemon: Daemon): Handler<'resize'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id);
    const act = () => terminal.resize(params.cols, params.rows);
    const { reply, bytes } = await takeTurn(daemon, terminal, params, { input: '', act }, call);
    const { cols, rows, rev } = terminal.screen;
    return { reply: { cols, rows, rev, ...reply }, ...(bytes === undefined ? {} : { bytes }) };
  };
