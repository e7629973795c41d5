import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import { encodePaste } from '../../vt/paste.js';
import { inputBytes } from '../../terminal/input/bytes.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { takeInputTurn } from './input-turn.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import { beginSecret, mustBeHidden } from './secret.js';
import { beginText } from './submit.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { inputModes } from '../../terminal/input/input-modes.js';

export const paste =
  (core: LookingCore): Handler<'paste'> =>
  (params, call) => {
    const given = inputBytes({ text: params.text, text_base64: params.text_base64 });
    const text = decodeUtf8(given);
    const isGuarded = mustBeHidden(params, given, params.text === undefined ? 'text_base64' : 'text');
    const terminal = core.terminals.use(params.id, call);
    const input = {
      echo: params.secret ? '' : text,
      secret: params.secret,
      bytes: given.length,
      begin: async (writer: InputWriter) => {
        await terminal.settleForInput();
        const { open, body, close, removed } = encodePaste(text, inputModes(terminal));
        const bytes = Buffer.from(open + body + close, 'utf8');
        const facts = { bytes_sent: bytes.length, bracketed: open !== '', removed };
        const how = { terminal, writer, submit: params.submit, clock: core.clock, signal: call.signal };
        if (isGuarded) return beginSecret({ ...how, bytes }, facts, params.submit);
        await assertLinesFit(terminal, bytes, params.text === undefined ? 'text_base64' : 'text');
        const write = () => writer.write(bytes, { openBytes: open.length, closeBytes: close.length });
        return beginText(how, { bytes, write, facts });
      },
    };
    return takeInputTurn(core, terminal, params, input, call);
  };

/** @throws T4aError invalid_utf8 */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new T4aError('invalid_utf8', `The ${bytes.length} bytes to paste are not UTF-8.`, {
      field: 'text_base64',
      hint: 'Paste text, or "send" the bytes as "input_base64".',
    });
  }
}
