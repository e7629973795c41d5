import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canProbeInput } from '../../../src/terminal/system/proc/input-probe.js';
import { readSmallFile } from '../../../src/terminal/system/small-file.js';
import { tempDir } from '../../support/temp-dir.js';

describe('a small file', () => {
  test.each([0, 1, 2047, 2048, 2049, 4096, 4097, 100_000])('of %d bytes is read whole', (length) => {
    const file = tempDir().join('file');
    writeFileSync(file, '\u00e9'.repeat(length), 'latin1');
    expect(readSmallFile(file)).toBe('\u00e9'.repeat(length));
  });

  test('that is absent, or a directory, has no text', () => {
    const directory = tempDir();
    expect(readSmallFile(directory.join('none'))).toBeUndefined();
    expect(readSmallFile(directory.path)).toBeUndefined();
  });

  test.runIf(canProbeInput)('of the system has all of its records', () => {
    const children = Array.from({ length: 3 }, () => spawn('sleep', ['60']));
    try {
      const file = `/proc/self/task/${process.pid}/children`;
      expect(readSmallFile(file)).toBe(readFileSync(file, 'latin1'));
      for (const { pid } of children) expect(readSmallFile(file)?.split(' ')).toContain(String(pid));
    } finally {
      for (const child of children) child.kill();
    }
  });
});
