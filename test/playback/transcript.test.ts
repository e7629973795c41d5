/** A clip as text: each line once, with the time at which it was begun, and full-screen programs as they looked last. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordedClip } from '../../src/playback/clip.js';
import type { Recording } from '../../src/playback/recording.js';
import { transcript } from '../../src/playback/transcript.js';
import { runsOf } from '../support/trial.js';
import { THEME } from '../vt/screens.js';

/** An event a second. */
function recordingOf(...outputs: readonly string[]): Recording {
  const events = outputs.map((text, i) => ({ kind: 'output' as const, atMs: i * 1000, bytes: Buffer.from(text) }));
  const start = { kind: 'start', cols: 10, rows: 4 } as const;
  return { format: 'asciicast-v3', complete: true, repaired: 0, start, events, durationMs: events.length * 1000 };
}

async function linesOf(recording: Recording, from?: string): Promise<string[]> {
  const clip = new RecordedClip(recording, { colors: THEME, scrollback: 1000, from, speed: 1 });
  try {
    return (await transcript(clip)).trimEnd().split('\n');
  } finally {
    clip.dispose();
  }
}

test('rows that were printed as one line are one, with the time of its first', async () => {
  expect(await linesOf(recordingOf('a\r\n', '0123456789wrapped\r\n', 'b\r\n'))).toEqual([
    '0:00.0   a',
    '0:01.0   0123456789wrapped',
    '0:02.0   b',
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
  expect(shown).toEqual(['0:00.0   a', '0:02.0   b', '0:02.0   --- full screen ---', '         edit', '         ---']);
});

test.each([
  ['a clear, in the same piece as what follows', ['a\r\nb\r\n', 'c', '\x1b[H\x1b[2Jnew\r\n', 'last']],
  ['a clear of all', ['a\r\nb\r\nc\r\nd\r\ne\r\n', '', '\x1b[H\x1b[2J\x1b[3Jnew\r\n', 'last']],
  ['an erasure, and text later', ['a\r\nb\r\n', '\x1b[H\x1b[J', 'new\r\n', 'last']],
  ['a reset', ['a\r\nb\r\n', '', '\x1bcnew\r\n', 'last']],
])('after %s each line has the time at which it was begun anew', async (_, outputs) => {
  const shown = await linesOf(recordingOf(...outputs));
  expect(shown.slice(-2)).toEqual(['0:02.0   new', '0:03.0   last']);
});

test('lines keep their times as they leave a scroll region, and the whole screen', async () => {
  expect(await linesOf(recordingOf('a\r\nb\r\n', 'c\r\n\x1b[2;4r\x1b[4H\n\x1b[r\x1b[4Hd', '\r\ne\r\nf'))).toEqual([
    '0:00.0   a',
    '0:01.0   c',
    '',
    '0:01.0   d',
    '0:02.0   e',
    '0:02.0   f',
  ]);
});

test('lines keep their times in another size', async () => {
  const { events, ...recording } = recordingOf('a\r\n0123456789\r\n', 'b\r\n', 'c');
  const size = { kind: 'resize', atMs: 1500, cols: 6, rows: 4 } as const;
  const [first, second, third] = events;
  const all = [first, second, size, third].flatMap((each) => each ?? []);
  expect(await linesOf({ ...recording, events: all })).toEqual([
    '0:00.0   a',
    '0:00.0   0123456789',
    '0:01.0   b',
    '0:02.0   c',
  ]);
});

/** Each begins a line that was blank before, or takes lines away; the screen has 4 rows. */
const BEGUN: Readonly<Record<string, (mark: string) => string>> = {
  'a line': (mark) => `${mark}\r\n`,
  'two lines': (mark) => `${mark}\r\n${mark}\r\n`,
  'six lines': (mark) => `${mark}\r\n`.repeat(6),
  'a clear': (mark) => `\x1b[H\x1b[2J${mark}\r\n`,
  'a clear from the top down': (mark) => `\x1b[H\x1b[J${mark}\r\n`,
  'a clear with the scrollback': (mark) => `\x1b[H\x1b[2J\x1b[3J${mark}\r\n`,
  'a clear of the scrollback alone': (mark) => `\x1b[3J${mark}\r\n`,
  'a reset': (mark) => `\x1bc${mark}\r\n`,
  'an inserted line': (mark) => `\r\x1b[L${mark}\r\n`,
  'a deleted line': (mark) => `\x1b[A\r\x1b[M\x1b[4H\r\n${mark}\r\n`,
  'a screen that is scrolled up': (mark) => `\x1b[2S\x1b[4H\r\n${mark}\r\n`,
  'a screen that is scrolled down': (mark) => `\x1b[T\x1b[H${mark}\x1b[4H\r\n`,
  'a region that scrolls': (mark) => `\x1b[1;3r\x1b[3H\n${mark}\x1b[r\x1b[4H\r\n`,
  'a full-screen program': (mark) => `\x1b[?1049h\x1b[Hfull\x1b[?1049l${mark}\r\n`,
  nothing: () => '',
};

test('each line has the time at which it was begun, also after clears, resets and moves', async () => {
  let shownLines = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(BEGUN)), { minLength: 1, maxLength: 12 }),
      async (names) => {
        const outputs = names.map((name, i) => BEGUN[name]?.(`L${i}`) ?? '');
        for (const line of await linesOf(recordingOf(...outputs))) {
          const [, minutes, seconds, mark] = /^(\d+):(\d\d)\.0 +L(\d+)$/.exec(line) ?? [];
          if (mark === undefined) {
            expect(line, JSON.stringify(names)).toMatch(/^$|^.{9}full$|--- full screen ---$|^ +---$/);
            continue;
          }
          shownLines++;
          expect(60 * Number(minutes) + Number(seconds), `${JSON.stringify(names)}: ${line}`).toBe(Number(mark));
        }
      },
    ),
    { numRuns: runsOf({ suite: 60, trial: 3000 }) },
  );
  expect(shownLines).toBeGreaterThan(60);
});
