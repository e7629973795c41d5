import { mkdirSync, openSync, closeSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { descriptorRoom } from '../../../src/terminal/system/descriptor-room.js';
import { tempDir } from '../../support/temp-dir.js';

/** A /proc of files, with so many descriptors in use and one for the look. */
function system(limit: string | undefined, used: number): string {
  const { join } = tempDir();
  mkdirSync(join('self/fd'), { recursive: true });
  for (let fd = 0; fd < used + 1; fd++) writeFileSync(path.join(join('self/fd'), String(fd)), '');
  if (limit !== undefined)
    writeFileSync(join('self/limits'), `Max processes 7 7\nMax open files            ${limit} 4096 files\n`);
  return join();
}

test('room for descriptors is the limit minus the open ones', () => {
  expect(descriptorRoom(system('64', 20))).toBe(44);
  expect(descriptorRoom(system('20', 20))).toBe(0);
  expect(descriptorRoom(system('unlimited', 20))).toBe(Infinity);
});

test('enough room is seen by the size of the table; a little more is counted', () => {
  const proc = system('256', 20);
  writeFileSync(path.join(proc, 'self/status'), 'Name:\tnode\nFDSize:\t128\n');
  expect(descriptorRoom(proc, 100)).toBe(128);
  expect(descriptorRoom(proc, 129)).toBe(236);
  expect(descriptorRoom(proc)).toBe(236);
  rmSync(path.join(proc, 'self/status'));
  expect(descriptorRoom(proc, 100), 'without the size').toBe(236);
});

test('room for descriptors is unlimited if the system reports nothing', () => {
  expect(descriptorRoom(system(undefined, 3))).toBe(Infinity);
  expect(descriptorRoom('/nonexistent')).toBe(Infinity);
});

test.runIf(process.platform === 'linux')('a file that is opened takes one', () => {
  const before = descriptorRoom();
  const fd = openSync('/dev/null', 'r');
  expect(descriptorRoom()).toBe(before - 1);
  closeSync(fd);
  expect(descriptorRoom()).toBe(before);
});
