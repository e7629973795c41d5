import { mkdirSync, openSync, closeSync, writeFileSync } from 'node:fs';
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
