/** The thread that writes recordings: from the first file to the last; its end ends them, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { FileWriter } from '../../../src/features/recording/file-writer.js';
import { Writers } from '../../../src/features/recording/writers.js';
import { tempDir } from '../../support/temp-dir.js';

const HEADER = { cols: 80, rows: 24, startedAtMs: 0, t4a: { terminal: 't1', rev: 0, version: '1' } };

const clock = new FakeClock();

function open(writers: Writers, path: string, maxPendingBytes = 1e6): FileWriter {
  const facts = { path, maxBytes: 1e6, minFreeBytes: 0, header: HEADER, startMs: clock.now() };
  const onGap = (): never => {
    throw new Error('a gap');
  };
  const afterGap = (): [] => [];
  return new FileWriter({ writers, facts, maxPendingBytes, clock, prepared: Promise.resolve(), onGap, afterGap });
}

test('all files have one thread, which ends with the last of them and starts again with the next', async () => {
  const dir = tempDir();
  const writers = new Writers();
  expect(writers.isRunning).toBe(false);
  for (const round of [1, 2]) {
    const [first, second] = ['a', 'b'].map((name) => open(writers, dir.join(`${name}${round}.cast`)));
    await first?.opened;
    clock.advance(1500);
    first?.put('o', new Uint8Array([0x1b, 0x5b, 0x6d]));
    clock.advance(500);
    first?.put('o', 'ä');
    await first?.finish();
    expect(writers.isRunning).toBe(true);
    await second?.finish();
    expect(writers.isRunning).toBe(false);
    const lines = readFileSync(dir.join(`a${round}.cast`), 'utf8').split('\n');
    expect(lines.slice(1)).toEqual(['[1.5,"o","\\u001b[m"]', '[0.5,"o","ä"]', '']);
    expect(first?.size).toBe(Buffer.byteLength(lines.join('\n')));
  }
});

test('an error of the thread ends its files with a reason', async () => {
  const broken = "require('node:worker_threads').parentPort.on('message', () => { throw new Error('no memory'); })";
  const file = open(new Writers(() => broken), tempDir().join('x.cast'));
  await expect(file.opened).rejects.toThrow('the thread that writes it has ended: no memory');
  expect((await file.closed)?.message).toMatch(/no memory/);
  // Without effect, and without an error.
  expect(file.put('o', 'late')).toBe(false);
  await file.finish();
});

test('what is appended after the end is not written', async () => {
  const path = tempDir().join('x.cast');
  const file = open(new Writers(), path);
  await file.opened;
  const finished = file.finish();
  expect(file.put('o', 'late')).toBe(false);
  await Promise.all([finished, file.finish()]);
  expect(readFileSync(path, 'utf8')).not.toContain('late');
});

test('what is appended once the file is closed is not counted', async () => {
  const writers = new Writers(() => "require('node:worker_threads').parentPort.once('message', () => process.exit())");
  const file = open(writers, '/none', 1000);
  await expect(file.opened).rejects.toThrow('has ended');
  // Counted, they would begin a gap.
  for (let i = 0; i < 10; i++) expect(file.put('o', 'late')).toBe(false);
});

test('what the file refuses keeps the name that the system has for it', async () => {
  const file = open(new Writers(), tempDir().join('none/x.cast'));
  await expect(file.opened).rejects.toMatchObject({ code: 'ENOENT' });
  await file.finish();
});
