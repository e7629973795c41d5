import { expect, test } from 'vitest';
import { milliseconds } from '../../../src/cli/argv/duration.js';
import { parseCommandLine } from '../../../src/cli/argv/parse.js';
import { turnFields } from '../../../src/cli/prepare/turn.js';
import { host } from '../../support/host.js';

test.each([
  ['0', 0],
  ['500', 500],
  ['500ms', 500],
  ['5s', 5000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['', undefined],
  ['s', undefined],
  ['-5s', undefined],
  ['1.5', undefined],
  ['0.0001s', undefined],
  ['5 s', undefined],
  ['5d', undefined],
  ['1e3', undefined],
  ['99999999999999999999h', undefined],
])('the time %j is %j ms', (text, ms) => {
  expect(milliseconds(text)).toBe(ms);
});

test('flags of times and conditions take a unit', () => {
  const { options, params } = parseCommandLine(['wait', 't1', '--settled', '1s', '--timeout-ms=2m']) ?? {};
  expect([options?.['settled_ms'], params?.['timeout_ms']]).toEqual([1000, 120_000]);
  expect(turnFields({ wait: ['settled=1s', 'idle=250ms'] }, host())).toEqual({
    wait: { until: [{ settled_ms: 1000 }, { idle_ms: 250 }] },
  });
});

test.each(['soon', '5x', '-1'])('the time %j is refused with what is expected', (text) => {
  expect(() => parseCommandLine(['wait', 't1', '--settled=' + text])).toThrow(
    `--settled is "${text}": expected a time, such as 500, 500ms, 5s or 2m.`,
  );
});
