/** Files of entries: what is in them, read from their end, after a crash, and when the disk refuses. */
import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Entry, EntryOp } from '../../../src/activity/entry.js';
import { changesIn, type NumberedChange, replayEntries } from '../../../src/protocol/entry-lines.js';
import { ActivityFile, readTail } from '../../../src/features/rules/activity-file.js';
import { EntryLog } from '../../../src/features/rules/entry-log.js';
import { tempDir } from '../../support/temp-dir.js';

function change(n: number, op: EntryOp = 'upsert', id = `e${n}`): NumberedChange {
  const entry: Entry = {
    id,
    terminal: 't1',
    kind: 'error',
    rule: 'r',
    version: n,
    open: op === 'upsert',
    ts: n,
    rev: n,
    line: n,
    lines: 1,
    confidence: 1,
    data: { text: `line ${n} é\n` },
  };
  return { op, n, entry };
}

function newFile(max?: number) {
  const { join } = tempDir();
  const warnings: string[] = [];
  const file = new ActivityFile(
    join('a', '1.jsonl'),
    (message) => warnings.push(message),
    max === undefined ? {} : { maxBytes: max },
  );
  return { file, warnings };
}

it('has each change as a line, and now and then the ids of the open ones', async () => {
  const { file, warnings } = newFile();
  for (let n = 1; n <= 250; n++) file.append(change(n, n % 2 === 0 ? 'finalize' : 'upsert'));
  await file.written();
  const text = readFileSync(file.path, 'utf8');
  expect(changesIn(text)).toHaveLength(250);
  const checkpoints = text.split('\n').filter((line) => line.includes('checkpoint'));
  expect(checkpoints.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([100, 200]);
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
  await file.close();
});

it('is read from its end, by number', async () => {
  const { file } = newFile();
  for (let n = 1; n <= 5000; n++) file.append(change(n));
  await file.close();
  const { changes, gap } = await readTail(file.path, 4998, 100);
  expect([changes.map(({ n }) => n), gap]).toEqual([[4999, 5000], false]);
  const many = await readTail(file.path, 1000, 100_000);
  expect([many.changes.length, many.changes[0]?.n, many.gap]).toEqual([4000, 1001, false]);
  const cut = await readTail(file.path, 0, 100);
  expect([cut.changes.length, cut.changes[0]?.n, cut.gap]).toEqual([100, 4901, true]);
});

it('whose last line was torn by a crash has all lines before it', async () => {
  const { file } = newFile();
  for (let n = 1; n <= 3; n++) file.append(change(n));
  await file.close();
  appendFileSync(file.path, readFileSync(file.path).subarray(0, 40));
  expect((await readTail(file.path, 0, 100)).changes.map(({ n }) => n)).toEqual([1, 2, 3]);
});

it('that is full ends with one warning, and what was written stays', async () => {
  const { file, warnings } = newFile(1000);
  for (let n = 1; n <= 50; n++) file.append(change(n));
  await file.close();
  expect(file.alive).toBe(false);
  expect(warnings).toHaveLength(1);
  const kept = changesIn(readFileSync(file.path, 'utf8'));
  expect(kept.length).toBeGreaterThan(0);
  expect(statSync(file.path).size).toBeLessThanOrEqual(1000);
});

it('follows no link, and overwrites nothing', async () => {
  const { join } = tempDir();
  writeFileSync(join('other'), 'mine');
  symlinkSync(join('other'), join('1.jsonl'));
  const warnings: string[] = [];
  const file = new ActivityFile(join('1.jsonl'), (message) => warnings.push(message));
  file.append(change(1));
  await file.close();
  expect(readFileSync(join('other'), 'utf8')).toBe('mine');
  expect(warnings).toEqual([expect.stringContaining('EEXIST')]);
});

it('replayed, gives the entries that the ring has', async () => {
  const step = fc.record({
    op: fc.constantFrom<EntryOp>('upsert', 'finalize', 'delete'),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { file } = newFile();
      const log = new EntryLog();
      for (const [i, { op, id }] of steps.entries()) {
        const { entry } = change(i + 1, op, id);
        file.append({ op, entry, n: log.add({ op, entry }) });
      }
      await file.close();
      expect(replayEntries(changesIn(readFileSync(file.path, 'utf8')))).toEqual(log.all());
    }),
    { numRuns: 20 },
  );
});
