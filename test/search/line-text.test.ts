/** Lines as one text: where each begins, and that none is lost. */
import { expect, test } from 'vitest';
import { LineText, type TextSource } from '../../src/search/line-text.js';

const COLS = 100;

/** Each row has a text of its own, as wide as the screen; a few are not Latin-1, and end what was gathered so far. */
const textOf = (index: number): string => `${index % 1500 === 3 ? '界' : '='}${index}`.padEnd(COLS, '.');

const SOURCE: TextSource = {
  lineText: textOf,
  writeLineLatin1(index, _trim, target, start) {
    const text = textOf(index);
    if (text.startsWith('界')) return -1;
    for (let i = 0; i < text.length; i++) {
      if (start + i >= target.length) throw new Error(`no room for row ${index}`);
      target[start + i] = text.charCodeAt(i);
    }
    return start + text.length;
  },
};

test('far more rows than are gathered at once become one text, with the start of each line', () => {
  const count = 3000;
  const gathered = LineText.gather((add) => {
    for (let i = 0; i < count; i++) add.rowsOf(SOURCE, i, 1, COLS, i + 10);
  });
  const texts = Array.from({ length: count }, (_, i) => textOf(i));
  expect(gathered.text).toBe(texts.map((text) => `${text}\n`).join(''));
  expect(gathered.lines).toEqual(texts.map((text, i) => ({ number: i + 10, text, rows: undefined })));
  expect([0, 1234, 2999].map((line) => gathered.lineAt(line * (COLS + 1) + 5))).toEqual([0, 1234, 2999]);
});

test('rows of a longer line follow each other, and lines that are known already keep their place', () => {
  const gathered = LineText.gather((add) => {
    add.rowsOf(SOURCE, 1, 2, COLS, 1);
    add.line(3, 'known', []);
    add.rowsOf(SOURCE, 3, 1, COLS, 4);
  });
  expect(gathered.text).toBe(`${textOf(1)}${textOf(2)}\nknown\n${textOf(3)}\n`);
  expect(gathered.lines.map(({ number, rows }) => [number, rows])).toEqual([
    [1, undefined],
    [3, []],
    [4, undefined],
  ]);
});
