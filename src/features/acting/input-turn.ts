/**
 * Input as the act of a turn. It may take several writes with pauses between (text, then Enter): then the wait is armed
 * before the last one, since the screen may settle in a pause. The queue is left as soon as all is written, so that
 * other requests may send input while this one waits.
 */
import type { Call } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { countOf, type InputConditions, senderOf } from '../../terminal/input/input-gate.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import type { Terminal } from '../../terminal/terminal.js';
import { Turn, type TurnAnswer, type TurnParams } from '../reading/turn.js';

export interface TypedInput<Facts extends object> {
  /** Text that the program may echo; empty for a secret. */
  readonly echo: string;
  /** Not even its length is kept. */
  readonly secret?: boolean;
  /** See InputSender. */
  readonly isRest?: boolean;
  /** Estimate of the memory that it holds while it waits in the queue. */
  readonly bytes: number;
  /** Text of `progress` in InputSender. */
  readonly progress?: () => string;
  /** Writes all but the last piece, and resolves with a function that writes the last one. */
  readonly begin: (writer: InputWriter) => Promise<() => Promise<Facts>>;
}

export async function takeInputTurn<Facts extends object>(
  core: LookingCore,
  terminal: Terminal,
  params: TurnParams & InputConditions,
  { echo, bytes, secret = false, isRest = false, progress, begin }: TypedInput<Facts>,
  call: Call,
): Promise<TurnAnswer<Facts>> {
  const turn = new Turn(core, terminal, params, call);
  const write = async (writer: InputWriter) => {
    const finish = await begin(writer);
    return turn.act(echo, async () => ({ ...(await finish()), ...countOf(writer.inputs(), params) }));
  };
  const sender = {
    ...senderOf(call, params, secret),
    ...(isRest ? { isRest } : {}),
    ...(progress === undefined ? {} : { progress }),
  };
  return turn.answer(await terminal.input.take(bytes, write, sender));
}
