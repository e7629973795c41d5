import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { inputBytes } from '../input/bytes.js';
import { interruptOfBytes } from '../input/interrupts.js';
import { mustBeHidden, writeSecret } from '../turns/secret.js';
import { takeTurn } from '../turns/turn.js';

export const send =
  (daemon: Daemon): Handler<'send'> =>
  (params, call) => {
    const bytes = inputBytes({ input: params.input, input_base64: params.input_base64 });
    const isGuarded = mustBeHidden(params, bytes, params.input === undefined ? 'input_base64' : 'input');
    const terminal = daemon.terminals.use(params.id, call);
    const interrupt = interruptOfBytes(bytes);
    const sender = { as: call.as, cmd: call.cmd, secret: params.secret };
    const act = async () => {
      if (isGuarded) {
        const { clock } = daemon.options;
        const secret = { terminal, clock, bytes, signal: call.signal };
        await terminal.input.take(bytes.length, (writer) => writeSecret({ ...secret, writer }), sender);
      } else if (interrupt === undefined) await terminal.input.take(bytes.length, (turn) => turn.write(bytes), sender);
      else await terminal.input.interrupt(bytes, interrupt, sender);
      return {};
    };
    return takeTurn(daemon, terminal, params, { input: params.secret ? '' : (params.input ?? ''), act }, call);
  };
