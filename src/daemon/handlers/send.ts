import { T4aError } from '../../protocol/errors.js';
import { MAX_INPUT_BYTES } from '../../protocol/limits.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { takeTurn } from '../turn.js';

export const send =
  (daemon: Daemon): Handler<'send'> =>
  (params, call) => {
    const terminal = daemon.terminals.use(params.id);
    const bytes = inputBytes(params.input, params.input_base64);
    const input = params.input ?? '';
    return takeTurn(daemon, terminal, params, { input, act: () => terminal.write(bytes) }, call);
  };

function inputBytes(text: string | undefined, base64: string | undefined): Uint8Array {
  if ((text === undefined) === (base64 === undefined)) {
    throw new T4aError('invalid_field', 'Exactly one of "input" and "input_base64" is needed.', { field: 'input' });
  }
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_INPUT_BYTES) return bytes;
  throw new T4aError('invalid_field', `The input is ${bytes.length} bytes; at most ${MAX_INPUT_BYTES} go at once.`, {
    field: text === undefined ? 'input_base64' : 'input',
    hint: 'Send it in parts.',
  });
}
