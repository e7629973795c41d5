import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { encodeTyped } from '../keyboard.js';
import { pressEnter } from '../submit.js';

export const type =
  (daemon: Daemon): Handler<'type'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    return terminal.input.take(params.text.length, async (turn) => {
      await terminal.settleForInput();
      const bytes = Buffer.from(encodeTyped(params.text, terminal.screen.modes), 'utf8');
      await turn.write(bytes);
      return { bytes: bytes.length + (params.submit ? await pressEnter(terminal, turn) : 0) };
    });
  };
