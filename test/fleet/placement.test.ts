/** Which host a new terminal is created on. */
import { expect, test } from 'vitest';
import { fitting } from '../../src/fleet/host-pattern.js';
import { leastBusy } from '../../src/fleet/placement.js';
import { T4aError } from '../../src/protocol/errors.js';

const NAMES = ['a', 'b', 'c', 'd'];

/** The order of the names. */
function inOrder(): () => number {
  let next = 0;
  return () => next++ / 100;
}

function unreachable(host: string): T4aError {
  return new T4aError('host_unreachable', `The host "${host}" cannot be reached.`);
}

test('of two hosts the one with fewer terminals is taken, and no third is asked', async () => {
  const asked: string[] = [];
  const count = async (host: string): Promise<number> => {
    asked.push(host);
    return { a: 7, b: 3 }[host] ?? 0;
  };
  expect(await leastBusy(NAMES, count, inOrder())).toBe('b');
  expect(asked).toEqual(['a', 'b']);
});

test('hosts that do not answer are passed over, and the error of the last is that of all', async () => {
  const onlyD = async (host: string): Promise<number> => {
    if (host === 'd') return 100;
    throw unreachable(host);
  };
  expect(await leastBusy(NAMES, onlyD, inOrder())).toBe('d');
  const none = async (host: string): Promise<number> => {
    throw unreachable(host);
  };
  await expect(leastBusy(NAMES, none, inOrder())).rejects.toMatchObject({ code: 'host_unreachable' });
});

test('over many choices every host is taken', async () => {
  const counts = new Map(NAMES.map((name) => [name, 0]));
  for (let i = 0; i < 100; i++) {
    const host = await leastBusy(NAMES, async (name) => counts.get(name) ?? 0);
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  for (const count of counts.values()) expect(count).toBeGreaterThan(15);
});

test.each([
  ['gpu-*', ['gpu-1', 'gpu-22', 'cpu-1', 'xgpu-1'], ['gpu-1', 'gpu-22']],
  ['*-1', ['gpu-1', 'gpu-12'], ['gpu-1']],
  ['g*1', ['g1', 'gpu-1', 'gpu-2'], ['g1', 'gpu-1']],
  ['a.b*', ['a.b', 'axb'], ['a.b']],
])('%s fits of %j those', (pattern, names, fits) => {
  expect(fitting(pattern, names)).toEqual(fits);
});
