/** The thread that reads a recording: what it hands over, and how it ends. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type FileEnd, type FileReaderOptions, readFileBeside } from '../../../src/features/recording/file-reader.js';
import type { RecordingEvent } from '../../../src/history/recording/recording-event.js';
import { castV3, type Line, LINES, linesOf } from '../../history/recording/recordings.js';
import { tempDir } from '../../support/temp-dir.js';

function file(content: string | Uint8Array): string {
  const path = tempDir().join('r.cast');
  writeFileSync(path, content);
  return path;
}

const task = (path: string) => ({ path, timing: undefined, grid: {}, durationOnly: false });

async function read(path: string, options: Partial<FileReaderOptions> = {}, more: object = {}) {
  const parts: (readonly RecordingEvent[])[] = [];
  const reading = readFileBeside({ ...task(path), ...more }, { signal: new AbortController().signal, ...options });
  for (;;) {
    const part = await reading.next();
    if (part.done === true) return { parts, events: parts.flat(), end: part.value satisfies FileEnd };
    parts.push(part.value);
  }
}

test('the events of a file come as they are in it, with its facts at the end', async () => {
  const { events, end } = await read(file(gzipSync(castV3())));
  expect(events[0]).toMatchObject({ kind: 'start', cols: 40, rows: 10 });
  expect(linesOf(events)).toEqual(LINES);
  expect(end).toEqual({ format: 'asciicast-v3', complete: true, repaired: 0, durationMs: 2000 });
});

test('the duration comes alone, without an event', async () => {
  const { parts, end } = await read(file(castV3()), {}, { durationOnly: true });
  expect({ parts, durationMs: end.durationMs }).toEqual({ parts: [], durationMs: 2000 });
});

test('events come in parts of a bounded size, however many are in the file', async () => {
  const lines = Array.from({ length: 3000 }, (_, i): Line => [i + 1, 'o', `${i} ${'x'.repeat(500)}\n`]);
  const { parts, events } = await read(file(castV3(lines)));
  expect(linesOf(events)).toEqual(lines);
  const bytesOf = (part: readonly RecordingEvent[]): number =>
    part.reduce((sum, event) => sum + (event.kind === 'output' ? event.bytes.length : 0), 0);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(512);
  expect(Math.max(...parts.map(bytesOf))).toBeLessThan(130 * 1024);
});

test('output of one time is one event, and of output without a byte the last time counts', async () => {
  const lines: Line[] = [
    [1, 'o', 'a'],
    [1, 'o', 'b'],
    [2, 'o', ''],
    [3, 'o', ''],
    [4, 'm', 'here'],
    [4, 'o', 'c'],
  ];
  const { events } = await read(file(castV3(lines)));
  expect(linesOf(events.slice(1))).toEqual([
    [1, 'o', 'ab'],
    [3, 'o', ''],
    [4, 'm', 'here'],
    [4, 'o', 'c'],
  ]);
});

describe('an error', () => {
  test('of the file is what the reader says', async () => {
    const path = file('{"version":4}\n');
    const error = {
      code: 'recording_invalid',
      message: expect.stringContaining('of version 4'),
      details: { field: 'path' },
    };
    await expect(read(path)).rejects.toMatchObject(error);
    await expect(read(`${path}-none`)).rejects.toMatchObject({ code: 'recording_not_found' });
  });

  test('of a file that takes more memory than the thread may have is a refusal, and the process lives', async () => {
    const program = () => 'const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));';
    const reading = read('/tmp/greedy.cast', { program, heapMb: 16 });
    await expect(reading).rejects.toMatchObject({
      code: 'recording_invalid',
      message: '"/tmp/greedy.cast" takes more than 16 MB of memory to read.',
    });
  });

  test('of the thread itself ends the reading', async () => {
    await expect(read('/tmp/x', { program: () => 'throw new Error("a fault")' })).rejects.toThrow('a fault');
    await expect(read('/tmp/x', { program: () => '' })).rejects.toThrow('has ended');
  });
});

test('a reading that is cancelled ends at once, also while its thread is busy', async () => {
  const stopping = new AbortController();
  const reading = read('/tmp/x', { program: () => 'for (;;);', signal: stopping.signal });
  stopping.abort(new Error('the caller has gone'));
  await expect(reading).rejects.toThrow('the caller has gone');
});
