import { describe, expect, test } from 'vitest';
import { checkSendable, encodeTyped, parseKeys } from '../../../src/terminal/input/keyboard.js';
import { T4aError } from '../../../src/protocol/errors.js';
import { DEFAULT_INPUT_MODES } from '../../../src/vt/input-modes.js';

function refusal(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof T4aError) return { code: error.code, message: error.message, ...error.details };
    throw error;
  }
  return undefined;
}

describe('names of keys', () => {
  test('are parsed in order', () => {
    expect(parseKeys(['a', 'Ctrl+X', 'Enter'], 'keys').map(({ key }) => key)).toEqual(['a', 'x', 'Enter']);
  });

  test('that are unknown are refused with the nearest name, and with their index in a list', () => {
    expect(refusal(() => parseKeys(['Entre'], 'keys'))).toMatchObject({
      code: 'unknown_key',
      field: 'keys',
      closest: 'Enter',
      hint: expect.stringMatching(/^Did you mean "Enter"/) as string,
    });
    expect(refusal(() => parseKeys(['a', 'Entre'], 'keys'))).toMatchObject({ field: 'keys.1' });
  });

  test('that resemble no name are refused with the command for text', () => {
    const text = refusal(() => parseKeys(['hello there world'], 'keys'));
    expect(text).toMatchObject({ code: 'unknown_key', hint: expect.stringContaining('t4a type') as string });
    expect(text).not.toHaveProperty('closest');
    expect(refusal(() => parseKeys([''], 'keys'))).toMatchObject({
      hint: expect.stringContaining('For example') as string,
    });
  });
});

describe('keys that a mode cannot send', () => {
  const unsendable = () => checkSendable(parseKeys(['a', 'a', 'Super+a'], 'keys'), DEFAULT_INPUT_MODES, 'keys');

  test('are refused at any index', () => {
    expect(refusal(unsendable)).toMatchObject({ code: 'key_not_sendable', field: 'keys' });
    expect(
      refusal(() => checkSendable(parseKeys(['a', 'Enter'], 'keys'), DEFAULT_INPUT_MODES, 'keys')),
    ).toBeUndefined();
  });
});

describe('typed text', () => {
  test('is sent unchanged, with line breaks as Enter', () => {
    expect(encodeTyped('aé\n\r\nb\r世', DEFAULT_INPUT_MODES)).toBe('aé\r\rb\r世');
  });

  test('is sent key by key if the program has requested that', () => {
    const kitty = { ...DEFAULT_INPUT_MODES, kittyFlags: 8 };
    expect(encodeTyped('ab a', kitty)).toBe('\x1b[97u\x1b[98u\x1b[32u\x1b[97u');
    const modifyOtherKeys = { ...DEFAULT_INPUT_MODES, modifyOtherKeys: 2 as const };
    expect(encodeTyped('a\n', modifyOtherKeys)).toBe('a\r');
  });

  test('keeps characters that are on no key', () => {
    expect(encodeTyped('a\u0301\u0085', { ...DEFAULT_INPUT_MODES, kittyFlags: 8 })).toContain('\u0085');
  });
});
