import { describe, expect, test } from 'vitest';
import { interruptOfBytes, type Interrupt } from '../../../src/terminal/input/interrupts.js';
import type { InputSender } from '../../../src/terminal/input/input-gate.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';

const CTRL_C = new Uint8Array([3]);
const withCode = (code: string, message: string): Error =>
  expect.objectContaining({ code, message: expect.stringContaining(message) as string }) as Error;

function interruptOf(bytes: Uint8Array): Interrupt {
  const found = interruptOfBytes(bytes);
  if (found === undefined) throw new Error('it is no interrupt');
  return found;
}

/** Its program has printed `on`, and reads nothing. */
async function deaf(setting: string): Promise<Terminal> {
  const terminal = ownTerminal({ script: `stty -echo ${setting}; printf on; exec sleep 1000` });
  await untilShown(terminal, 'on');
  return terminal;
}

test('requests are written one after the other, each as a whole', async () => {
  const terminal = ownTerminal({ script: 'stty -echo; while read line; do printf "<$line>"; done' });
  const write = (text: string) => terminal.input.take(1, (writer) => writer.write(Buffer.from(text)));
  await Promise.all([
    terminal.input.take(1, async (writer) => {
      await writer.write(Buffer.from('a'));
      await writer.pause(0);
      await writer.write(Buffer.from('b\n'));
    }),
    write('c\n'),
  ]);
  await untilShown(terminal, '<ab><c>');
  expect(terminal.input.pendingBytes).toBe(0);
});

test('of the last 200 inputs of clients the sender and the length are kept', async () => {
  const terminal = ownTerminal({ script: 'stty -echo; exec cat >/dev/null' });
  const send = (bytes: Uint8Array, sender?: InputSender) =>
    terminal.input.take(1, (writer) => writer.write(bytes), sender);
  await send(Buffer.from('\n'));
  expect(terminal.input.sent).toEqual({ inputs: [], dropped: 0 });
  for (let n = 0; n < 201; n++) await send(Buffer.from('\n'), { cmd: 'send', as: `a${n}` });
  await send(Buffer.from('secret\n'), { cmd: 'type', secret: true });
  const { inputs, dropped } = terminal.input.sent;
  expect(dropped).toBe(2);
  expect(inputs).toHaveLength(200);
  expect(inputs[0]).toMatchObject({ as: 'a2', cmd: 'send', bytes: 1 });
  expect(inputs.at(-1)).toMatchObject({ as: null, cmd: 'type', bytes: null });
  // What was never written is no input.
  await expect(terminal.input.take(1, () => Promise.reject(new Error('no')), { cmd: 'type' })).rejects.toThrow('no');
  expect(terminal.input.sent.dropped).toBe(2);
});

describe('an interrupt', () => {
  test('reaches the program as its key', async () => {
    const terminal = ownTerminal({
      script: 'trap "printf int; exit 4" INT; stty -echo; printf on; while :; do sleep 0.01; done',
    });
    await untilShown(terminal, 'on');
    await terminal.input.interrupt(CTRL_C, interruptOf(CTRL_C));
    await terminal.exited();
    await untilShown(terminal, 'int');
    expect(terminal.exit.code).toBe(4);
  });

  test('overtakes pausing and waiting input, and no later input', async () => {
    const terminal = await deaf('-isig');
    const texts: string[] = [];
    // The clock of this terminal stands still.
    const pausing = terminal.input.take(1, (writer) => writer.pause(1000).then(() => texts.push('paused')));
    const waiting = terminal.input.take(1, async () => texts.push('waited'));
    const failures = [pausing, waiting].map((each) =>
      expect(each).rejects.toThrow(withCode('input_interrupted', 'no more of it was sent')),
    );
    await terminal.input.interrupt(CTRL_C, interruptOf(CTRL_C));
    await Promise.all(failures);
    await terminal.input.take(1, (writer) => writer.write(Buffer.from('x')));
    expect(texts).toEqual([]);
  });

  test('is refused for a program that has ended', async () => {
    const terminal = ownTerminal({ script: 'exit 0' });
    await terminal.exited();
    await expect(terminal.input.interrupt(CTRL_C, interruptOf(CTRL_C))).rejects.toThrow(
      withCode('terminal_exited', 'exited with code 0'),
    );
  });
});
