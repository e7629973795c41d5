/**
 * Lines of /proc/PID/syscall. Those of waiting-lines.tsv were recorded: test/support/programs/waits.c and waits.py, under
 * each C library, x64 on Linux 6.18 and arm64 on Debian's Linux 6.12 (an emulated processor with a kernel of its own).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canProbeInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { parseSystemCall } from '../../../../src/terminal/system/proc/system-calls.js';
import { itNeeds } from '../../../support/programs.js';
import { tempDir } from '../../../support/temp-dir.js';

/** The wait's name says what was asked for: `poll(-1)`, `select(5 s)`, `Python 3.13 epoll()`. */
function expected(wait: string): { family: string; hasTimeLimit: boolean } {
  const family = /(read|select|poll)v?(?:_wait|_pwait)?(?:\(|$)/.exec(wait.replace('epoll', 'EPOLL'))?.[1] ?? 'epoll';
  return { family, hasTimeLimit: /\(5/.test(wait) };
}

const FAMILIES: Readonly<Record<string, string>> = { ppoll: 'poll', epoll2: 'epoll' };

function told(line: string, architecture: string): { family: string | undefined; hasTimeLimit: boolean | undefined } {
  const { call, hasTimeLimit } = parseSystemCall(line, architecture) ?? {};
  return { family: FAMILIES[call ?? ''] ?? call, hasTimeLimit };
}

const RECORDED = readFileSync(new URL('waiting-lines.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => row.split('\t') as [library: string, architecture: string, wait: string, line: string]);

const SYSTEMS = [...new Set(RECORDED.map(([library, architecture]) => `${library}, ${architecture}`))];

describe('a wait for input is detected with its time limit', () => {
  test.each(SYSTEMS)('of %s', (system) => {
    const lines = RECORDED.filter(([library, architecture]) => `${library}, ${architecture}` === system);
    expect(lines.map(([, architecture, wait, line]) => [wait, told(line, architecture)])).toEqual(
      lines.map(([, , wait]) => [wait, expected(wait)]),
    );
  });

  test('with its descriptor, or the address and number of its descriptors', () => {
    for (const [library, architecture, wait, line] of RECORDED) {
      const { call, args = [] } = parseSystemCall(line, architecture) ?? {};
      const [first = 0, second] = args;
      // The recorder's pipe is 3 and its epoll 5; one descriptor is polled.
      if (call === 'read') expect(args, `${library} ${wait}`).toEqual([3]);
      else if (call === 'select') expect(first, `${library} ${wait}`).toBe(4);
      else if (call === 'epoll') expect(first, `${library} ${wait}`).toBe(5);
      else expect([first > 2 ** 20, second], `${library} ${wait}`).toEqual([true, 1]);
    }
  });

  const onLinux = (program: string): typeof test | typeof test.skip => (canProbeInput ? itNeeds(program) : test.skip);
  const check = (recorded: string, count: number): void => {
    const lines = recorded.trimEnd().split('\n');
    expect(lines).toHaveLength(count);
    for (const row of lines) {
      const [wait = '', line = ''] = row.split('\t');
      expect(told(line, arch()), row).toEqual(expected(wait));
    }
  };
  const program = (name: string): string =>
    fileURLToPath(new URL(`../../../support/programs/${name}`, import.meta.url));

  onLinux('cc')("with this machine's C library", () => {
    const waits = tempDir().join('waits');
    execFileSync('cc', ['-o', waits, program('waits.c')]);
    check(execFileSync(waits, { encoding: 'utf8' }), 14);
  });

  onLinux('python3')("with this machine's Python", () => {
    check(execFileSync('python3', [program('waits.py')], { encoding: 'utf8' }), 7);
  });
});

test('an int is the low half of its register, with any upper half', () => {
  fc.assert(
    fc.property(fc.integer(), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (limit, upper) => {
      const register = ((upper << 32n) | BigInt.asUintN(32, BigInt(limit))).toString(16);
      const call = parseSystemCall(
        `7 0x7ffe501be2d0 0x1 0x${register} 0x0 0x0 0x0 0x7ffe501be1c0 0x7fc380504aec`,
        'x64',
      );
      expect(call).toEqual({ call: 'poll', args: [0x7ffe501be2d0, 1, limit], hasTimeLimit: limit >= 0 });
    }),
  );
});

test('a line of /proc/PID/syscall has the call by architecture, and its arguments up to the time limit', () => {
  const line = '270 0x1 0x7ffe501be2d0 0x0 0x0 0x7f 0x7ffe501be200 0x7ffe501be1c0 0x7fc380504aec\n';
  expect(parseSystemCall(line, 'x64')).toEqual({
    call: 'select',
    args: [1, 0x7ffe501be2d0, 0, 0, 0x7f],
    hasTimeLimit: true,
  });
  expect(parseSystemCall('63 0x3 0x0', 'arm64')).toEqual({ call: 'read', args: [3], hasTimeLimit: false });
  expect(parseSystemCall('230 0x0', 'x64')).toEqual({ call: 'sleep', args: [], hasTimeLimit: false });
  expect(parseSystemCall('202 0x5 0x80 0x0 0x0', 'x64')).toMatchObject({ call: 'futex', hasTimeLimit: false });
  expect(parseSystemCall('98 0x5 0x80 0x0 0x7ffe', 'arm64')).toMatchObject({ call: 'futex', hasTimeLimit: true });
  expect(parseSystemCall('61 0x0', 'x64')?.call).toBeUndefined();
  expect(parseSystemCall('0 0x0', 'riscv64')?.call).toBeUndefined();
});

test('a running thread is in no call', () => {
  expect(parseSystemCall('running\n', 'x64')).toBeUndefined();
  expect(parseSystemCall('', 'x64')).toBeUndefined();
});
