import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { canProbeInput } from '../../../src/terminal/system/proc/input-probe.js';
import { beginSecret, mustBeHidden, writeSecret } from '../../../src/features/acting/secret.js';
import { beginText, enterKey } from '../../../src/features/acting/submit.js';
import type { InputWriter } from '../../../src/terminal/input/terminal-input.js';
import { ownTerminal, print, untilShown } from '../../support/own-terminal.js';

const NEVER = new AbortController().signal;
const BEGUN = { clock: new FakeClock(), signal: NEVER };
const withCode = (code: string, field?: string): Error =>
  expect.objectContaining({
    code,
    ...(field === undefined ? {} : { details: expect.objectContaining({ field }) as object }),
  }) as Error;

/** Notes down what is done with it. */
function noted(onPause: (ms: number) => void = () => {}) {
  const done: (string | number)[] = [];
  const writer: InputWriter = {
    write: async (bytes) => void done.push(Buffer.from(bytes).toString()),
    pause: async (ms) => {
      done.push(ms);
      onPause(ms);
      await turn();
    },
    inputs: () => 1,
  };
  return { done, writer };
}

describe('a text and its Enter', () => {
  test('are two writes with a pause between; the second one is returned', async () => {
    const terminal = ownTerminal();
    const { done, writer } = noted();
    const bytes = Buffer.from('text');
    const text = { bytes, write: () => writer.write(bytes), facts: { bytes_sent: 4, more: true } };
    const finish = await beginText({ ...BEGUN, terminal, writer, submit: true }, text);
    const pauses = done.filter((each) => typeof each === 'number');
    // The terminal's own program may read something of its own after some of the looks, 14 ms in all: the gap begins then.
    const gap = pauses.at(-1) ?? 0;
    const looks = pauses.slice(0, -1);
    const waited = looks.reduce((sum, ms) => sum + ms, 0);
    expect([2, 4, 8].slice(0, looks.length)).toEqual(looks);
    expect([150, 150 - waited]).toContain(gap);
    expect(done).toEqual(['text', ...pauses]);
    expect(await finish()).toEqual({ bytes_sent: 5, more: true });
    expect(done).toEqual(['text', ...pauses, '\r']);
  });

  test('are one returned write without Enter', async () => {
    const terminal = ownTerminal();
    const { done, writer } = noted();
    const bytes = Buffer.from('x');
    const text = { bytes, write: () => writer.write(bytes), facts: { bytes_sent: 1 } };
    const finish = await beginText({ ...BEGUN, terminal, writer, submit: false }, text);
    expect(done).toEqual([]);
    expect(await finish()).toEqual({ bytes_sent: 1 });
    expect(done).toEqual(['x']);
  });

  test('use the Enter that the program has requested', async () => {
    const terminal = ownTerminal();
    expect(Buffer.from(enterKey(terminal)).toString()).toBe('\r');
    await print(terminal, '\x1b[>8u');
    expect(Buffer.from(enterKey(terminal)).toString()).toBe('\x1b[13u');
  });
});

describe('the check of hidden input', () => {
  test.each([
    [{ secret: false, even_if_shown: false }, false],
    [{ secret: true, even_if_shown: false }, true],
    [{ secret: true, even_if_shown: true }, false],
  ])('%j: %j', (fields, expected) => {
    expect(mustBeHidden(fields, Buffer.from('x'), 'text')).toBe(expected);
  });

  test('applies to secrets: other text is written in any case', () => {
    const fields = { secret: false, even_if_shown: true };
    expect(() => mustBeHidden(fields, Buffer.from('x'), 'text')).toThrow(withCode('invalid_field', 'even_if_shown'));
  });

  const hidden = (text: string) => () =>
    mustBeHidden({ secret: true, even_if_shown: false }, Buffer.from(text), 'text');

  test.each(['', 'a\tb', 'é', 'x\r', 'x\n', 'x\r\n', ' ', '~'])('is one line: %j', (text) => {
    expect(hidden(text)()).toBe(true);
  });

  test.each(['a\nb', 'a\rb', 'x\n\n', 'x\n\r', '\x03', '\x00', '\x08', '\x0b', '\x1f', '\x7f'])(
    'is no more than one line: %j',
    (text) => {
      expect(hidden(text)).toThrow(withCode('invalid_field', 'text'));
    },
  );

  test('refuses more than the kernel keeps of a line', () => {
    expect(hidden('x'.repeat(4095))()).toBe(true);
    expect(hidden(`${'x'.repeat(4095)}\r`)()).toBe(true);
    expect(hidden('x'.repeat(4096))).toThrow(withCode('invalid_field', 'text'));
  });

  test('names the problem', () => {
    expect(hidden('a\nb')).toThrow('holds control keys');
    expect(hidden('é'.repeat(2048))).toThrow('is 4096 bytes');
  });
});

describe.runIf(canProbeInput)('a secret', () => {
  const bytes = Buffer.from('geheim');

  test('is written, with its Enter, once a program reads a line without echo', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script: 'stty -echo; read line; echo "read $line"; exec sleep 1000' });
    const { done, writer } = noted();
    const finish = await beginSecret({ terminal, clock, writer, bytes, signal: NEVER }, { bytes_sent: 6 }, true);
    expect(done).toEqual([]);
    expect(await finish()).toEqual({ bytes_sent: 7 });
    expect(done.filter((each) => typeof each === 'string')).toEqual(['geheim\r']);
  });

  test('is written without Enter on request', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script: 'stty -echo; read line' });
    const { done, writer } = noted();
    const finish = await beginSecret({ terminal, clock, writer, bytes, signal: NEVER }, { bytes_sent: 6 }, false);
    expect(await finish()).toEqual({ bytes_sent: 6 });
    expect(done.at(-1)).toBe('geheim');
  });

  test.each([
    ['shows it', 'read line', 'In terminal "t1" "sh" shows what is typed'],
    [
      'draws what it likes',
      'stty -echo -icanon; read line',
      'It is unknown whether "sh" in terminal "t1" shows what is typed',
    ],
  ])('is not written to a program that %s', async (_, script, message) => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script });
    const { done, writer } = noted();
    const writing = writeSecret({ terminal, clock, writer, bytes, signal: NEVER });
    await expect(writing).rejects.toThrow(`${message}: the secret was not written.`);
    await expect(writing).rejects.toThrow(withCode('would_echo'));
    expect(done.filter((each) => typeof each === 'string')).toEqual([]);
  });

  test('is not written if no program reads within the time limit', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script: 'stty -echo; printf on; exec sleep 1000' });
    await untilShown(terminal, 'on');
    const { done, writer } = noted((ms) => clock.advance(ms));
    const writing = writeSecret({ terminal, clock, writer, bytes, signal: NEVER });
    await expect(writing).rejects.toThrow('No program in terminal "t1" reads a line now');
    expect(done).toEqual(Array.from({ length: 34 }, () => 30));
  });

  test('is not written after the program or the caller has gone', async () => {
    const clock = new FakeClock();
    const terminal = ownTerminal({ clock, script: 'exit 0' });
    await terminal.exited();
    const { done, writer } = noted();
    await expect(writeSecret({ terminal, clock, writer, bytes, signal: NEVER })).rejects.toThrow(
      withCode('terminal_exited'),
    );
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(writeSecret({ terminal, clock, writer, bytes, signal })).rejects.toThrow('gone');
    expect(done).toEqual([]);
  });
});
