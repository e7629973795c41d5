import { expect, test } from 'vitest';
import type { LineAnchor } from '../../src/vt/rows/line-numbers.js';
import { FIRST_ALTERNATE } from '../../src/vt/snapshot.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';
import { onEffect } from '../support/screen-effects.js';

/** All events of the screen in order, each with the first row at that moment. */
function record(screen: Screen): unknown[] {
  const told: unknown[] = [];
  const note = (name: string) => (value: unknown) => {
    told.push([name, value, rowText(screen.snapshot().lines[0]!), screen.rev]);
  };
  onEffect(screen, 'bell', ({ count }) => note('bell')({ count }));
  onEffect(screen, 'title', ({ title }) => note('title')(title));
  onEffect(screen, 'osc', ({ message }) => note('osc')(message));
  onEffect(screen, 'alt-screen', ({ on }) => note('alt')(on));
  screen.onReply.on(note('reply'));
  screen.onParsed.on(note('parsed'));
  return told;
}

test('bells, titles and messages are reported in order, after the bytes around them are on the screen', async () => {
  const screen = openScreen();
  const told = record(screen);
  await show(screen, 'ab\x07\x07c\x1b]133;A\x07\x1b]2;one\x07d\x07\x1b[5ne');
  expect(told).toEqual([
    ['bell', { count: 2 }, 'abcde', 1],
    ['osc', { code: 133, data: 'A', line: 0, col: 3, modes: screen.modesMoment }, 'abcde', 1],
    ['title', 'one', 'abcde', 1],
    ['bell', { count: 1 }, 'abcde', 1],
    ['reply', '\x1b[0n', 'abcde', 1],
    ['parsed', { changed: true, rev: 1, bytes: 28 }, 'abcde', 1],
  ]);
});

test('each switch to the alternate screen and back is reported once', async () => {
  const screen = openScreen();
  const switches: boolean[] = [];
  onEffect(screen, 'alt-screen', ({ on }) => switches.push(on));
  await show(screen, '\x1b[?1049h\x1b[?1049h');
  expect(screen.altScreen).toBe(true);
  await show(screen, '\x1b[?1049l\x1b[?47h');
  await show(screen, '\x1bc\x1bc');
  expect(switches).toEqual([true, false, true, false]);
});

test('messages have a line number that stays valid while the scrollback is cut', async () => {
  const screen = openScreen({ rows: 3, scrollback: 2 });
  const lines: (number | undefined)[] = [];
  onEffect(screen, 'osc', ({ message: { line } }) => lines.push(line));
  await show(screen, '\x1b]133;A\x07');
  for (let i = 0; i < 10; i++) await show(screen, `${i}\r\n\x1b]133;A\x07`);
  expect(lines).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(screen.firstLineNumber + screen.totalLines).toBe(11);
  expect(rowText(screen.row(9 - screen.firstLineNumber)!)).toBe('9');
  await show(screen, '\x1bc\x1b]133;A\x07\x1b[?1049h\x1b]133;A\x07');
  const [main, alternate] = lines.slice(-2);
  expect(main).toBe(11);
  expect(alternate).toBeGreaterThanOrEqual(FIRST_ALTERNATE);
});

test('an anchored line is found after scrolling and at any width, until it is lost', async () => {
  const screen = openScreen({ cols: 20, rows: 4, scrollback: 20 });
  const anchors = new Map<string, LineAnchor>();
  onEffect(screen, 'osc', ({ message: { data, line } }) => anchors.set(data, screen.anchorLine(line!)));
  const textAt = (name: string) => {
    const line = anchors.get(name)!.line;
    return line === undefined ? undefined : screen.lineText(line - screen.firstLineNumber);
  };
  for (const name of ['one', 'two', 'three']) {
    await show(screen, `${'-'.repeat(50)}\r\n\x1b]133;${name}\x07${name}\r\n`);
  }
  for (const cols of [20, 7, 60, 20]) {
    await screen.resize(cols, 4);
    expect(['one', 'two', 'three'].map(textAt), `${cols} columns`).toEqual(['one', 'two', 'three']);
  }
  anchors.get('two')!.dispose();
  await show(screen, '\r\n'.repeat(17));
  expect([textAt('one'), textAt('three')]).toEqual([undefined, 'three']);
  await screen.resize(9, 4);
  expect(textAt('three')).toBe('three');
  await show(screen, '\x1bc');
  expect(textAt('three')).toBeUndefined();
});

test('a clipboard query is reported and never answered', async () => {
  const screen = openScreen();
  const replies: string[] = [];
  const data: string[] = [];
  screen.onReply.on((bytes) => replies.push(bytes));
  onEffect(screen, 'osc', ({ message }) => data.push(message.data));
  await show(screen, '\x1b]52;c;?\x07\x1b[21t');
  expect(data).toEqual(['c;?']);
  expect(replies).toEqual([]);
});

test('a message that arrives byte by byte is reported as one message', async () => {
  const screen = openScreen();
  const data: string[] = [];
  onEffect(screen, 'osc', ({ message }) => data.push(message.data));
  screen.onUnknownSequence.on((sequence) => data.push(`${sequence.kind} ${sequence.text}`));
  for (const char of '\x1b]7;file:///a b\x1b\\\x1b]4242;payload;x\x07') await show(screen, char);
  expect(data).toEqual(['file:///a b', 'osc 4242;payload;x']);
});

test('unknown sequences are reported, known ones are not', async () => {
  const screen = openScreen();
  const unknown: string[] = [];
  screen.onUnknownSequence.on(({ kind, text }) => unknown.push(`${kind} ${text}`));
  await show(screen, '\x1b[1;2:3z\x1b[?7x\x1b[=5!v\x1b%8\x1bP1$zdata\x1b\\\x1b[1m\x1b[H\x1b]2;t\x07\x1b(0');
  expect(unknown).toEqual(['csi 1;2:3z', 'csi ?7x', 'csi =5!v', 'esc %8', 'dcs $z']);
});

test('a listener that throws loses no bytes', async () => {
  const screen = openScreen();
  onEffect(screen, 'bell', () => {
    throw new Error('listener');
  });
  const caught = new Promise((resolve) => process.once('uncaughtException', resolve));
  const listeners = process.rawListeners('uncaughtException').slice(0, -1);
  for (const listener of listeners) process.removeListener('uncaughtException', listener as () => void);
  const first = await show(screen, 'a\x07');
  await caught;
  for (const listener of listeners) process.on('uncaughtException', listener as () => void);
  const second = await show(screen, 'b');
  expect([rowText(first.lines[0]!), rowText(second.lines[0]!)]).toEqual(['a', 'ab']);
});
