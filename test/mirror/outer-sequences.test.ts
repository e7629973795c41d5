/** The sequences that t4a itself writes to the terminal of a person: one table, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OuterModes } from '../../src/tty/outer-modes.js';
import { ENTER_FRAME, LEAVE_FRAME } from '../../src/cli/local/view-frame.js';
import {
  clipboard,
  column,
  cursorShape,
  cursorTo,
  itermPicture,
  kittyFlags,
  notification,
  OUTER,
  OUTER_WITH_VALUE,
  type OuterSequence,
  style,
  withinLine,
} from '../../src/mirror/outer-sequences.js';

const ROWS: [string, OuterSequence][] = Object.entries<OuterSequence>({ ...OUTER, ...OUTER_WITH_VALUE });

/** The rooms whose text reaches the terminal of a person. */
const ROOMS = ['cli', 'mirror', 'playback', 'tty'];
const TABLE = 'src/mirror/outer-sequences.ts';

/** Sequences in these files are looked for or compared, and written to no terminal of a person. */
const READERS: Readonly<Record<string, string>> = {
  'src/tty/picker.ts': 'keys of the person',
  'src/tty/scrollback-keys.ts': 'keys of the person',
  'src/tty/outer-mouse.ts': 'a turn of the wheel as keys, for the program',
  'src/tty/program-input.ts': 'reports of the person’s terminal',
  'src/tty/mouse-report.ts': 'reports of the person’s terminal',
  'src/tty/keyboard.ts': 'keys of the person',
  'src/tty/crew/answer.ts': 'keys of the person',
  'src/tty/crew/away.ts': 'styles of a frame that was drawn',
  'src/tty/crew/rail-walk.ts': 'keys of the person',
  'src/tty/crew/reading.ts': 'keys of the person',
  'src/tty/crew/shell.ts': 'keys of the person',
  'src/tty/crew/shell-settings.ts': 'keys of the person',
  'src/cli/output/picture/graphics.ts': 'answers of the person’s terminal',
  'src/cli/output/sanitize.ts': 'output of programs',
  'src/cli/local/evidence.ts': 'styles of a line that a program has printed',
  'src/cli/output/control-splitter.ts': 'output of programs',
  'src/cli/output/printable.ts': 'output of programs',
  'src/mirror/safe-text.ts': 'output of programs',
  'src/playback/keys.ts': 'keys of the person',
  'src/playback/simple-output.ts': 'output of programs',
  'src/playback/final-lines.ts': 'output of programs, and to the emulator',
  'src/playback/transcript.ts': 'to the emulator',
};

/** ESC or C1 with what begins a sequence or a string, as a source spells it. */
const WRITTEN =
  /(?:\\x1b|\\u001b|\\u\{1b\}|\\e|\\033)(?:\\\\)?(?:\\?[[\]PX^_#()*+=><78cDEHMNOZ])|\\x9[bdf0]|\\u009[bdf0]/i;

const files = ROOMS.flatMap((room) =>
  readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', room, name)),
).filter((file) => file !== TABLE);

const withSequences = files.filter((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .some((line) => WRITTEN.test(line)),
);

describe('sequences for the terminal of a person', () => {
  test('are written in no other file than the table', () => {
    expect(withSequences.filter((file) => READERS[file] === undefined)).toEqual([]);
  });

  test('every file that may have others has some', () => {
    expect(Object.keys(READERS).filter((file) => !withSequences.includes(file))).toEqual([]);
  });

  test.each([
    String.raw`'\x1b[2J'`,
    String.raw`'\u001b]52;c;'`,
    String.raw`'\x1b\\'`.replace(String.raw`\\`, 'P'),
    String.raw`'\x9b2J'`,
    String.raw`'\x1bc'`,
    String.raw`'\x1b_G'`,
  ])('a sequence is found as %s', (source) => {
    expect(source).toMatch(WRITTEN);
  });

  test.each(ROWS)('%s names its writer and its time', (_name, { by, when }) => {
    expect([by, when]).toEqual([expect.stringMatching(/[a-z]/), expect.stringMatching(/[a-z]/)]);
  });
});

describe('at the end', () => {
  const undoneBy = (writer: string): [string, string][] =>
    ROWS.flatMap(([name, { by, off }]) =>
      off !== undefined && (by === 'all' || by.split(', ').includes(writer)) ? [[name, off]] : [],
    );

  test.each(undoneBy('attach').filter(([name]) => name !== 'link'))('attach undoes %s', (_name, off) => {
    const modes = new OuterModes();
    modes.enter();
    modes.useKitty();
    expect(modes.leave()).toContain(off);
  });

  test('play and view undo the modes that they set', () => {
    const modes = undoneBy('view').filter(([name]) => !['synchronizedUpdate', 'style', 'link'].includes(name));
    for (const [name, off] of modes) {
      const { on } = OUTER[name as keyof typeof OUTER];
      expect({ name, on: ENTER_FRAME.includes(on), off: LEAVE_FRAME.includes(off) }).toEqual({
        name,
        on: true,
        off: true,
      });
    }
    expect(modes.length).toBeGreaterThan(2);
  });
});

describe('a value from a program, a file or another host', () => {
  const HOSTILE = '1;1H\x1b]52;c;eA==\x07' as unknown as number;

  test.each([
    ['cursorTo', cursorTo(HOSTILE, HOSTILE), '\x1b[1;1H'],
    ['column', column(HOSTILE), '\x1b[1G'],
    ['cursorShape', cursorShape(HOSTILE), '\x1b[0 q'],
    ['kittyFlags', kittyFlags(Number.NaN), '\x1b[=0;1u'],
    ['itermPicture', itermPicture(HOSTILE, 'AAAA'), '\x1b]1337;File=inline=1;size=0:AAAA\x07'],
    ['style', style('31m\x1b]52;c;eA==\x07'), '\x1b[3152;;m'],
    ['withinLine', withinLine('2\x1b[2J', 'K'), '\x1b[22K'],
    ['clipboard', clipboard('a\x1b]52;c;eA==\x07\u202eb\nc'), `\x1b]52;c;${btoa('a]52;c;eA==b\nc')}\x07`],
    ['notification', notification(': \x07\x1b]52;c;eA==\x1b\\', 100), '\x1b]9;t4a: ]52;c;eA==\\\x07'],
  ])('is a number or text in %s', (_name, written, expected) => {
    expect(written).toBe(expected);
  });

  test('keeps its meaning where it is one', () => {
    expect([cursorTo(0, 9), column(0), cursorShape(6), kittyFlags(31), style('0;38;5;1')]).toEqual([
      '\x1b[1;10H',
      '\x1b[1G',
      '\x1b[6 q',
      '\x1b[=31;1u',
      '\x1b[0;38;5;1m',
    ]);
  });

  test('a long notification ends at its bound', () => {
    expect(notification('x'.repeat(500), 10)).toBe('\x1b]9;t4axxxxxxx\x07');
  });
});
