import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { inputBytes } from '../input-bytes.js';
import { interruptOfBytes } from '../interrupts.js';

export const send =
  (daemon: Daemon): Handler<'send'> =>
  async (params) => {
    const bytes = inputBytes({ input: params.input, input_base64: params.input_base64 });
    const { input } = daemon.terminals.use(params.id);
    const interrupt = interruptOfBytes(bytes);
    if (interrupt !== undefined) await input.interrupt(bytes, interrupt);
    else await input.take(bytes.length, (turn) => turn.write(bytes));
    return {};
  };
