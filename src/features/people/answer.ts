import { T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import type { Core } from '../core.js';
import { encodeTyped } from '../../terminal/input/keyboard.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import type { Terminal } from '../../terminal/terminal.js';
import { mustBeHidden, writeSecret } from '../acting/secret.js';
import { enterKey } from '../acting/submit.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import { readAnswer } from './answers.js';
import { follow } from './ask.js';
import type { Ask, Asks } from './asks.js';

export const answer =
  (core: Core, asks: Asks): Handler<'answer'> =>
  async (params, call) => {
    const by = call.as ?? null;
    if (params.undo) return undone(core, asks, params, by);
    const asked = asks.findOpen(params.ask);
    const { number, kind } = asked;
    const { note } = params;
    if (params.even_if_shown && kind !== 'secret') throw notSecret(number);
    if (params.decline) {
      if (params.text !== undefined) throw declinedWithText();
      asks.end(asked, { outcome: 'declined', by, note });
      return { ask: number, outcome: 'declined', undo_ms: asks.undoMs(asked) };
    }
    const given = readAnswer(asked, params.text);
    if (kind !== 'secret') {
      asks.end(asked, { outcome: 'answered', by, note, answer: given });
      return { ask: number, outcome: 'answered', undo_ms: asks.undoMs(asked) };
    }
    asked.isBeingAnswered = true;
    try {
      await typeSecret(core, asked, String(given), params, call);
    } finally {
      asked.isBeingAnswered = false;
    }
    asks.end(asked, { outcome: 'answered', by, note });
    return { ask: number, outcome: 'answered', undo_ms: 0 };
  };

/** @throws T4aError ask_not_found, invalid_field */
function undone(
  core: Core,
  asks: Asks,
  { ask: number, text, decline }: Params<'answer'>,
  by: string | null,
): Reply<'answer'> {
  if (text !== undefined || decline)
    throw new T4aError('invalid_field', 'Give an answer or "undo", not both.', { field: 'undo' });
  const asked = asks.reopen(number, by);
  const terminal = asked.terminal === undefined ? undefined : core.terminals.peek(asked.terminal);
  if (terminal !== undefined) follow(asks, asked, terminal);
  else if (asked.terminal !== undefined) asks.end(asked, { outcome: 'exited', by: null });
  return { ask: number, outcome: 'open', undo_ms: 0 };
}

/** @throws T4aError would_echo, terminal_exited, and the errors of input */
async function typeSecret(
  core: Core,
  { terminal: id = '', foregroundGroup, submit, number }: Ask,
  text: string,
  { even_if_shown: evenIfShown }: Params<'answer'>,
  call: Call,
): Promise<void> {
  const terminal = core.terminals.find(id, {});
  const isGuarded = mustBeHidden({ secret: true, even_if_shown: evenIfShown }, Buffer.from(text, 'utf8'), 'text');
  const write = async (writer: InputWriter): Promise<void> => {
    await terminal.settleForInput();
    const enter = submit ? enterKey(terminal) : new Uint8Array();
    const bytes = Buffer.concat([Buffer.from(encodeTyped(text, inputModes(terminal)), 'utf8'), enter]);
    if (!isGuarded) return writer.write(bytes);
    assertSameProgram(terminal, foregroundGroup, number);
    const checked: InputWriter = {
      pause: (ms) => writer.pause(ms),
      inputs: () => writer.inputs(),
      write: (checkedBytes) => {
        // In the step of the write: the program may have changed while it was waited for.
        assertSameProgram(terminal, foregroundGroup, number);
        return writer.write(checkedBytes);
      },
    };
    const { clock } = core;
    await writeSecret({ terminal, clock, bytes, signal: call.signal, writer: checked });
  };
  const sender = { cmd: call.cmd, as: call.as, connection: call.connection, secret: true, isAnswer: true };
  await terminal.input.take(text.length, write, sender);
}

/** @throws T4aError would_echo */
function assertSameProgram(terminal: Terminal, foregroundGroup: number | undefined, number: number): void {
  if (terminal.foregroundGroup === foregroundGroup) return;
  const message = `Another program than at question ${number} is in the foreground of terminal "${terminal.id}": the secret was not written.`;
  throw new T4aError('would_echo', message, {
    hint: 'Look at the terminal. A person who has checked the prompt may add --even-if-shown.',
  });
}

function notSecret(number: number): T4aError {
  return new T4aError('invalid_field', `"even_if_shown" goes with a secret, and question ${number} is none.`, {
    field: 'even_if_shown',
  });
}

function declinedWithText(): T4aError {
  return new T4aError('invalid_field', 'Give a "text" or "decline", not both.', { field: 'decline' });
}
