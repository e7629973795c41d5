import { expect, test } from 'vitest';
import { doingWord, type ListedDoing } from '../../src/mirror/doing-word.js';

const claimed = (given: Partial<ListedDoing>): ListedDoing => ({ is: 'working', kind: null, source: '7501', ...given });

test.each<[ListedDoing | undefined, boolean, string]>([
  [undefined, true, ''],
  [claimed({}), true, 'working'],
  [claimed({ is: 'waiting' }), true, 'waiting'],
  [claimed({ is: 'waiting', kind: 'permission' }), true, 'permission'],
  [claimed({ is: 'waiting', kind: 'line', source: 'kernel' }), true, 'waiting'],
  [claimed({ is: 'done' }), true, 'done'],
  [claimed({ source: 'kernel' }), false, ''],
  [claimed({ source: 'shell' }), true, ''],
  [claimed({ source: 'kernel', is: 'exited' }), true, ''],
])('the word for %j, sure %j, is %j', (doing, isSure, word) => {
  expect(doingWord(doing, isSure)).toBe(word);
});
