import { beforeAll, describe, expect, test } from 'vitest';
import { openRigOfFile } from '../../support/rig.js';

const rig = openRigOfFile();

const ASKED = '\x1b[?1003;1006h';
const GRID = { cols: 30, rows: 5 };

describe('the mouse position', () => {
  let id: string;
  beforeAll(async () => {
    id = await rig.showing(`${ASKED}here here`, GRID);
  });

  test.each([
    [{ row: 1 }, { code: 'invalid_field', field: 'col' }],
    [{ col: 1 }, { code: 'invalid_field', field: 'row' }],
    [{}, { code: 'invalid_field', field: 'row' }],
    [
      { on_text: 'x', row: 1 },
      { code: 'invalid_field', field: 'row' },
    ],
    [
      { on_regex: 'x', col: 1 },
      { code: 'invalid_field', field: 'row' },
    ],
    [{ on_text: 'x', on_regex: 'x' }, { code: 'invalid_field' }],
    [{ on_regex: '(' }, { code: 'bad_regex', field: 'on_regex' }],
    [{ on_text: 'absent' }, { code: 'no_match', field: 'on_text', error: 'Nothing in the viewport matches "absent".' }],
    [{ on_regex: 'absent' }, { code: 'no_match', field: 'on_regex' }],
    [
      { on_text: 'here', match_index: 2 },
      { code: 'no_match', field: 'match_index' },
    ],
    [
      { row: 5, col: 0 },
      { code: 'cell_outside', field: 'row' },
    ],
    [
      { row: 0, col: 30 },
      { code: 'cell_outside', field: 'col' },
    ],
    [
      { row: 4, col: 29, action: 'drag', to_col: 1 },
      { code: 'invalid_field', field: 'to_row' },
    ],
    [
      { row: 4, col: 29, action: 'drag', to_row: 1 },
      { code: 'invalid_field', field: 'to_col' },
    ],
    [
      { row: 4, col: 29, action: 'drag', to_row: 5, to_col: 0 },
      { code: 'cell_outside', field: 'to_row' },
    ],
    [
      { row: 4, col: 29, action: 'drag', to_row: 0, to_col: 30 },
      { code: 'cell_outside', field: 'to_col' },
    ],
    [
      { row: 0, col: 0, modifiers: ['Ctrl', 'Hyperr'] },
      { code: 'unknown_key', field: 'modifiers.1' },
    ],
  ])('%j is refused', async (fields, refusal) => {
    expect(await rig.ask('mouse', { id, action: 'click', ...fields })).toMatchObject({ ok: false, ...refusal });
  });
});

describe('a mouse action', () => {
  const at = { row: 4, col: 29 };
  const [down, up, over] = ['^[[<0;30;5M', '^[[<0;30;5m', '^[[<35;30;5M'];

  test.each([
    [{ ...at, action: 'click' }, [over, down, up], { row: 4, col: 29, reports: 3 }],
    [{ ...at, action: 'press', button: 'middle' }, [over, '^[[<1;30;5M'], { reports: 2 }],
    [{ ...at, action: 'release', button: 'right' }, ['^[[<2;30;5m'], { reports: 1 }],
    [{ ...at, action: 'move' }, [over], { reports: 1 }],
    [{ ...at, action: 'move', button: 'left' }, ['^[[<32;30;5M'], { reports: 1 }],
    [{ ...at, action: 'click', modifiers: ['Ctrl', 'Alt'] }, ['^[[<59;30;5M', '^[[<24;30;5M', '^[[<24;30;5m'], {}],
    [
      { action: 'press', on_text: 'here', match_index: 1 },
      ['^[[<35;7;1M', '^[[<0;7;1M'],
      { row: 0, col: 6, text: 'here' },
    ],
    [{ action: 'press', on_regex: 'h.r' }, ['^[[<35;2;1M', '^[[<0;2;1M'], { row: 0, col: 1, text: 'her' }],
  ])('%j', async (fields, reports, told) => {
    const id = await rig.showing(`${ASKED}here here\r\n`, { ...GRID, cols: 60 });
    const shown = reports.join('');
    const reply = await rig.ask('mouse', { id, ...fields, wait: { until: { text: shown } } });
    expect(reply).toMatchObject({ ok: true, ...told, wait: { outcome: 'matched' } });
    expect('text' in reply).toBe('text' in told);
  });

  test('is refused if the program has not requested mouse events', async () => {
    const id = await rig.showing('', GRID);
    expect(await rig.ask('mouse', { id, action: 'click', ...at })).toMatchObject({
      code: 'mouse_off',
      hint: expect.stringContaining(`t4a press ${id}`) as string,
    });
    expect(await rig.ask('focus', { id })).toMatchObject({ code: 'focus_off' });
  });

  test('the focus is reported to a program that has requested it', async () => {
    const id = await rig.showing('\x1b[?1004h', GRID);
    expect(await rig.ask('focus', { id, focused: false, wait: { until: { text: '^[[O' } } })).toMatchObject({
      wait: { outcome: 'matched' },
    });
    expect(await rig.ask('focus', { id, wait: { until: { text: '^[[O^[[I' } } })).toMatchObject({
      wait: { outcome: 'matched' },
    });
  });
});
