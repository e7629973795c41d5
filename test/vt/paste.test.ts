import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePaste } from '../../src/vt/paste.js';

const BRACKETED = { bracketedPaste: true };
const PLAIN = { bracketedPaste: false };

describe('pasted text', () => {
  it('is bracketed only if the program has asked for it', () => {
    expect(encodePaste('ls', BRACKETED)).toEqual({ open: '\x1b[200~', body: 'ls', close: '\x1b[201~', removed: 0 });
    expect(encodePaste('ls', PLAIN)).toEqual({ open: '', body: 'ls', close: '', removed: 0 });
  });

  it.each([BRACKETED, PLAIN])('has CR for every kind of newline, and keeps tabs, with %o', (modes) => {
    expect(encodePaste('a\n\tb\r\nc\rd\n\n', modes).body).toBe('a\r\tb\rc\rd\r\r');
  });

  it.each([
    ['ESC [ 201 ~', 'a\x1b[201~rm', 'a[201~rm', 1],
    ['CSI as a C1 control', 'a\x9b201~rm', 'a201~rm', 1],
    ['one close inside another', 'a\x1b\x1b[201~[201~rm', 'a[201~[201~rm', 2],
    ['a close with a control in its middle', 'a\x1b[20\x001~rm', 'a[201~rm', 2],
    ['ESC at the end', 'rm\x1b', 'rm', 1],
    ['Ctrl+C, Ctrl+D, Ctrl+Z and DEL', 'a\x03b\x04c\x1ad\x7fe', 'abcde', 4],
    ['NUL, BS, VT and FF', '\0\b\v\f', '', 4],
  ])('loses %s and reports the number of removed characters', (_, text, body, removed) => {
    for (const modes of [BRACKETED, PLAIN]) expect(encodePaste(text, modes)).toMatchObject({ body, removed });
  });

  it('has U+FFFD for lone surrogates', () => {
    expect(encodePaste('a\ud800b\udc00\ud83d\ude42', PLAIN).body).toBe('a\ufffdb\ufffd🙂');
  });

  it('contains no control bytes except HT and CR, for any text', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\x1b', '[', '201~', '\x9b', '\n', '\r\n', '\t'), fc.string()),
    });
    fc.assert(
      fc.property(text, (pasted) => {
        const { body, removed } = encodePaste(pasted, BRACKETED);
        for (const char of body) expect(char).not.toMatch(/[^\P{Cc}\t\r]/u);
        expect(removed).toBe((pasted.match(/[^\P{Cc}\t\r\n]/gu) ?? []).length);
        expect(encodePaste(body, PLAIN)).toMatchObject({ body, removed: 0 });
      }),
    );
  });

  it('without control characters arrives unchanged, except newlines', () => {
    const printable = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\p{Cc}/gu, ''));
    fc.assert(
      fc.property(fc.array(printable), (lines) => {
        expect(encodePaste(lines.join('\n'), PLAIN).body).toBe(lines.join('\r'));
      }),
    );
  });
});
