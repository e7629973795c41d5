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
import { takeTurn, type TurnAnswer, type TurnParams } from '../reading/turn.js';

export interface TypedInput<Facts extends object> {
  /** Text that the program may echo; empty for a secret. */
  readonly echo: string;
  /** Not even its length is kept. */
  readonly secret?: boolean;
  /** See InputSender. */
  readonly isRest?: boolean;
  /** Estimate of the memory that it holds while it waits in the queue. */
  readonly bytes: number;
  /** Writes all but the last piece, and resolves with a function that writes the last one. */
  readonly begin: (writer: InputWriter) => Promise<() => Promise<Facts>>;
}

export async function takeInputTurn<Facts extends object>(
  core: LookingCore,
  terminal: Terminal,
  params: TurnParams & InputConditions,
  { echo, bytes, secret = false, isRest = false, begin }: TypedInput<Facts>,
  call: Call,
): Promise<TurnAnswer<Facts>> {
  // In an object, so that only the writing is awaited here, and not the turn.
  const write = async (writer: InputWriter) => {
    const finish = await begin(writer);
    let tellWritten: (() => void) | undefined;
    const untilWritten = new Promise<void>((resolve) => {
      tellWritten = resolve;
    });
    const act = async () => {
      try {
        return { ...(await finish()), ...countOf(writer.inputs(), params) };
      } finally {
        tellWritten?.();
      }
    };
    const turn = takeTurn(core, terminal, params, { input: echo, act }, call);
    await Promise.race([untilWritten, turn]);
    return { turn };
  };
  const sender = senderOf(call, params, secret);
  const { turn } = await terminal.input.take(bytes, write, isRest ? { ...sender, isRest } : sender);
  return turn;
}
