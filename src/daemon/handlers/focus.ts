import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import { encodeFocus } from '../../vt/mouse/encode-focus.js';
import type { Daemon } from '../daemon.js';

export const focus =
  (daemon: Daemon): Handler<'focus'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.input.take(0, async (turn) => {
      await terminal.settleForInput();
      const report = encodeFocus(params.focused, terminal.screen.modes);
      if (report === undefined) {
        throw new T4aError('focus_off', `The program in terminal "${terminal.id}" has not asked for focus events.`, {
          hint: `t4a status ${terminal.id} shows the modes that it has set.`,
        });
      }
      await turn.write(Buffer.from(report, 'latin1'));
    });
    return {};
  };
