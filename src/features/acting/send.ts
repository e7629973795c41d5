import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { inputBytes } from '../../terminal/input/bytes.js';
import { countOf, senderOf } from '../../terminal/input/input-gate.js';
import { interruptOfBytes } from '../../terminal/input/interrupts.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import { mustBeHidden, writeSecret } from './secret.js';
import { takeTurn } from '../reading/turn.js';

export const send =
  (core: LookingCore): Handler<'send'> =>
  (params, call) => {
    const bytes = inputBytes({ input: params.input, input_base64: params.input_base64 });
    const field = params.input === undefined ? 'input_base64' : 'input';
    const isGuarded = mustBeHidden(params, bytes, field);
    const terminal = core.terminals.use(params.id, call);
    const interrupt = interruptOfBytes(bytes);
    const sender = senderOf(call, params, params.secret);
    const write = async (writer: InputWriter) => {
      const { clock } = core;
      if (isGuarded) await writeSecret({ terminal, clock, bytes, signal: call.signal, writer });
      else {
        await assertLinesFit(terminal, bytes, field);
        await writer.write(bytes);
      }
      return writer.inputs();
    };
    const act = async () => {
      const inputs = await (isGuarded || interrupt === undefined
        ? terminal.input.take(bytes.length, write, sender)
        : terminal.input.interrupt(bytes, interrupt, sender));
      return countOf(inputs, params);
    };
    return takeTurn(core, terminal, params, { input: params.secret ? '' : (params.input ?? ''), act }, call);
  };
