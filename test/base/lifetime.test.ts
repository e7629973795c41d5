import { expect, test } from 'vitest';
import { DisposableScope } from '../../src/base/lifetime.js';

test('a scope disposes of its members in reverse order, once, and of later members at once', () => {
  const scope = new DisposableScope();
  const ended: string[] = [];
  scope.defer(() => ended.push('first'));
  const second = { dispose: () => void ended.push('second') };
  expect(scope.add(second)).toBe(second);
  expect(scope.disposed).toBe(false);
  scope.dispose();
  scope.dispose();
  expect(ended).toEqual(['second', 'first']);
  expect(scope.disposed).toBe(true);
  scope.defer(() => ended.push('late'));
  expect(ended).toEqual(['second', 'first', 'late']);
});
