import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import { encodeFocus } from '../../vt/mouse/encode-focus.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { takeInputTurn } from './input-turn.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { inputModes } from '../../terminal/input/input-modes.js';

export const focus =
  (core: LookingCore): Handler<'focus'> =>
  (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    const begin = async (writer: InputWriter) => {
      await terminal.settleForInput();
      const report = encodeFocus(params.focused, inputModes(terminal));
      if (report === undefined) {
        throw new T4aError('focus_off', `The program in terminal "${terminal.id}" has not asked for focus events.`, {
          hint: `The modes that it has set: t4a status ${terminal.id}`,
        });
      }
      return async () => {
        await writer.write(Buffer.from(report, 'latin1'));
        return {};
      };
    };
    return takeInputTurn(core, terminal, params, { echo: '', bytes: 0, begin }, call);
  };
