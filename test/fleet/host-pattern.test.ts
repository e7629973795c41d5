import { describe, expect, test } from 'vitest';
import { fitting, isPattern } from '../../src/fleet/host-pattern.js';

test.each([
  ['gpu-*', true],
  ['*', true],
  ['gpu-1', false],
  ['unix:/run/*.sock', false],
  [undefined, false],
])('whether %j is a pattern of hosts: %s', (host, is) => {
  expect(isPattern(host)).toBe(is);
});

describe('a pattern fits', () => {
  const names = ['gpu-1', 'gpu-22', 'cpu-1', 'a.gpu-1', 'gpu-1'];

  test.each([
    ['gpu-*', ['gpu-1', 'gpu-22']],
    ['*-1', ['gpu-1', 'cpu-1', 'a.gpu-1']],
    ['*.*', ['a.gpu-1']],
    ['*', ['gpu-1', 'gpu-22', 'cpu-1', 'a.gpu-1']],
  ])('%s: each name once, and no other character is special', (pattern, found) => {
    expect(fitting(pattern, names)).toEqual(found);
  });

  test('no host: that is an error', () => {
    expect(() => fitting('tpu*', names)).toThrow(expect.objectContaining({ code: 'host_unknown' }) as Error);
  });
});
