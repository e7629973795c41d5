/** Ctrl+C behind input that is stuck, at each moment of the requests before it. */
import { expect, test, vi } from 'vitest';
import { InputLine } from '../../src/tty/input-line.js';

interface Sent {
  readonly bytes: string;
  readonly done: () => void;
}

function line(): { input: InputLine; sent: Sent[]; interrupts: string[] } {
  const sent: Sent[] = [];
  const interrupts: string[] = [];
  const input = new InputLine({
    send: (bytes) => new Promise<void>((done) => void sent.push({ bytes: bytes.toString('latin1'), done })),
    interrupt: async (bytes) => void interrupts.push(bytes.toString('latin1')),
    act: async () => {},
    onError(error) {
      throw error;
    },
  });
  return { input, sent, interrupts };
}

test('the request before it ends, and the one that has it is stuck: it overtakes', async () => {
  vi.useFakeTimers();
  try {
    const { input, sent, interrupts } = line();
    input.push('one');
    input.push('two');
    input.push('\x03');
    await vi.advanceTimersByTimeAsync(400);
    sent[0]?.done();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.map(({ bytes }) => bytes)).toEqual(['one', 'two\x03']);
    expect(interrupts).toEqual([]);
    await vi.advanceTimersByTimeAsync(600);
    expect(interrupts).toEqual(['\x03']);
  } finally {
    vi.useRealTimers();
  }
});

test('what reaches the program in its turn overtakes nothing afterwards', async () => {
  vi.useFakeTimers();
  try {
    const { input, sent, interrupts } = line();
    input.push('one');
    input.push('\x03');
    sent[0]?.done();
    await vi.advanceTimersByTimeAsync(0);
    sent[1]?.done();
    await vi.advanceTimersByTimeAsync(0);
    input.push('two');
    await vi.advanceTimersByTimeAsync(5000);
    expect(sent.map(({ bytes }) => bytes)).toEqual(['one', '\x03', 'two']);
    expect(interrupts).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
