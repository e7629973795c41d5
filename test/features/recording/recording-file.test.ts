/** What waits to be written is in memory as it came. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RecordingFile } from '../../../src/features/recording/recording-file.js';
import { weightOf } from '../../../src/features/recording/writer-messages.js';
import { tempDir } from '../../support/temp-dir.js';

test('lines are made a piece at a time, in their order: those that wait take no more memory than what they are made of', async () => {
  const path = tempDir().join('x.cast');
  const madeAtPieces: number[] = [];
  let made = 0;
  const file = new RecordingFile({
    path,
    maxBytes: 1e9,
    minFreeBytes: 0,
    onWritten: () => madeAtPieces.push(made),
  });
  const lines = Array.from({ length: 40 }, (_, i) => `${i} ${'\\u001b'.repeat(20_000)}\n`);
  for (const line of lines) {
    file.append(() => {
      made++;
      return line;
    }, 20_000);
  }
  expect(made).toBe(0);
  await file.finish();
  // Of 256 KiB at least, the last line of which has 120 KB; then none.
  expect(madeAtPieces.slice(0, 3)).toEqual([3, 6, 9]);
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
});

test('an event counts as much as it takes: a string may have two bytes for each of its units', () => {
  expect(weightOf({ code: 'o', text: '\u4e2d'.repeat(1000), ms: 0 })).toBeGreaterThan(2000);
  expect(weightOf({ code: 'o', text: new Uint8Array(1000), ms: 0 })).toBeGreaterThan(1000);
  // A flood of single letters must not hide objects.
  expect(weightOf({ code: 'o', text: 'x', ms: 0 })).toBeGreaterThan(200);
});
