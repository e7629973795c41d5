/** Recordings in memory. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadRecording } from '../../src/playback/recording.js';
import { castV2, castV3, LINES, linesOf } from '../history/recording/recordings.js';
import { tempDir } from '../support/temp-dir.js';

function file(content: string): string {
  const path = tempDir().join('a.cast');
  writeFileSync(path, content);
  return path;
}

test('a recording is its start, its events and its duration', async () => {
  const recording = await loadRecording(file(castV3()));
  expect(linesOf(recording.events)).toEqual(LINES);
  expect(recording).toMatchObject({ start: { cols: 40, rows: 10 }, durationMs: 2000, complete: true });
});

test('pauses are shortened as asked for, or as the file says', async () => {
  expect((await loadRecording(file(castV3()), { idleMs: 100 })).durationMs).toBe(300);
  const limited = castV2().replace('"version":2', '"version":2,"idle_time_limit":0.5');
  expect((await loadRecording(file(limited))).durationMs).toBe(1500);
});

test('a recording of more output than fits into memory is refused', async () => {
  const path = file(castV3(Array.from({ length: 100 }, (_, i) => [i, 'o', 'x'.repeat(100)])));
  await expect(loadRecording(path, { maxBytes: 20_000 })).rejects.toMatchObject({
    code: 'recording_invalid',
    message: expect.stringContaining('more than 20000 bytes'),
  });
  expect((await loadRecording(path, { maxBytes: 30_000 })).events).toHaveLength(100);
});

test('names of markers and input count, and a name is cut at its bound', async () => {
  const long = 'x'.repeat(100_000);
  const path = file(castV3(Array.from({ length: 10 }, (_, i) => [i, 'm', long])));
  const { events } = await loadRecording(path, { maxBytes: 10 * (128 + 2 * 1024) });
  expect(events.map((event) => event.kind === 'marker' && event.label.length)).toEqual(Array(10).fill(1024));
  await expect(loadRecording(path, { maxBytes: 10 * (128 + 2 * 1024) - 1 })).rejects.toMatchObject({
    code: 'recording_invalid',
  });
  const typed = file(castV3([[0, 'i', long]]));
  await expect(loadRecording(typed, { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'recording_invalid' });
});
