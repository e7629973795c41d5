import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { takeInputTurn } from '../input-turn.js';
import { encodeTyped } from '../keyboard.js';
import { beginText } from '../submit.js';
import type { InputWriter } from '../terminal-input.js';

export const type =
  (daemon: Daemon): Handler<'type'> =>
  (params, call) => {
    const terminal = daemon.terminals.use(params.id);
    const input = {
      echo: params.secret ? '' : params.text,
      bytes: params.text.length,
      begin: async (writer: InputWriter) => {
        await terminal.settleForInput();
        const bytes = Buffer.from(encodeTyped(params.text, terminal.screen.modes), 'utf8');
        return beginText(terminal, writer, () => writer.write(bytes), { bytes_sent: bytes.length }, params.submit);
      },
    };
    return takeInputTurn(daemon, terminal, params, input, call);
  };
