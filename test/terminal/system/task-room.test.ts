import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskRoom } from '../../../src/terminal/system/task-room.js';
import { tempDir } from '../../support/temp-dir.js';

/** A /proc and a /sys/fs/cgroup of files with that in them. */
function system(files: Readonly<Record<string, string>>): readonly [proc: string, cgroups: string] {
  const dir = tempDir();
  for (const [name, text] of Object.entries({ 'proc/self/uid_map': '0 100000 65536\n', ...files })) {
    const file = dir.join(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [dir.join('proc'), dir.join('cgroup')];
}

const LIMITS = (most: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax cpu time              1                    unlimited            seconds\nMax processes             ${most.padEnd(20)} 96365                processes\nMax open files            3                    4096                 files\n`;

/** Processes of this user's with so many threads each. */
function processes(...threads: number[]): Record<string, string> {
  return Object.fromEntries(
    threads.flatMap((count, pid) =>
      Array.from({ length: count }, (_, thread) => [`proc/${pid + 2}/task/${thread + 2}/stat`, '']),
    ),
  );
}

describe('room for processes and threads', () => {
  it('is unlimited if the system reports nothing', () => {
    expect(taskRoom(...system({}))).toBe(Infinity);
    expect(taskRoom('/nonexistent', '/nonexistent')).toBe(Infinity);
    expect(taskRoom(...system({ 'proc/self/limits': LIMITS('unlimited') }))).toBe(Infinity);
  });

  it('is the limit minus the tasks of all users if that is plenty', () => {
    const files = { 'proc/self/limits': LIMITS('1000'), 'proc/loadavg': '0.20 0.18 0.12 3/700 11206\n' };
    expect(taskRoom(...system(files))).toBe(300);
  });

  it('is counted by threads of the own user if it may be short', () => {
    const files = { 'proc/self/limits': LIMITS('20'), 'proc/loadavg': '0.20 0.18 0.12 3/700 11206\n' };
    expect(taskRoom(...system({ ...files, ...processes(7, 1, 4) }))).toBe(8);
    expect(taskRoom(...system({ ...files, ...processes(30) }))).toBe(-10);
    const atTheEdge = { 'proc/self/limits': LIMITS('300'), 'proc/loadavg': '0 0 0 1/45 1\n' };
    expect(taskRoom(...system({ ...atTheEdge, ...processes(2) }))).toBe(298);
  });

  it('is what the narrowest control group leaves', () => {
    const files = {
      'proc/self/cgroup': '0::/user/session\n',
      'cgroup/user/session/pids.max': 'max\n',
      'cgroup/user/session/pids.current': '12\n',
      'cgroup/user/pids.max': '100\n',
      'cgroup/user/pids.current': '80\n',
      'cgroup/pids.max': '500\n',
      'cgroup/pids.current': '90\n',
    };
    expect(taskRoom(...system(files))).toBe(20);
    expect(taskRoom(...system({ ...files, 'cgroup/pids.current': '495\n' }))).toBe(5);
  });

  it('is found in control groups of version 1 too, and in a container that sees only its own', () => {
    const files = {
      'proc/self/cgroup': '9:name=systemd:/\n8:pids:/docker/0123\n4:memory:/docker/0123\n',
      'cgroup/pids/pids.max': '64\n',
      'cgroup/pids/pids.current': '60\n',
      'cgroup/pids.max': '1\n',
      'cgroup/pids.current': '1\n',
    };
    expect(taskRoom(...system(files))).toBe(4);
    expect(taskRoom(...system({ ...files, 'proc/self/cgroup': '5:cpu,pids:/\n' }))).toBe(4);
    expect(taskRoom(...system({ ...files, 'proc/self/cgroup': '5:cpu,rapids:/\n' }))).toBe(Infinity);
  });

  it.runIf(process.getuid?.() === 0)("is not bounded by a limit on processes for the machine's root", () => {
    const files = { 'proc/self/limits': LIMITS('3'), 'proc/self/uid_map': '         0          0 4294967295\n' };
    expect(taskRoom(...system({ ...files, ...processes(7) }))).toBe(Infinity);
  });

  it('exists on this machine', () => {
    expect(taskRoom()).toBeGreaterThan(0);
  });
});
