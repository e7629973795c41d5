import { expect, test } from 'vitest';
import { openScreen, show, textOf } from '../screens.js';

test('an unchanged screen returns the same snapshot, and a changed row leaves the other objects the same', async () => {
  const screen = openScreen();
  const before = await show(screen, 'a\r\nb\r\nc\r\nd\r\ne');
  expect(screen.snapshot()).toBe(before);
  const after = await show(screen, '\x1b[3;1HC');
  expect(after.lines.map((row, y) => row === before.lines[y])).toEqual([true, true, false, true, true]);
});

test('rows that scroll are the same objects in their new places', async () => {
  for (const scrollback of [100, 0]) {
    const screen = openScreen({ scrollback });
    const before = await show(screen, '1\r\n2\r\n3\r\n4\r\n5');
    const after = await show(screen, '\r\n6\r\n7');
    expect(textOf(after)).toEqual(['3', '4', '5', '6', '7']);
    expect(after.lines.slice(0, 3)).toEqual(before.lines.slice(2));
    for (const y of [0, 1, 2]) expect(after.lines[y]).toBe(before.lines[y + 2]);
  }
});

test('rows that scroll within a region stay the same objects', async () => {
  const screen = openScreen();
  const before = await show(screen, '1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r');
  const after = await show(screen, '\x1b[4;1H\n');
  expect(textOf(after)).toEqual(['1', '3', '4', '', '5']);
  expect(after.lines[1]).toBe(before.lines[2]);
  expect(after.lines[2]).toBe(before.lines[3]);
  expect(after.lines[4]).toBe(before.lines[4]);
});

test('rows that are painted again with the same content, even elsewhere, are the same objects', async () => {
  const screen = openScreen();
  const before = await show(screen, 'one\r\ntwo\r\nthree');
  const cleared = await show(screen, '\x1b[2J');
  expect(new Set(cleared.lines).size).toBe(1);
  const again = await show(screen, '\x1b[2J\x1b[Hone\r\ntwo\r\nthree');
  expect(textOf(again)).toEqual(textOf(before));
  const moved = await show(screen, '\x1b[H\x1b[Ktwo\x1b[2;1H\x1b[Kone');
  expect(moved.lines[0]).toBe(again.lines[1]);
  expect(moved.lines[1]).toBe(again.lines[0]);
});

test('leaving the alternate screen returns the same row objects as before', async () => {
  const screen = openScreen();
  const before = await show(screen, 'shell\r\nprompt');
  await show(screen, '\x1b[?1049h\x1b[2Jeditor');
  const after = await show(screen, '\x1b[?1049l');
  for (const [y, row] of after.lines.entries()) expect(row).toBe(before.lines[y]);
});

test('a change of only a link, a cluster or the line size makes a new row object', async () => {
  const screen = openScreen();
  const start = await show(screen, '\x1b]8;;http://a.example/\x1b\\x\x1b]8;;\x1b\\');
  const linked = await show(screen, '\r\x1b]8;;http://b.example/\x1b\\x\x1b]8;;\x1b\\');
  expect(linked.lines[0]).not.toBe(start.lines[0]);
  expect(linked.lines[0]!.links!.get(0)).toBe('http://b.example/');
  const accented = await show(screen, '\re\u0301');
  const other = await show(screen, '\re\u0300');
  expect(other.lines[0]).not.toBe(accented.lines[0]);
  const wide = await show(screen, '\x1b#6');
  expect(wide.lines[0]).not.toBe(other.lines[0]);
});

test('a row of the viewport is the same object if it is read by its index in the buffer', async () => {
  const screen = openScreen();
  const { lines } = await show(screen, '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7');
  expect(screen.scrollbackLines).toBe(2);
  expect(screen.row(2)).toBe(lines[0]);
  expect(screen.row(6)).toBe(lines[4]);
  expect(screen.row(7)).toBeUndefined();
  expect(screen.row(-1)).toBeUndefined();
  expect(screen.row(0.5)).toBeUndefined();
});
