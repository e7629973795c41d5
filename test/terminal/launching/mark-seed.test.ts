import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MarkSeedFile, sweepMarkSeeds } from '../../../src/terminal/launching/mark-seed.js';
import { tempDir } from '../../support/temp-dir.js';

test('the seeds of killed daemons are swept, and those of living ones stay', () => {
  const seed = new MarkSeedFile();
  onTestFinished(() => seed.remove());
  const name = basename(seed.path);
  const { path, join } = tempDir();
  const ofContainer = 't4a-marks-1-9-abc';
  const ofOldContainer = 't4a-marks-1-9-def';
  for (const each of [name, ofContainer, ofOldContainer, 'mine']) writeFileSync(join(each), '');
  utimesSync(join(ofOldContainer), 0, 0);
  sweepMarkSeeds((pid) => pid === process.pid, path);
  expect(readdirSync(path).toSorted()).toEqual([ofContainer, name, 'mine'].toSorted());
  sweepMarkSeeds(() => false, path);
  expect(readdirSync(path).toSorted()).toEqual([ofContainer, 'mine'].toSorted());
});
