import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { takeInputTurn } from './input-turn.js';
import { encodeTyped } from '../../terminal/input/keyboard.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import { beginSecret, mustBeHidden } from './secret.js';
import { beginText } from './submit.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { inputModes } from '../../terminal/input/input-modes.js';

/** A line break that is not the end of the text. */
const LINE_BREAK_WITHIN = /[\r\n]+[^\r\n]/u;
const TAKES_PASTES =
  'Each line break of the text was sent as the key Enter. This program takes a text of several lines as one if it is sent with "paste".';

export const type =
  (core: LookingCore): Handler<'type'> =>
  (params, call) => {
    const { text, submit } = params;
    const isGuarded = mustBeHidden(params, Buffer.from(text, 'utf8'), 'text');
    const terminal = core.terminals.use(params.id, call);
    const input = {
      echo: params.secret ? '' : text,
      secret: params.secret,
      bytes: text.length,
      begin: async (writer: InputWriter) => {
        await terminal.settleForInput();
        const modes = inputModes(terminal);
        const bytes = Buffer.from(encodeTyped(text, modes), 'utf8');
        const facts = { bytes_sent: bytes.length };
        const how = { terminal, writer, submit, clock: core.clock, signal: call.signal };
        if (!isGuarded) {
          await assertLinesFit(terminal, bytes, 'text');
          const told =
            modes.bracketedPaste && LINE_BREAK_WITHIN.test(text) ? { ...facts, warning: TAKES_PASTES } : facts;
          return beginText(how, { bytes, write: () => writer.write(bytes), facts: told });
        }
        return beginSecret({ ...how, bytes }, facts, submit);
      },
    };
    return takeInputTurn(core, terminal, params, input, call);
  };
