import { expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

test('returns text in cells and pixels, up to the wanted number of matches, and counts all', async () => {
  const rig = openRig();
  const id = await rig.printed('ok no ok\r\n  世ok\r\nOK', { cols: 20, rows: 4 });
  const reply = await rig.ask('find', { id, text: 'ok', max: 2, pad: 3 });
  const { cell_width: width, cell_height: height } = reply as { cell_width: number; cell_height: number };
  const at = (row: number, col: number) => ({
    row,
    col,
    text: 'ok',
    spans: [{ row, col, cols: 2, box: { x: 3 + col * width, y: 3 + row * height, width: 2 * width, height } }],
  });
  expect(reply).toMatchObject({ ok: true, total: 3, matches: [at(0, 0), at(0, 6)] });
  expect(reply['matches']).toHaveLength(2);
  expect(await rig.ask('find', { id, text: 'ok', ignore_case: true })).toMatchObject({
    total: 4,
    matches: [{}, {}, { row: 1, col: 4 }, { row: 2, col: 0, text: 'OK' }],
  });
  expect(await rig.ask('find', { id, regex: '^ *世' })).toMatchObject({ total: 1, matches: [{ row: 1, col: 0 }] });
});

test('takes either a text or a pattern', async () => {
  const rig = openRig();
  const id = await rig.printed('a.b', { cols: 20, rows: 2 });
  expect(await rig.ask('find', { id, text: '.' })).toMatchObject({ total: 1 });
  expect(await rig.ask('find', { id, regex: '.' })).toMatchObject({ total: 3 });
  expect(await rig.ask('find', { id, regex: '(' })).toMatchObject({ code: 'bad_regex', field: 'regex' });
  expect(await rig.ask('find', { id, text: 'a', regex: 'a' })).toMatchObject({ code: 'invalid_field' });
  expect(await rig.ask('find', { id })).toMatchObject({ code: 'invalid_field' });
});

test('returns boxes for a picture of the given size', async () => {
  const rig = openRig();
  const id = await rig.printed('abc', { cols: 20, rows: 2 });
  const [one, two] = await Promise.all([50, 100].map((scale) => rig.ask('find', { id, text: 'c', scale, pad: 0 })));
  expect(two).toMatchObject({ ok: true, total: 1 });
  expect(Number(two?.['cell_width'])).toBe(2 * Number(one?.['cell_width']));
  rig.daemon.settings.change({ max_image_side: 64 });
  expect(await rig.ask('find', { id, text: 'c' })).toMatchObject({ code: 'image_too_large' });
});
