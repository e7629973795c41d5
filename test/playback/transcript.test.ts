/** A clip as text: each line once, with the time at which it was begun, and full-screen programs as they looked last. */
import { expect, test } from 'vitest';
import { Clip } from '../../src/playback/clip.js';
import type { Recording } from '../../src/playback/recording.js';
import { transcript } from '../../src/playback/transcript.js';
import { THEME } from '../vt/screens.js';

/** An event a second. */
function recordingOf(...outputs: readonly string[]): Recording {
  const events = outputs.map((text, i) => ({ kind: 'output' as const, atMs: i * 1000, bytes: Buffer.from(text) }));
  const start = { kind: 'start', cols: 10, rows: 4 } as const;
  return { format: 'asciicast-v3', complete: true, repaired: 0, start, events, durationMs: events.length * 1000 };
}

async function linesOf(recording: Recording, from?: string): Promise<string[]> {
  const clip = new Clip(recording, { colors: THEME, scrollback: 1000, from, speed: 1 });
  try {
    return (await transcript(clip)).trimEnd().split('\n');
  } finally {
    clip.dispose();
  }
}

test('rows that were printed as one line are one, with the time of its first', async () => {
  expect(await linesOf(recordingOf('a\r\n', '0123456789wrapped\r\n', 'b\r\n'))).toEqual([
    '0:00.0   a',
    '0:00.0   0123456789wrapped',
    '0:01.0   b',
  ]);
});

test('a clip that begins within such a line has its rest', async () => {
  expect(await linesOf(recordingOf('0123456789wra', 'pped\r\nb\r\n'), '0.5s')).toEqual([
    '0:00.5   wrapped',
    '0:00.5   b',
  ]);
});

test('a full-screen program is shown as it was before it was left', async () => {
  const shown = await linesOf(recordingOf('a\r\n', '\x1b[?1049h\x1b[Hedit', '\x1b[?1049lb\r\n'));
  expect(shown).toEqual(['0:00.0   a', '0:00.0   b', '0:02.0   --- full screen ---', '         edit', '         ---']);
});
