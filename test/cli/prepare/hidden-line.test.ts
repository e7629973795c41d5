import { describe, expect, test } from 'vitest';
import { HiddenLine } from '../../../src/cli/prepare/hidden-line.js';

/** As a terminal sends them. */
function keys(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function lineOf(...typed: string[]): { ending: string | undefined; text: string } {
  const line = new HiddenLine();
  const endings = typed.map((text) => line.feed(keys(text)));
  return { ending: endings.at(-1), text: Buffer.from(line.bytes).toString('utf8') };
}

describe('a line that is not shown', () => {
  test.each([
    ['ends with Enter', ['se', 'cret\r'], 'entered', 'secret'],
    ['ends with a line feed', ['secret\n'], 'entered', 'secret'],
    ['is what comes before the first Enter', ['secret\rmore'], 'entered', 'secret'],
    ['is left with Ctrl+C', ['sec\x03'], 'left', 'sec'],
    ['is left with Ctrl+D', ['\x04'], 'left', ''],
    ['goes on', ['secret'], undefined, 'secret'],
    ['loses its last character with Backspace', ['secrets\x7f\r'], 'entered', 'secret'],
    ['loses all bytes of it', ['geheimß🔑\x7f\x7fnis\r'], 'entered', 'geheimnis'],
    ['may be empty when Backspace comes', ['\x7fa\b\bsecret\r'], 'entered', 'secret'],
    ['begins anew with Ctrl+U', ['wrong\x15secret\r'], 'entered', 'secret'],
  ])('%s', (_, typed, ending, text) => {
    expect(lineOf(...typed)).toEqual({ ending, text });
  });

  test('has characters whose bytes come one by one', () => {
    const line = new HiddenLine();
    for (const key of keys('ß🔑')) line.feed(key);
    expect(Buffer.from(line.bytes).toString('utf8')).toBe('ß🔑');
  });
});
