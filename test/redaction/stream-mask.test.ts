import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { DrawnScreen } from '../../src/redaction/drawn-screen.js';
import { Redactor, type SecretFinder } from '../../src/redaction/redactor.js';
import { MAX_SEARCHED_LENGTH, StreamMask } from '../../src/redaction/stream-mask.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import { openScreen, show } from '../vt/screens.js';
import { foundIn, planted, SETTINGS, VARIABLES } from './planted.js';

const redactor = new Redactor(SETTINGS, [VARIABLES]);

function masked(
  parts: readonly string[],
  cols = 80,
  by = redactor,
): { pieces: [string, number][]; text: string; count: number } {
  const pieces: [string, number][] = [];
  const mask = new StreamMask<number>(by, cols, (text, tag) => pieces.push([text, tag]));
  for (const [i, part] of parts.entries()) mask.write(part, i);
  mask.end();
  return { pieces, text: pieces.map(([text]) => text).join(''), count: mask.count };
}

const KEY = 'AKIAIOSFODNN7EXAMPLE';
const STARS = '*'.repeat(20);

describe('a secret in a stream', () => {
  test('is in none of what comes out, however it is cut, and all else stands where it stood', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async ({ cols, parts, text }) => {
        const out = masked(parts, cols);
        expect(foundIn(out.text)).toEqual([]);
        const raw = await show(openScreen({ cols, rows: 24 }), text);
        const screen = await show(openScreen({ cols, rows: 24 }), out.text);
        expect(screen.cursor).toEqual(raw.cursor);
        expect(foundIn(screen.lines.map((row) => rowText(row, { trim: false })).join(''))).toEqual([]);
        expect(out.text).toBe(masked([text], cols).text);
      }),
      { numRuns: runsOf({ suite: 300, trial: 20_000 }), seed: seedOfRun() },
    );
  }, 120_000);

  it.each([
    ['in one piece', `a ${KEY} b\r\n`, `a ${STARS} b\r\n`],
    ['coloured in its middle', `AKIAIOSF\x1b[31mODNN7EXAMPLE\x1b[m\r\n`, `********\x1b[31m************\x1b[m\r\n`],
    ['in a title', `\x1b]2;${KEY}\x07x`, `\x1b]2;${STARS}\x07x`],
    [
      'in a clipboard of iTerm2',
      `\x1b]1337;Copy=:${btoa(`${KEY} x`)}\x07`,
      `\x1b]1337;Copy=:${btoa(`${STARS} x`)}\x07`,
    ],
    ['in a link', `\x1b]8;;http://e/${KEY}\x1b\\x`, `\x1b]8;;http://e/${STARS}\x1b\\x`],
    ['with a character that is repeated', 'AKIAX\x1b[14bB \r\n', `*****${'*'.repeat(14)}* \r\n`],
    ['of wide characters', 'geheim-密码-und-lang\r\n', `${STARS}\r\n`],
    ['without an end of its line', `x ${KEY}`, `x ${STARS}`],
  ])('is masked %s', (_, given, wanted) => {
    expect(masked([given]).text).toBe(wanted);
    expect(masked(Array.from(given)).text).toBe(wanted);
  });

  it.each(['\x1b_', '\x1bX', '\x1bP', '\x1bP+q', '\x1bP1;2|', '\x1b]l', '\x1b]L', '\x1b^', '\x1bk', '\x9f'])(
    'is masked in the control string %j, also behind a letter',
    (introducer) => {
      for (const secret of [KEY, 'sk-ant-api03-0123456789abcdefghij'])
        expect(masked([`${introducer}${secret}\x1b\\x`]).text).toBe(`${introducer}${'*'.repeat(secret.length)}\x1b\\x`);
    },
  );

  it.each([
    ['authorization: Bearer ', 'abcdefgh12345678'],
    ['{"Authorization": "Bearer ', 'abcdefgh12345678', '"}'],
    ['Authorization: Digest ', 'username="bob", nonce="abc", response="6629fae49393a05397450978507c4ef1"'],
    ['Authorization: ', 'dGhpcyBpcyBhIHRva2Vu'],
    ['', 'glrt-abcDEF12345678901234'],
    ['', 'gldt-abcDEF12345678901234'],
    ['', 'glptt-abcDEF12345678901234'],
    ['', 'glpat-abcDEF123456789012345678901.01.0w1abcdef', '.'],
    ['', 'xapp-1-A0123-456-abcdef'],
    ['"SecretAccessKey": "', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '"'],
    ['aws_session_token = ', 'IQoJb3JpZ2luX2VjEXAMPLE/abcdefghijklmnopqrstuv'.replace('_', '+')],
    ['', 'ya29.a0AfH6SMBabcdefghijklmn'],
    ['', 'GOCSPX-abcdefghijklmnopqrstuvwx'],
    ['', 'whsec_abcdefghijklmnopqrstuvwxyz'],
    ['https://bob:', 'p@ss', '@host/'],
    ['x', 'glpat-abcDEF12345678901234'],
    ['test_', 'sk-ant-api03-0123456789abcdefghij'],
  ])('is known: %s%s', (before, secret, after = '') => {
    const { text } = masked([`${before}${secret}${after}\r\n`]);
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(new RegExp(secret.slice(-4).replaceAll(/[^\w]/g, '.')));
    expect(text.endsWith('\r\n') && text.length).toBe(before.length + secret.length + after.length + 2);
  });

  it.each(['\x1b7\x1b8', '\x1b[s\x1b[u', '\x1b[11G', '\x1b[11`'])(
    'is masked where %j moves the cursor nowhere',
    (within) => {
      expect(masked([`${KEY.slice(0, 10)}${within}${KEY.slice(10)} x\r\n`]).text).toBe(
        `${'*'.repeat(10)}${within}${'*'.repeat(10)} x\r\n`,
      );
    },
  );

  const [HALF, REST] = [KEY.slice(0, 8), KEY.slice(8)];
  const AT_25 = `\x1b[1;25H${REST}`;
  it.each([
    ['tabs', `${AT_25}\r\t\t${HALF}`],
    ['a number of tabs', `${AT_25}\r\x1b[2I${HALF}`],
    ['tabs backwards', `${AT_25}\x1b[1;33H\x1b[2Z${HALF}`],
    ['tabs backwards from between two', `${AT_25}\x1b[1;34H\x1b[3Z${HALF}`],
    ['a stop of its own', `\x1b[5G\x88${AT_25}\r\t\t\t${HALF}`],
    ['stops that it has cleared', `\x1b[3g\x1b[17G\x1bH${AT_25}\r\t${HALF}`],
    ['a stop less', `\x1b[9G\x1b[g${AT_25}\r\t${HALF}`],
    ['lines up', `${AT_25}\x1b[3;17H\x1b[2A${HALF}`],
    ['lines up to their beginning', `${AT_25}\x1b[3;1H\x1b[2F\x1b[16C${HALF}`],
    ['lines down', `\x1b[3;25H${REST}\x1b[1;17H\x1b[2B${HALF}`],
    ['columns to the right', `${AT_25}\r\x1b[16a${HALF}`],
    ['columns to the left', `${AT_25}\x1b[20G\x1b[3D${HALF}`],
    ['a row', `${AT_25}\x1b[3;17H\x1b[1d${HALF}`],
    ['what was saved', `\x1b[1;17H\x1b7${AT_25}\x1b8${HALF}`],
    ['what was saved by a mode', `\x1b[1;17H\x1b[?1048h${AT_25}\x1b[?1048l${HALF}`],
    ['what was saved by one of two modes', `\x1b[1;17H\x1b[?25;1048h${AT_25}\x1b[?1048;25l${HALF}`],
    ['rows of a region', `\x1b[2;10r\x1b[?6h${AT_25}\x1b[1;17H${HALF}`],
    ['an index upwards', `${AT_25}\x1b[2;17H\x1bM${HALF}`],
    ['characters that are deleted', `\x1b[1;17H${HALF}xyz${REST}\x1b[1;25H\x1b[3P`],
    ['blanks that are inserted', `\x1b[1;17H${REST}\x1b[1;17H\x1b[8@${HALF}`],
    ['an erased end', `\x1b[1;17H${HALF}${'x'.repeat(30)}\x1b[1;25H\x1b[K${REST}`],
    ['the top of a region', `\x1b[3;10r\x1b[3;25H${REST}\x1b[5;17H\x1b[9A${HALF}`],
    ['the top of the screen, above a region', `\x1b[3;10r${AT_25}\x1b[2;17H\x1b[9A${HALF}`],
    ['the bottom of a region', `\x1b[1;5r\x1b[5;25H${REST}\x1b[2;17H\x1b[9B${HALF}`],
    ['the mode of insertion', `\x1b[1;17H${REST}\x1b[1;17H\x1b[4h${HALF}\x1b[4l`],
  ])('is masked where %s bring it together', async (_, drawn) => {
    for (const parts of [[drawn], Array.from(drawn)]) {
      const { text } = masked([...parts, '\r\n'.repeat(4)]);
      const shown = await show(openScreen({ cols: 80, rows: 24 }), text);
      const raw = await show(openScreen({ cols: 80, rows: 24 }), drawn);
      const whole = (screen: typeof raw): string => screen.lines.map((row) => rowText(row, { trim: true })).join('\n');
      // The screen itself says that it is one.
      expect(whole(raw)).toContain(KEY);
      expect(whole(shown)).toContain(STARS);
      expect(whole(shown)).not.toContain(KEY.slice(0, 8));
      expect(whole(shown)).not.toContain(KEY.slice(-8));
    }
  });

  it('is not seen in words that only look alike', () => {
    const plain = 'authorization: required, disk-of-a-machine-with-a-long-name, shelf_0 npm_config ://host:80/a@b\r\n';
    expect(masked([plain]).text).toBe(plain);
  });

  it('is counted once, however often its line was looked at', () => {
    expect(masked(Array.from(`\x1b]2;${KEY}\x07 ${KEY} and ${KEY}\x1b[m\r\n`)).count).toBe(3);
  });

  it('is not let out in part before its line has ended', () => {
    const out: string[] = [];
    const mask = new StreamMask<undefined>(redactor, 80, (text) => out.push(text));
    for (const letter of `$ ${KEY.slice(0, 19)}`) mask.write(letter, undefined);
    expect(out).toEqual([]);
    mask.write('E\r\n', undefined);
    expect(out.join('')).toBe(`$ ${STARS}\r\n`);
  });

  it('is in none of what a flush lets out, and none of it is held back behind one', () => {
    let out = '';
    const mask = new StreamMask<undefined>(redactor, 80, (text) => (out += text));
    mask.write(`\x1b]2;half a ti`, undefined);
    mask.flush();
    expect(out).toBe('');
    mask.write(`tle\x07user@host:~$ `, undefined);
    mask.flush();
    expect(out).toBe('\x1b]2;half a title\x07user@host:~$ ');
    mask.write(`echo ${KEY.slice(0, 9)}`, undefined);
    mask.flush();
    expect(out.slice(-14)).toBe(`echo ${'*'.repeat(9)}`);
    mask.write(`${KEY.slice(9)} b\r\nplain\r\n`, undefined);
    expect(out).toBe(`\x1b]2;half a title\x07user@host:~$ echo ${STARS} b\r\nplain\r\n`);
  });

  it('that is a private key is masked from its first line to its last', () => {
    const body = Array.from({ length: 30 }, (_, i) => `MIIEpAIBAAKCAQEA${i}0123456789abcdefghij\r\n`);
    const given = ['-----BEGIN RSA PRIVATE KEY-----\r\n', ...body, '-----END RSA PRIVATE KEY-----\r\nafter\r\n'];
    const { text } = masked(given);
    expect(text).not.toContain('MII');
    expect(text).toContain('-----BEGIN RSA PRIVATE KEY-----');
    expect(text.endsWith('-----END RSA PRIVATE KEY-----\r\nafter\r\n')).toBe(true);
  });

  it('is found, and all else stays, in lines that fill many rows', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.boolean(), fc.constantFrom('', '\r\n', ' \x1b[1mb\x1b[m ')),
          { minLength: 1, maxLength: 4 },
        ),
        fc.integer({ min: 3, max: 200 }),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 8 }),
        (pieces, cols, cuts) => {
          const made = pieces.map(([length, hasSecret, end]) => {
            const before = `lorem ipsum `.repeat(length / 12);
            return [
              `${before} ${hasSecret ? `${KEY} ` : ''}${end}`,
              `${before} ${hasSecret ? `${STARS} ` : ''}${end}`,
            ] as const;
          });
          const given = made.map(([text]) => text).join('');
          const parts: string[] = [];
          let rest = given;
          for (const cut of cuts) {
            parts.push(rest.slice(0, cut));
            rest = rest.slice(cut);
          }
          expect(masked([...parts, rest], cols).text).toBe(made.map(([, text]) => text).join(''));
        },
      ),
      { numRuns: runsOf({ suite: 25, trial: 2000 }), seed: seedOfRun() },
    );
  }, 60_000);

  it('is found at any place of a line without an end', () => {
    for (const before of [
      MAX_SEARCHED_LENGTH - 10,
      MAX_SEARCHED_LENGTH - 2048 - 10,
      6140,
      3 * MAX_SEARCHED_LENGTH - 5,
    ]) {
      const { text, count } = masked([`${'x '.repeat(before / 2)}${KEY} ${'y'.repeat(2 * MAX_SEARCHED_LENGTH)}`]);
      expect(foundIn(text)).toEqual([]);
      expect(count).toBe(1);
      expect(text.length).toBe(2 * Math.floor(before / 2) + 21 + 2 * MAX_SEARCHED_LENGTH);
    }
  });
});

