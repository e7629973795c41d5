import { expect, test } from 'vitest';
import { assertMemoryRoom, type SystemMemory, memoryOfSystem } from '../../../src/daemon/replacing/memory-room.js';

const MIB = 1024 * 1024;

type Files = Readonly<Record<string, string>>;

function memory(
  freeMib: number,
  { boundMib = 0, files = {} }: { boundMib?: number; files?: Files } = {},
): SystemMemory {
  return {
    totalBytes: 8192 * MIB,
    boundBytes: boundMib * MIB,
    freeBytes: freeMib * MIB,
    read: (path) => files[path],
  };
}

function refusal(
  residentMib: number,
  on: SystemMemory,
): { readonly message: string; readonly hint: unknown } | undefined {
  try {
    assertMemoryRoom(residentMib * MIB, on);
    return undefined;
  } catch (error) {
    const { message, details } = error as Error & { readonly details?: { readonly hint?: unknown } };
    return { message, hint: details?.hint };
  }
}

test('a daemon is not replaced where no second one of its size has room, and a smaller state is offered', () => {
  expect(refusal(400, memory(441))).toBeUndefined();
  expect(refusal(400, memory(439))?.message).toBe(
    'The daemon was not replaced: there are 439 MiB of memory, and the new daemon may take 440.',
  );
  expect(JSON.stringify(refusal(400, memory(0)))).toContain('t4a replace --scrollback 1000 --no-history');
});

test.each([
  ['version 2', '0::/a/b\n', '/sys/fs/cgroup/a/b/memory.stat', 'anon 5\ninactive_file 314572800\n'],
  ['version 2 in a container', '0::/a/b\n', '/sys/fs/cgroup/memory.stat', 'anon 5\ninactive_file 314572800\n'],
  [
    'version 1',
    '9:name=systemd:/\n4:memory:/x\n0::/\n',
    '/sys/fs/cgroup/memory/x/memory.stat',
    'inactive_file 1\ntotal_inactive_file 314572800\n',
  ],
])('files that a control group has read are no memory that is taken: %s', (_version, groups, path, stat) => {
  const files = { '/proc/self/cgroup': groups, [path]: stat };
  expect(refusal(300, memory(100, { boundMib: 512, files }))).toBeUndefined();
  expect(refusal(400, memory(100, { boundMib: 512, files }))?.message).toContain('there are 400 MiB of memory');
  // Without a bound the system has counted them already.
  expect(refusal(300, memory(100, { files }))?.message).toContain('there are 100 MiB of memory');
});

test('a control group that does not say what it holds is no reason to refuse', () => {
  expect(refusal(400, memory(1, { boundMib: 512 }))).toBeUndefined();
});

test('this machine has room for a small daemon', () => {
  expect(refusal(1, memoryOfSystem())).toBeUndefined();
});
