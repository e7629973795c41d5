/** Files of every kind, and what is no recording. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { RecordingEvent } from '../../../src/history/recording/recording-event.js';
import { readRecording, type ReadingEnd, type ReadOptions } from '../../../src/history/recording/read-recording.js';
import { itNeeds } from '../../support/programs.js';
import { tempDir } from '../../support/temp-dir.js';
import { castV3, LINES, linesOf, ttyrec, typescript } from './recordings.js';

async function read(path: string, options?: ReadOptions): Promise<{ events: RecordingEvent[]; end: ReadingEnd }> {
  const events: RecordingEvent[] = [];
  const parts = readRecording(path, options);
  for (;;) {
    const part = await parts.next();
    if (part.done === true) return { events, end: part.value };
    events.push(...part.value);
  }
}

test.each([
  ['an asciicast', castV3(), 'asciicast-v3'],
  ['a compressed one', gzipSync(castV3()), 'asciicast-v3'],
  [
    'two compressed parts',
    Buffer.concat([gzipSync(castV3().slice(0, 100)), gzipSync(castV3().slice(100))]),
    'asciicast-v3',
  ],
  ['a ttyrec', ttyrec(), 'ttyrec'],
])('the format of %s is found by its first bytes, not by its name', async (_name, bytes, format) => {
  const file = tempDir().join('file');
  writeFileSync(file, bytes);
  const { events, end } = await read(file);
  expect(end.format).toBe(format);
  expect(linesOf(events)).toEqual(format === 'ttyrec' ? LINES.filter(([, code]) => code === 'o') : LINES);
});

test('a typescript is read with its timing file, and refused without', async () => {
  const dir = tempDir();
  const own = typescript();
  writeFileSync(dir.join('typescript'), own.typescript);
  writeFileSync(dir.join('timing'), own.timing);
  const { events, end } = await read(dir.join('typescript'), { timing: dir.join('timing') });
  expect(linesOf(events)).toEqual(LINES.filter(([, code]) => code === 'o'));
  expect(end).toEqual({ format: 'script', complete: true, repaired: 0 });
  await expect(read(dir.join('typescript'))).rejects.toMatchObject({
    code: 'recording_invalid',
    message: expect.stringContaining('needs its timing file'),
  });
});

itNeeds('script')('what script(1) has written is read', async () => {
  const dir = tempDir();
  const options = { cwd: dir.path, env: { ...process.env, SHELL: '/bin/sh' } };
  execFileSync('script', ['-q', '-c', 'printf "first\\n"; printf "second\\n"', '-T', 'timing', '-O', 'out'], options);
  const { events } = await read(dir.join('out'), { timing: dir.join('timing') });
  const output = events.flatMap((event) => (event.kind === 'output' ? [Buffer.from(event.bytes).toString()] : []));
  expect(output.join('')).toBe('first\r\nsecond\r\n');
});

test('a compressed file that was cut off gives what was flushed', async () => {
  const file = tempDir().join('torn.cast.gz');
  const bytes = gzipSync(castV3());
  writeFileSync(file, bytes);
  truncateSync(file, bytes.length - 20);
  const { events, end } = await read(file);
  expect(end.complete).toBe(false);
  expect(events[0]).toMatchObject({ kind: 'start' });
});

/** More than a line may have, and a few kilobytes when it is compressed. */
const BLANKS = Buffer.alloc(32 * 1024 * 1024, ' ');

describe('refused is', () => {
  it.each<[string, (path: string) => void, string, RegExp]>([
    ['a file that does not exist', () => {}, 'recording_not_found', /cannot be read: ENOENT/],
    ['a folder', (path) => mkdirSync(path), 'recording_invalid', /is no file/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'recording_invalid', /is no file/],
    ['a link that goes nowhere', (path) => symlinkSync(`${path}-aim`, path), 'recording_not_found', /ENOENT/],
    ['an empty file', (path) => writeFileSync(path, ''), 'recording_invalid', /is empty/],
    ['a text', (path) => writeFileSync(path, 'Dear diary,\n'), 'recording_invalid', /is no recording/],
    [
      'a compressed file that is broken',
      (path) => writeFileSync(path, gzipSync(castV3()).fill(0x55, 30, 60)),
      'recording_invalid',
      /is broken: Z_DATA_ERROR/,
    ],
    ['compressed blanks', (path) => writeFileSync(path, gzipSync(BLANKS)), 'recording_invalid', /is no recording/],
    [
      'a compressed line without end',
      (path) => writeFileSync(path, gzipSync(Buffer.concat([Buffer.from(castV3([])), BLANKS]))),
      'recording_invalid',
      /line 2 is longer than/,
    ],
  ])('%s', async (_what, make, code, message) => {
    const path = tempDir().join('file');
    make(path);
    await expect(read(path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('a compressed file of whole lines is read up to a bound, beyond which it is refused', async () => {
  const file = tempDir().join('bomb.cast.gz');
  const bytes = Buffer.from(castV3(Array.from({ length: 50_000 }, (_, i) => [i, 'o', 'a line of a bomb'])));
  writeFileSync(file, gzipSync(bytes));
  expect((await read(file, { maxInflatedBytes: bytes.length })).end.complete).toBe(true);
  await expect(read(file, { maxInflatedBytes: bytes.length - 1 })).rejects.toMatchObject({
    code: 'recording_invalid',
    message: expect.stringContaining('inflates to more than'),
  });
});

test('in the folder of a terminal no link is followed, also one that was put there after the look', async () => {
  const [dir, others] = [tempDir(), tempDir()];
  mkdirSync(dir.join('kept'));
  writeFileSync(others.join('aim.cast'), castV3());
  symlinkSync(others.join('aim.cast'), dir.join('kept', 'raw.ptylog'));
  await expect(read(dir.join('kept'))).rejects.toMatchObject({
    code: 'recording_invalid',
    message: expect.stringContaining('ELOOP'),
  });
});

test('a link to a recording is followed', async () => {
  const dir = tempDir();
  writeFileSync(dir.join('aim.cast'), castV3());
  symlinkSync(dir.join('aim.cast'), dir.join('link.cast'));
  expect(linesOf((await read(dir.join('link.cast'))).events)).toEqual(LINES);
});
