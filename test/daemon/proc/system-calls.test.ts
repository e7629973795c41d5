import { expect, test } from 'vitest';
import { parseSystemCall } from '../../../src/daemon/proc/system-calls.js';

test('a line of /proc/PID/syscall tells the call by architecture, and its arguments', () => {
  const line = '270 0x1 0x7ffe501be2d0 0x0 0x0 0x7f 0x7ffe501be200 0x7ffe501be1c0 0x7fc380504aec\n';
  expect(parseSystemCall(line, 'x64')).toMatchObject({ call: 'select' });
  expect(parseSystemCall(line, 'x64')?.args.slice(0, 5)).toEqual([1, 0x7ffe501be2d0, 0, 0, 0x7f]);
  expect(parseSystemCall('63 0x3 0x0', 'arm64')).toEqual({ call: 'read', args: [3, 0] });
  expect(parseSystemCall('230 0x0', 'x64')?.call).toBeUndefined();
  expect(parseSystemCall('0 0x0', 'riscv64')?.call).toBeUndefined();
});

test('a thread that runs is in no call', () => {
  expect(parseSystemCall('running\n', 'x64')).toBeUndefined();
  expect(parseSystemCall('', 'x64')).toBeUndefined();
});