describe('a stream without secrets', () => {
  test('comes out as it was, each piece in its place', () => {
    const text = 'plain\r\n\x1b[31mred\x1b[m\r\n\x1b[2;3Hmoved ä中😀\r50%\r\n\x1b]2;title\x07\x1bPq#0~\x1b\\end';
    expect(masked([text]).text).toBe(text);
    const { pieces } = masked(Array.from(text));
    expect(pieces.map(([piece]) => piece).join('')).toBe(text);
    expect(pieces.map(([, tag]) => tag)).toEqual(Array.from(text, (_, i) => i));
  });

  const LINES = [
    'plain\r\n',
    '\x1b[32mgreen\x1b[m text\x1b[K\r\n',
    'a\ttab\r\n',
    '密码 and 😀\r\n',
    'see https://example.org/a/b of a disk-of-all\r\n',
    `${'longer than a row '.repeat(30)}\r\n`,
    '\r\n',
  ];

  test.each([1, 2, 3, 7, 64, 1000, 4096])('is let through without being drawn, in pieces of %d', (length) => {
    const flood = LINES.join('').repeat(40);
    const pieces = flood.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
    const printed = vi.spyOn(DrawnScreen.prototype, 'print');
    onTestFinished(() => printed.mockRestore());
    expect(masked(pieces).text).toBe(flood);
    expect(printed).not.toHaveBeenCalled();
  });

  test('is let through again behind a line with a secret', () => {
    const lines = LINES.join('').repeat(20);
    const text = `${lines}a ${KEY} b\r\n${lines}`;
    for (const length of [5, 700, 100_000]) {
      const seen: string[] = [];
      const finder: SecretFinder = {
        spansIn: (line) => (seen.push(line), redactor.spansIn(line)),
        firstIn: (output) => redactor.firstIn(output),
        mask: (line) => redactor.mask(line),
        lines: () => redactor.linesOf(finder),
      };
      let out = '';
      const mask = new StreamMask<undefined>(finder, 80, (piece) => (out += piece));
      for (const piece of text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []) mask.write(piece, undefined);
      mask.end();
      expect(out).toBe(text.replace(KEY, STARS));
      // Those of the screen on which the secret is drawn.
      expect(seen.filter((line) => line === 'plain').length).toBeLessThanOrEqual(4);
    }
  });

  test('is held back for no more than a line, and for no more than a bound', () => {
    let released = 0;
    const mask = new StreamMask<undefined>(redactor, 80, (text) => (released += text.length));
    mask.write('a prompt $ ', undefined);
    expect(released).toBe(0);
    mask.write('\r\n', undefined);
    expect(released).toBe(13);
    for (let i = 0; i < 1000; i++) mask.write('x'.repeat(1000), undefined);
    expect(released).toBeGreaterThan(1_000_000 - 2 * MAX_SEARCHED_LENGTH);
  });

  test('loses a control string that never ends, and goes on behind one that is too long', () => {
    expect(masked([`a\x1b]2;${'x'.repeat(200_000)}`]).text).toBe('a');
    expect(masked([`a\x1b]2;`, 'x'.repeat(100_000), `${'x'.repeat(100_000)}\x07b\r\n`]).text).toBe('ab\r\n');
  });
});

