/** The scope of a command line by the processes around it. */
import { expect, test } from 'vitest';
import { callersScope, type ProcessNames } from '../../../src/cli/prepare/callers-scope.js';

/** Process 30 with parent 20, in the session of 10. */
function processes(overrides: Partial<ProcessNames> = {}, session = 10): ProcessNames {
  const stats: Record<string, string> = {
    self: stat('t4a', session, 3000),
    '10': stat('a) b (c', 10, 1000),
    '20': stat('sh', 10, 2000),
  };
  return {
    pid: 30,
    ppid: 20,
    namespace: () => 'pid:[4026531836]',
    stat(of) {
      const text = stats[of];
      if (text === undefined) throw new Error('ENOENT');
      return text;
    },
    ...overrides,
  };
}

/** Fields 1 to 24 of /proc/PID/stat, of which 6 is the session and 22 the time of the start. */
function stat(name: string, session: number, start: number): string {
  const zeros = (count: number): string => Array.from({ length: count }, () => '0').join(' ');
  return `1 (${name}) S 20 10 ${session} ${zeros(15)} ${start} ${zeros(2)}\n`;
}

test('the scope is the session, with the start of its leader and the namespace of the pids', () => {
  expect(callersScope(processes())).toBe('s10.1000.4026531836');
  const unknown = (): string => {
    throw new Error('EACCES');
  };
  expect(callersScope(processes({ namespace: unknown }))).toBe('s10.1000.');
});

test.each([
  ['leads its session', 30],
  ['has a session whose leader has gone', 11],
  ['has a session of another namespace', 0],
])('the scope of a command that %s is its parent', (_, session) => {
  expect(callersScope(processes({}, session))).toBe('p20.2000.4026531836');
});

test('the scope is the pid of the parent without /proc', () => {
  const none = (): string => {
    throw new Error('ENOENT');
  };
  expect(callersScope(processes({ stat: none, namespace: none }))).toBe('p20..');
});

test('the scope of this process is one that a request may carry', () => {
  expect(callersScope()).toMatch(/^[sp]\d+\.\d*\.\d*$/);
  expect(callersScope().length).toBeLessThanOrEqual(64);
  expect(callersScope()).toBe(callersScope());
});
