/** Mouse and focus reports that a program receives, in each mode that it may ask for. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byteRecorder, END_OF_RECORDING, recordedBytes } from '../support/byte-recorder.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const END = Buffer.of(END_OF_RECORDING).toString('base64');
let recordings = 0;

/** What a program that has printed `asked` (with the escapes \x1b, \r, \n) receives. */
async function received(asked: string, act: (terminal: TestTerminal) => Promise<unknown>): Promise<string> {
  const file = path.join(daemon.dir, `${recordings++}.bytes`);
  const terminal = await TestTerminal.start(daemon, byteRecorder(file, asked));
  await terminal.until('bell');
  await act(terminal);
  await terminal.do('send', { input_base64: END });
  const bytes = await recordedBytes(file);
  await terminal.end();
  return bytes.toString('latin1');
}

const scroll = (direction: string, steps: number) => ({ action: 'scroll', row: 1, col: 1, direction, steps });

const CLICK = { action: 'click', row: 2, col: 9 };

describe('a click', () => {
  it.each([
    ['X10, default encoding', '\\x1b[?9h', '\x1b[M *#'],
    ['normal, default encoding', '\\x1b[?1000h', '\x1b[M *#\x1b[M#*#'],
    ['normal, UTF-8', '\\x1b[?1000;1005h', '\x1b[M *#\x1b[M#*#'],
    ['normal, SGR', '\\x1b[?1000;1006h', '\x1b[<0;10;3M\x1b[<0;10;3m'],
    ['normal, urxvt', '\\x1b[?1000;1015h', '\x1b[32;10;3M\x1b[35;10;3M'],
    ['normal, SGR in pixels of 8x16', '\\x1b[?1000;1016h', '\x1b[<0;77;41M\x1b[<0;77;41m'],
    ['button motion, SGR', '\\x1b[?1002;1006h', '\x1b[<0;10;3M\x1b[<0;10;3m'],
    ['any motion, SGR: the pointer comes first', '\\x1b[?1003;1006h', '\x1b[<35;10;3M\x1b[<0;10;3M\x1b[<0;10;3m'],
  ])('is reported in the mode %s', async (_, asked, bytes) => {
    expect(await received(asked, (terminal) => terminal.do('mouse', CLICK))).toBe(bytes);
  });

  it('may be double, with another button and modifiers', async () => {
    const click = { ...CLICK, clicks: 2, button: 'right', modifiers: ['Ctrl', 'shift'] };
    const once = '\x1b[<22;10;3M\x1b[<22;10;3m';
    expect(await received('\\x1b[?1000;1006h', (terminal) => terminal.do('mouse', click))).toBe(once + once);
  });

  it('hits the middle of a text, also of a match by its index and of wide characters', async () => {
    const asked = '\\x1b[?1000;1006h\\x1b[H[OK] 世界 [OK]';
    const replies: unknown[] = [];
    const bytes = await received(asked, async (terminal) => {
      replies.push(await terminal.do('mouse', { action: 'click', on_text: 'OK' }));
      replies.push(await terminal.do('mouse', { action: 'click', on_text: '[OK]', match_index: -1 }));
      replies.push(await terminal.do('mouse', { action: 'press', on_regex: '[^\\x00-\\x7f]+' }));
    });
    expect(replies).toMatchObject([
      { row: 0, col: 1, text: 'OK', reports: 2 },
      { row: 0, col: 11, text: '[OK]' },
      { row: 0, col: 6, text: '世界' },
    ]);
    expect(bytes).toBe('\x1b[<0;2;1M\x1b[<0;2;1m\x1b[<0;12;1M\x1b[<0;12;1m\x1b[<0;7;1M');
  });
});

describe('other actions', () => {
  it('drag reports every cell on its way', async () => {
    const drag = { action: 'drag', row: 0, col: 0, to_row: 0, to_col: 3 };
    expect(await received('\\x1b[?1002;1006h', (terminal) => terminal.do('mouse', drag))).toBe(
      '\x1b[<0;1;1M\x1b[<32;2;1M\x1b[<32;3;1M\x1b[<32;4;1M\x1b[<0;4;1m',
    );
  });

  it('scroll reports each step of the wheel, in four directions', async () => {
    const bytes = await received('\\x1b[?1000;1006h', async (terminal) => {
      await terminal.do('mouse', scroll('up', 2));
      for (const direction of ['down', 'left', 'right']) await terminal.do('mouse', scroll(direction, 1));
    });
    expect(bytes).toBe('\x1b[<64;2;2M\x1b[<64;2;2M\x1b[<65;2;2M\x1b[<66;2;2M\x1b[<67;2;2M');
  });

  it('focus reports loss and gain to a program that asked for it', async () => {
    const bytes = await received('\\x1b[?1004h', async (terminal) => {
      await terminal.do('focus', { focused: false });
      await terminal.do('focus');
    });
    expect(bytes).toBe('\x1b[O\x1b[I');
  });
});

describe('an action that the program has not asked for', () => {
  it.each([
    ['a click', '', 'mouse', CLICK, 'mouse_off', /not asked for the mouse/],
    ['a movement', '\\x1b[?1000;1006h', 'mouse', { ...CLICK, action: 'move' }, 'mouse_off', /no movement/],
    ['a release', '\\x1b[?9h', 'mouse', { ...CLICK, action: 'release' }, 'mouse_off', /no releases/],
    ['a focus report', '', 'focus', {}, 'focus_off', /not asked for focus/],
  ])('is refused with the reason: %s', async (_, asked, cmd, fields, code, error) => {
    const bytes = await received(asked, async (terminal) => {
      expect(await terminal.ask(cmd, fields)).toMatchObject({
        ok: false,
        code,
        error: expect.stringMatching(error),
        hint: expect.stringContaining('t4a '),
      });
    });
    expect(bytes).toBe('');
  });
});
