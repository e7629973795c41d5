/** The thread that writes recordings: from the first file to the last; its end ends them, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FileWriter } from '../../../src/features/recording/file-writer.js';
import { Writers } from '../../../src/features/recording/writers.js';
import { tempDir } from '../../support/temp-dir.js';

const HEADER = { cols: 80, rows: 24, startedAtMs: 0, t4a: { terminal: 't1', rev: 0, version: '1' } };

function open(writers: Writers, path: string): FileWriter {
  const facts = { path, maxBytes: 1e6, minFreeBytes: 0, header: HEADER, startMs: 0 };
  return new FileWriter({ writers, facts, maxPendingBytes: 1e6, prepared: Promise.resolve(), onDrained: () => {} });
}

test('all files have one thread, which ends with the last of them and starts again with the next', async () => {
  const dir = tempDir();
  const writers = new Writers();
  expect(writers.isRunning).toBe(false);
  for (const round of [1, 2]) {
    const [first, second] = ['a', 'b'].map((name) => open(writers, dir.join(`${name}${round}.cast`)));
    await first?.opened;
    first?.append({ code: 'o', text: new Uint8Array([0x1b, 0x5b, 0x6d]), ms: 1500 });
    first?.append({ code: 'o', text: 'ä', ms: 2000 });
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
  file.append({ code: 'o', text: 'late', ms: 0 });
  await file.finish();
  expect(file.isFull).toBe(false);
});

test('what is appended after the end is not written', async () => {
  const path = tempDir().join('x.cast');
  const file = open(new Writers(), path);
  await file.opened;
  const finished = file.finish();
  file.append({ code: 'o', text: 'late', ms: 10 });
  await Promise.all([finished, file.finish()]);
  expect(readFileSync(path, 'utf8')).not.toContain('late');
});

test('what is appended once the file is closed is not counted', async () => {
  const writers = new Writers(() => "require('node:worker_threads').parentPort.once('message', () => process.exit())");
  const facts = { path: '/none', maxBytes: 1e6, minFreeBytes: 0, header: HEADER, startMs: 0 };
  const file = new FileWriter({
    writers,
    facts,
    maxPendingBytes: 1000,
    prepared: Promise.resolve(),
    onDrained: () => {},
  });
  await expect(file.opened).rejects.toThrow('has ended');
  for (let i = 0; i < 10; i++) file.append({ code: 'o', text: 'late', ms: 0 });
  expect(file.isFull).toBe(false);
});

test('what the file refuses keeps the name that the system has for it', async () => {
  const file = open(new Writers(), tempDir().join('none/x.cast'));
  await expect(file.opened).rejects.toMatchObject({ code: 'ENOENT' });
  await file.finish();
});