describe('patterns', () => {
  test('that match everything mask everything, and leave the lines', () => {
    const all = new Redactor({ patterns: ['.*'], variables: [], known: false }, []);
    expect(masked(['some text\r\n', 'more\r\n'], 80, all).text).toBe('*********\r\n****\r\n');
    expect(masked(['x'.repeat(100_000)], 80, all).text).toBe('*'.repeat(100_000));
  });

  test('take a time in proportion to the text, also the worst', () => {
    const worst = new Redactor(
      { patterns: ['(a*)*b', '(x+x+)+y', '(.*)(.*)(.*)(.*)z'], variables: [], known: false },
      [],
    );
    expect(masked(['a'.repeat(20_000), 'x'.repeat(20_000)], 80, worst).text.length).toBe(40_000);
  });

  test('that are none are refused', () => {
    expect(() => new Redactor({ patterns: ['('], variables: [], known: false }, [])).toThrow(/redact\.patterns/);
    expect(() => new Redactor({ patterns: ['(?=a)'], variables: [], known: false }, [])).toThrow(/redact\.patterns/);
  });

  test('without regard to case are found in any', () => {
    const any = new Redactor({ patterns: ['(?i)secret=\\w+'], variables: [], known: false }, []);
    expect(masked(['SeCrEt=abc \r\n'], 80, any).text).toBe('********** \r\n');
  });
});

describe('values of variables', () => {
  test('of less than four characters are not masked, and show nothing', () => {
    const short = new Redactor({ patterns: [], variables: ['PIN', 'LETTER'], known: false }, [
      { PIN: '123', LETTER: 'e' },
    ]);
    expect(short.isOff).toBe(true);
    expect(masked(['123 eee\r\n'], 80, short).text).toBe('123 eee\r\n');
  });

  test('are text and no pattern, each line for itself', () => {
    const odd = new Redactor({ patterns: [], variables: ['KEY'], known: false }, [{ KEY: 'a.b[c\nsecond line' }]);
    expect(masked(['a.b[c axb[c second line\r\n'], 80, odd).text).toBe('***** axb[c ***********\r\n');
  });
});
