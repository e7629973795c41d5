/** Effects of output beyond the grid, in the order of the bytes that cause them. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_HEAD_LENGTH } from '../../src/vt/xterm/control-strings.js';
import { Emulator } from '../../src/vt/xterm/emulator.js';
import { LineNumbers } from '../../src/vt/rows/line-numbers.js';
import { ScreenEffects, type ScreenEffect } from '../../src/vt/screen-effects.js';

function open({ cols = 20, rows = 3, scrollback = 10 } = {}) {
  const emulator = new Emulator({ cols, rows, scrollback });
  onTestFinished(() => emulator.dispose());
  const effects = new ScreenEffects(emulator, new LineNumbers(emulator));
  effects.noteQueries();
  const after = (output: string): readonly ScreenEffect[] => {
    emulator.parse(output);
    return effects.take();
  };
  return { effects, after };
}

const bell = { kind: 'bell' };
const reply = (bytes: string) => ({ kind: 'reply', bytes });
const unknown = (kind: string, text: string) => ({ kind: 'unknown', sequence: { kind, text } });
const query = (kind: string, text: string) => ({ kind: 'query', sequence: { kind, text } });

describe('effects', () => {
  test('are returned once, in order', () => {
    const { after } = open();
    expect(after('a\x07\x1b]2;one\x07\x07b')).toEqual([bell, { kind: 'title', title: 'one' }, bell]);
    expect(after('')).toEqual([]);
    expect(after('\x1b]0;two\x07')).toEqual([{ kind: 'title', title: 'two' }]);
  });

  test('that were returned do not change later', () => {
    const { effects, after } = open();
    const taken = after('\x07');
    after('\x07\x07');
    effects.reply('late');
    expect(taken).toEqual([bell]);
  });

  test('include each switch to the alternate screen and back once', () => {
    const { after } = open();
    const [on, off] = [true, false].map((value) => ({ kind: 'alt-screen', on: value }));
    expect(after('\x1b[?1049h\x1b[?47h')).toEqual([on]);
    expect(after('\x1b[?1049l\x1b[?47h\x1b[?47l')).toEqual([off, on, off]);
    const reset = { kind: 'reset' };
    expect(after('\x1bc')).toEqual([reset]);
    expect(after('\x1b[?1047h\x1bc')).toEqual([on, reset, off]);
  });
});

describe('a reply', () => {
  test('is joined with the replies directly before it', () => {
    const { effects } = open();
    effects.reply('a');
    effects.reply('b');
    effects.reply('');
    effects.reply('c');
    expect(effects.take()).toEqual([reply('abc')]);
    effects.reply('');
    expect(effects.take()).toEqual([]);
  });

  test('is separate if another effect or a return of effects is in between', () => {
    const { effects, after } = open();
    effects.reply('a');
    expect(after('\x07')).toEqual([reply('a'), bell]);
    effects.reply('a');
    after('');
    effects.reply('b');
    expect(effects.take()).toEqual([reply('b')]);
  });

  test('comes directly after its query', () => {
    const { after } = open();
    expect(after('\x1b[5n\x1b[6n')).toEqual([
      query('csi', '5n'),
      reply('\x1b[0n'),
      query('csi', '6n'),
      reply('\x1b[1;1R'),
    ]);
  });
});

describe('a message', () => {
  test.each([7, 9, 52, 99, 133, 633, 777, 1337, 7777])(
    'is reported for OSC %i, with the position of the cursor',
    (code) => {
      const { after } = open();
      expect(after(`ab\x1b]${code};some;data\x07`)).toEqual([
        { kind: 'osc', message: { code, data: 'some;data', line: 0, col: 2 } },
      ]);
    },
  );

  test('has the lasting number of its line; each visit to the alternate screen has numbers of its own', () => {
    const { after } = open({ rows: 3, scrollback: 2 });
    const lineAfter = (output: string): unknown => {
      const [effect] = after(`${output}\x1b]133;A\x07`).filter(({ kind }) => kind === 'osc');
      return effect?.kind === 'osc' ? [effect.message.line, effect.message.col] : undefined;
    };
    expect(lineAfter('x')).toEqual([0, 1]);
    expect(lineAfter('\r\n'.repeat(10))).toEqual([10, 0]);
    expect(lineAfter('\x1b[1;5H')).toEqual([8, 4]);
    const [first] = lineAfter('\x1b[?1049h\x1b[1;2H') as [number, number];
    expect(first).toBeGreaterThan(1_000_000);
    expect(lineAfter('\x1b[3;1H\r\n')).toEqual([first + 3, 0]);
    expect(lineAfter('\x1b[?1049l')).toEqual([8, 4]);
    const [again] = lineAfter('\x1b[?1049h\x1b[1;2H') as [number, number];
    expect(again).toBeGreaterThan(first + 3);
  });
});

describe('an unknown sequence', () => {
  test.each([
    ['\x1b[1;2:3z', 'csi', '1;2:3z'],
    ['\x1b[z', 'csi', 'z'],
    ['\x1b[?7x', 'csi', '?7x'],
    ['\x1b[<3x', 'csi', '<3x'],
    ['\x1b[>3x', 'csi', '>3x'],
    ['\x1b[=5!v', 'csi', '=5!v'],
    ['\x1b[5$v', 'csi', '5$v'],
    ['\x1b[?9999h', 'csi', '?9999h'],
    ['\x1b[99l', 'csi', '99l'],
    ['\x1b%8', 'esc', '%8'],
    ['\x1b]4242;x;y\x07', 'osc', '4242;x;y'],
    ['\x1bP1$zdata\x1b\\', 'dcs', '$z'],
  ])('is reported unchanged: %j', (output, kind, text) => {
    expect(open().after(output)).toEqual([unknown(kind, text)]);
  });

  test('is reported with only its beginning if it is long', () => {
    const { after } = open();
    const long = 'x'.repeat(2 * MAX_HEAD_LENGTH);
    expect(after(`\x1b]4242;${long}\x07`)).toEqual([unknown('osc', `4242;${long}`.slice(0, MAX_HEAD_LENGTH))]);
    const asked = `4;1;?;${'2;red;'.repeat(MAX_HEAD_LENGTH)}`;
    const [first] = after(`\x1b]${asked}\x07`);
    expect(first).toEqual(query('osc', asked.slice(0, MAX_HEAD_LENGTH)));
  });
});
