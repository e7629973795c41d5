import { expect, test } from 'vitest';
import type { Entry } from '../../../src/activity/entry.js';
import { type Checked, checkRules } from '../../../src/features/rules/check-rules.js';
import { finish } from '../../../src/search/work.js';
import type { Screen } from '../../../src/vt/screen.js';
import { profileOf } from '../../activity/watched.js';
import { ownTerminal } from '../../support/own-terminal.js';
import { bytesOf } from '../../vt/screens.js';

type Rules = readonly object[];

async function checked(
  text: string,
  rules: Rules,
  present: readonly Entry[] = [],
): Promise<Checked & { screen: Screen }> {
  const terminal = ownTerminal({ scrollback: 6000 });
  terminal.screen.write(bytesOf(text));
  await terminal.screen.settle(60_000);
  return { ...finish(checkRules(profileOf(...rules), terminal, present, () => 7)), screen: terminal.screen };
}

const cellsOf = ({ entries }: Checked): object[] => entries.map(({ row, cells }) => ({ row, cells }));

test('the cells of an entry are those from its first character to its last, in each of its rows', async () => {
  const rules: Rules = [{ id: 'a', start: 'ERROR', continue: '^ +at', emit: { kind: 'error' } }];
  expect(cellsOf(await checked('\r\n  ERROR 中 \r\n\r\n', rules))).toEqual([
    { row: 1, cells: [{ row: 1, col: 2, cols: 8 }] },
  ]);
  expect(cellsOf(await checked('  ERROR\r\n    at a\r\nend', rules))).toEqual([
    {
      row: 0,
      cells: [
        { row: 0, col: 2, cols: 5 },
        { row: 1, col: 4, cols: 4 },
      ],
    },
  ]);
});

test('of a region, the cells within it', async () => {
  const region = { left: 2, right: 7 };
  const rules: Rules = [{ id: 'a', on: 'region', region, start: 'two', emit: { kind: 'word' } }];
  expect(cellsOf(await checked('one two three', rules))).toEqual([{ row: null, cells: [{ row: 0, col: 2, cols: 5 }] }]);
});

test('an entry above the viewport has a row above it and no cells, and one that is gone from the screen is not there', async () => {
  const rules: Rules = [{ id: 'a', start: '^(?P<text>\\d+)$', emit: { kind: 'number' } }];
  const above = await checked(`7\r\n${'x\r\n'.repeat(100)}`, rules);
  expect(above.entries).toMatchObject([{ line: 0, row: above.screen.rows - 102, cells: [] }]);
  const tooFar = await checked(`7\r\n${'x\r\n'.repeat(5200)}8\r\n`, rules);
  expect(tooFar.entries).toMatchObject([{ data: { text: '8' } }]);
});

test('differences are those from the entries of now, as far as the rules could find them', async () => {
  const rules: Rules = [{ id: 'a', start: '^(?P<text>\\d+)$', emit: { kind: 'number' } }];
  const { entries } = await checked('1\r\n2\r\n', rules);
  const { differences } = await checked('1\r\n\r\n3\r\n', rules, entries);
  expect(differences.map(({ change, entry }) => `${change} ${String(entry.data['text'])}`)).toEqual([
    'added 3',
    'removed 2',
  ]);
  const onAlternate = await checked('\x1b[?1049h3\r\n', rules, entries);
  expect(onAlternate.differences.map(({ change }) => change)).toEqual(['added']);
});
