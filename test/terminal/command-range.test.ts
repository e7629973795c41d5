import { expect, test } from 'vitest';
import { zshMarkColumn } from '../../src/terminal/command-range.js';
import { ATTR_INVERSE } from '../../src/vt/snapshot.js';
import { rowOf, type Run } from '../render/support/screen.js';

const INVERSE = { attrs: ATTR_INVERSE };
/** What zsh fills the row with. */
const BLANKS: Run = [' '.repeat(20)];

test.each<[string, readonly Run[], number | undefined]>([
  ['after text, with blanks up to the end of the row', [['text'], ['%', INVERSE], BLANKS], 4],
  ["as root's", [['text'], ['#', INVERSE], BLANKS], 4],
  ['at the beginning of the row', [['%', INVERSE], BLANKS], 0],
  ['in the last column', [['0123456789'], ['012345678'], ['%', INVERSE]], 19],
  ['nowhere, where the sign is not inverse', [['100%'], BLANKS], undefined],
  ['nowhere, where the inverse character is another', [['text'], ['>', INVERSE], BLANKS], undefined],
  ['nowhere, where something is behind it', [['text'], ['%', INVERSE], [' .'], BLANKS], undefined],
  ['nowhere in a row of blanks', [BLANKS], undefined],
])('the mark of zsh is found %s', (_, runs, col) => {
  expect(zshMarkColumn(rowOf(20, runs))).toBe(col);
});
