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

describe('a hidden line', () => {
  test.each([
    ['ends with Enter', ['se', 'cret\r'], 'entered', 'secret'],
    ['ends with a line feed', ['secret\n'], 'entered', 'secret'],
    ['keeps only the text before the first Enter', ['secret\rmore'], 'entered', 'secret'],
    ['is abandoned with Ctrl+C', ['sec\x03'], 'left', 'sec'],
    ['is abandoned with Ctrl+D', ['\x04'], 'left', ''],
    ['continues without Enter', ['secret'], undefined, 'secret'],
    ['loses its last character with Backspace', ['secrets\x7f\r'], 'entered', 'secret'],
    ['loses all bytes of a character with Backspace', ['geheimß🔑\x7f\x7fnis\r'], 'entered', 'geheimnis'],
    ['ignores Backspace while it is empty', ['\x7fa\b\bsecret\r'], 'entered', 'secret'],
    ['is cleared with Ctrl+U', ['wrong\x15secret\r'], 'entered', 'secret'],
  ])('%s', (_, typed, ending, text) => {
    expect(lineOf(...typed)).toEqual({ ending, text });
  });

  test('accepts characters whose bytes arrive one by one', () => {
    const line = new HiddenLine();
    for (const key of keys('ß🔑')) line.feed(key);
    expect(Buffer.from(line.bytes).toString('utf8')).toBe('ß🔑');
  });
});
