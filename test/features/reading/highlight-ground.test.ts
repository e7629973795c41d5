/** What stands out on a screen: on another ground than most of its cells, the blank ones counted. */
import { expect, test } from 'vitest';
import { finish } from '../../../src/search/work.js';
import { highlightsIn } from '../../../src/features/reading/text-spans.js';
import type { SnapshotRow } from '../../../src/vt/snapshot.js';
import { indexed, rowOf } from '../../render/support/screen.js';

const BUTTON = indexed(4);

function highlighted(rows: readonly SnapshotRow[]): string[] {
  const numbered = rows.map((row, number) => ({ row, number }));
  return finish(highlightsIn(numbered, rows)).map(({ text }) => text);
}

test('a button on an otherwise empty screen stands out', () => {
  expect(highlighted([rowOf(40, [['  OK  ', { bg: BUTTON }]]), rowOf(40, [])])).toEqual(['  OK  ']);
});

test('a hole in a coloured screen stands out', () => {
  const rows = [
    rowOf(20, [
      ['plain', {}],
      ['x'.repeat(15), { bg: BUTTON }],
    ]),
    rowOf(20, [['x'.repeat(20), { bg: BUTTON }]]),
  ];
  expect(highlighted(rows)).toEqual(['plain']);
});

test('the default is the common ground if two grounds are equally large', () => {
  expect(highlighted([rowOf(10, [['five!', { bg: BUTTON }]])])).toEqual(['five!']);
});
