import { expect, test } from 'vitest';
import { interruptOfBytes, interruptOfKey } from '../../../src/terminal/input/interrupts.js';
import { parseKey } from '../../../src/vt/keys/parse-key.js';

test.each([
  ['Ctrl+C', 0x03, 'intr', 'SIGINT'],
  ['Ctrl+\\', 0x1c, 'quit', 'SIGQUIT'],
  ['Ctrl+Z', 0x1a, 'susp', 'SIGTSTP'],
])('%s is an interrupt, as a key and as its byte', (key, byte, character, signal) => {
  expect(interruptOfKey(parseKey(key))).toMatchObject({ byte, character, signal });
  expect(interruptOfBytes(Uint8Array.of(byte))).toMatchObject({ byte, character, signal });
});

test.each(['c', 'Alt+Ctrl+C', 'Ctrl+D', 'Enter'])('%s is none', (key) => {
  expect(interruptOfKey(parseKey(key))).toBeUndefined();
});

test('bytes are an interrupt only if they stand alone', () => {
  expect(interruptOfKey(undefined)).toBeUndefined();
  for (const bytes of [[], [0x03, 0x03], [0x61, 0x03], [0x04]]) {
    expect(interruptOfBytes(Uint8Array.from(bytes))).toBeUndefined();
  }
});
