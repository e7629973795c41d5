/* oxlint-disable no-control-regex */
/** The output of the live view on the terminal of the person who watches, and how the view ends. */
import { describe, expect, test } from 'vitest';
import { ViewFrame } from '../../src/cli/local/view-frame.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { Reply } from '../../src/protocol/registry.js';
import type { Handlers } from '../../src/rpc/service.js';
import { serve } from '../support/serve.js';
import { onTerminal, type FakeHost } from '../support/host.js';

const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';
const HIDDEN = { row: 0, col: 0, visible: false };

const row = (number: number, text: string): string => `\x1b[${number};1H\x1b[0m\x1b[K${text}`;
const status = (number: number, text: string): string => row(number, `\x1b[7m${text}\x1b[0m`);

/** What each of the frames has written, on a screen of that size. */
function frames(size: { cols?: number; rows?: number }): (...drawn: Parameters<ViewFrame['draw']>) => string {
  const written: string[] = [];
  const frame = new ViewFrame(
    onTerminal({
      columns: () => size.cols,
      rows: () => size.rows,
      out: (data) => written.push(Buffer.from(data as Uint8Array).toString('latin1')),
    }),
  );
  return (...drawn) => {
    frame.draw(...drawn);
    return written.pop() ?? '';
  };
}

describe('a frame', () => {
  test('draws the whole screen at first, with the status below', () => {
    const draw = frames({ cols: 6, rows: 4 });
    expect(draw({ lines: ['a', 'b'], cursor: HIDDEN }, 'st')).toBe(
      `${BEGIN}\x1b[2J${row(1, 'a')}${row(2, 'b')}${row(3, '')}${status(4, 'st    ')}${END}`,
    );
  });

  test('draws only changed rows afterwards', () => {
    const draw = frames({ cols: 6, rows: 4 });
    draw({ lines: ['a', 'b'], cursor: HIDDEN }, 'st');
    expect(draw({ lines: ['a', 'c'], cursor: HIDDEN }, 'st')).toBe(`${BEGIN}${row(2, 'c')}${END}`);
    expect(draw({ lines: ['a', 'c'], cursor: HIDDEN }, 'st')).toBe(`${BEGIN}${END}`);
    expect(draw({ lines: ['a'], cursor: HIDDEN }, 'new')).toBe(`${BEGIN}${row(2, '')}${status(4, 'new   ')}${END}`);
  });

  test.each([{ cols: 7 }, { rows: 5 }])('draws the whole screen again after a change of size: %j', (change) => {
    const size: { cols: number; rows: number } = { cols: 6, rows: 4 };
    const draw = frames(size);
    draw({ lines: ['a'], cursor: HIDDEN }, 'st');
    Object.assign(size, change);
    expect(draw({ lines: ['a'], cursor: HIDDEN }, 'st')).toMatch(/^\x1b\[\?2026h\x1b\[\?25l\x1b\[2J\x1b\[1;1H/);
    expect(draw({ lines: ['a'], cursor: HIDDEN }, 'st')).toBe(`${BEGIN}${END}`);
  });

  test('is cut to the size of the viewing terminal', () => {
    const draw = frames({ cols: 4, rows: 3 });
    expect(draw({ lines: ['a', 'b', 'c'], cursor: HIDDEN }, 'status')).toBe(
      `${BEGIN}\x1b[2J${row(1, 'a')}${row(2, 'b')}${status(3, 'stat')}${END}`,
    );
  });

  test('has 80 columns and 24 rows if the size is unknown', () => {
    const written = frames({})({ lines: [], cursor: HIDDEN }, 'st');
    expect(written).toContain(status(24, 'st'.padEnd(80)));
  });

  test.each([
    [{ row: 0, col: 0, visible: true }, '\x1b[1;1H\x1b[?25h'],
    [{ row: 1, col: 3, visible: true }, '\x1b[2;4H\x1b[?25h'],
    [{ row: 0, col: 0, visible: false }, ''],
    [{ row: 2, col: 0, visible: true }, ''],
    [{ row: 0, col: 4, visible: true }, ''],
  ])('shows the cursor if it is visible and inside the frame: %j', (cursor, shown) => {
    const draw = frames({ cols: 4, rows: 3 });
    draw({ lines: [], cursor: HIDDEN }, 'st');
    expect(draw({ lines: [], cursor }, 'st')).toBe(`${BEGIN}${shown}${END}`);
  });
});

describe('the view', () => {
  let rev = 0;
  /** The whole screen. */
  const frame = (text: string, { alive = true } = {}): Reply<'watch'> => ({
    rev: ++rev,
    state: rev,
    complete: true,
    first_line: 0,
    cursor: [0, 0, 1, 'block', 0],
    cols: 80,
    rows: 1,
    title: '',
    alive,
    copied: [],
    drawn: [{ row: 0, runs: [[text]] }],
  });
  const ended: Handlers['watch'] = () => frame('hello', { alive: false });
  const STATUS = { id: 'build', exit_code: 3, signal: null, cmd: ['sh', '\x1b'] } as unknown as Reply<'status'>;

  async function view(handlers: Partial<Handlers>, person: FakeHost, ...words: string[]): Promise<number> {
    const { socketPath } = await serve({ status: () => STATUS, ...handlers });
    return runCommandLine(['view', '--socket', socketPath, ...words], person, {} as LazyBundles);
  }

  test('draws on the alternate screen, and restores the terminal when the program ends', async () => {
    const person = onTerminal();
    expect(await view({ watch: ended }, person, 'build')).toBe(0);
    expect(person.printed()).toMatch(
      /^\x1b\[\?1049h\x1b\[\?25l\x1b\[\?7l\x1b\[2J.*hello.*build {2}1 rows {2}q: leave/s,
    );
    expect(person.printed().endsWith('\x1b[?7h\x1b[?25h\x1b[?1049l')).toBe(true);
    expect(person.noted()).toBe('build (sh \\x1b) has ended: exit code 3.\n');
    expect(person.watchers()).toBe(0);
  });

  test('reports the signal that ended the program', async () => {
    const person = onTerminal();
    const killed = { ...STATUS, exit_code: null, signal: 'SIGKILL' } as unknown as Reply<'status'>;
    await view({ watch: ended, status: () => killed }, person, 'build');
    expect(person.noted()).toContain('has ended: SIGKILL.');
  });

  test.each(['q', '\x03', '\x1b', 'xq'])('ends at the keys %j, and ignores other keys', async (keys) => {
    const person = onTerminal();
    let questions = 0;
    const watch: Handlers['watch'] = (_params, { signal }) => {
      questions++;
      if (questions === 1) {
        person.press('x');
        return frame('hello');
      }
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('left')));
        person.press(keys);
      });
    };
    expect(await view({ watch }, person, 'build')).toBe(0);
    expect([questions, person.noted(), person.watchers()]).toEqual([2, '', 0]);
    expect(person.printed().endsWith('\x1b[?1049l')).toBe(true);
  });

  test('draws the screen again after a change', async () => {
    const person = onTerminal();
    const frames = [frame('first'), frame('second', { alive: false })];
    await view({ watch: () => frames.shift() ?? frame('none') }, person, 'build');
    expect(person.printed()).toMatch(/first.*second/s);
  });

  test('ends if the terminal is gone, and fails on other errors', async () => {
    const failing = (code: 'terminal_not_found' | 'internal'): Partial<Handlers> => ({
      watch: () => {
        throw new T4aError(code, 'No.');
      },
    });
    const gone = onTerminal();
    expect(await view(failing('terminal_not_found'), gone, 'build')).toBe(0);
    expect(gone.noted()).toBe('build is gone.\n');
    const broken = onTerminal();
    expect(await view(failing('internal'), broken, 'build')).toBe(1);
    expect(broken.printed().endsWith('\x1b[?1049l')).toBe(true);
    expect([broken.noted(), broken.watchers()]).toEqual(['t4a: No.\n', 0]);
  });

  test('refuses the terminal that it runs in, and else shows the one used last by default', async () => {
    const asked: string[] = [];
    const handlers: Partial<Handlers> = {
      watch: ended,
      status: ({ id }) => {
        asked.push(id);
        return { ...STATUS, id: id === '@' ? 'build' : id };
      },
    };
    const within = onTerminal({ env: { T4A_TERMINAL: 't1' } });
    expect(await view(handlers, within)).toBe(2);
    expect([within.printed(), within.noted()]).toEqual([
      '',
      expect.stringContaining('t1 is the terminal that this runs in'),
    ]);
    expect(await view(handlers, onTerminal({ env: { T4A_TERMINAL: 't1' } }), 't2')).toBe(0);
    expect(await view(handlers, onTerminal())).toBe(0);
    expect(asked).toEqual(['t1', 't2', 't2', '@', 'build']);
  });
});
