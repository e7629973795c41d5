/** The bounds of films: of their frames, their pixels and their bytes. */
import { expect, onTestFinished, test } from 'vitest';
import { RecordedClip } from '../../src/playback/clip.js';
import { boundedFrames, filmOf } from '../../src/playback/film.js';
import type { TimedEvent } from '../../src/history/recording/recording-event.js';
import { FONTS_DIR, OPTIONS } from '../render/support/test-renderer.js';
import { THEME } from '../vt/screens.js';

/** Of as many screens, ten milliseconds apart, beside the first one. */
function clipOf(changes: number): RecordedClip {
  const events = Array.from({ length: changes }, (_, i): TimedEvent => {
    return { kind: 'output', atMs: 10 * (i + 1), bytes: Buffer.from(`\r${i}`) };
  });
  const start = { kind: 'start', cols: 8, rows: 1 } as const;
  const durationMs = 10 * changes;
  const recording = { format: 'asciicast-v3', complete: true, repaired: 0, start, events, durationMs } as const;
  const clip = new RecordedClip(recording, { speed: 1, colors: THEME });
  onTestFinished(() => clip.dispose());
  return clip;
}

async function framesIn(clip: RecordedClip, pixelsOfFrame: number): Promise<number> {
  let count = 0;
  for await (const _ of boundedFrames(clip, { ...OPTIONS, fps: 100 }, pixelsOfFrame)) count++;
  return count;
}

test('a film has 20,000 frames, and one of more is refused', async () => {
  expect(await framesIn(clipOf(19_999), 1)).toBe(20_000);
  const error = 'The film would have more than 20000 frames.';
  await expect(framesIn(clipOf(20_000), 1)).rejects.toMatchObject({ code: 'export_too_large', message: error });
});

test('the frames of a film have ten billion pixels, and those of more are refused', async () => {
  expect(await framesIn(clipOf(9), 1_000_000_000)).toBe(10);
  const error = 'The film would have more than 10000000000 pixels in all of its frames.';
  const refused = { code: 'export_too_large', message: error };
  await expect(framesIn(clipOf(9), 1_000_000_001)).rejects.toMatchObject(refused);
});

test.each(['gif', 'apng'] as const)(
  'a film as %s has a number of bytes, beyond which it is refused',
  async (format) => {
    const film = (maxBytes?: number) =>
      filmOf(clipOf(9), {
        ...OPTIONS,
        format,
        fps: 100,
        fontsDir: FONTS_DIR,
        ...(maxBytes !== undefined && { maxBytes }),
      });
    expect(await film()).toMatchObject({ frames: 10 });
    const error = 'The film would have more than 200 bytes.';
    await expect(film(200)).rejects.toMatchObject({ code: 'export_too_large', message: error });
  },
);
