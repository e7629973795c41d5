/** The screen of a recording at any event is the same, however it was reached. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Recording } from '../../src/playback/recording.js';
import { Stage } from '../../src/playback/stage.js';
import type { TimedEvent } from '../../src/history/recording/recording-event.js';
import { contentOf, THEME } from '../vt/screens.js';
import { runsOf } from '../support/trial.js';

const PIECES = [
  'text ',
  '\r\n',
  '\x1b[31m',
  '\x1b[2J',
  '\x1b[3;4H',
  '\u4e2d',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?2026h',
  '\x1b[?2026l',
  '\x1b[5',
  'A',
];

const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 12 })) },
);

function recordingOf(given: readonly (string | readonly [number, number])[]): Recording {
  const events = given.map((one, atMs): TimedEvent =>
    typeof one === 'string'
      ? { kind: 'output', atMs, bytes: Buffer.from(one) }
      : { kind: 'resize', atMs, cols: one[0], rows: one[1] },
  );
  const start = { kind: 'start', cols: 20, rows: 6 } as const;
  return { format: 'asciicast-v3', complete: true, repaired: 0, start, events, durationMs: events.length };
}

test('going back and forth shows what going straight there shows', async () => {
  const places = fc.array(fc.nat(30), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 30 }), places, async (events, visited) => {
      const recording = recordingOf(events);
      const wandering = new Stage(recording, { colors: THEME });
      for (const place of visited) {
        const index = Math.min(place, events.length);
        await wandering.show(index);
        const straight = new Stage(recording, { colors: THEME });
        await straight.show(index);
        expect(contentOf(wandering.snapshot())).toEqual(contentOf(straight.snapshot()));
        straight.dispose();
      }
      wandering.dispose();
    }),
    { numRuns: runsOf({ suite: 12, trial: 60 }) },
  );
});

test('a signal ends a long way between two events, and the way goes on from there', async () => {
  const line = `${'x'.repeat(1024)}\r\n`;
  const recording = recordingOf(Array.from({ length: 8000 }, (_, i) => `${i} ${line}`));
  const stage = new Stage(recording, { colors: THEME });
  const controller = new AbortController();
  const way = stage.show(8000, controller.signal);
  controller.abort(new Error('elsewhere'));
  await expect(way).rejects.toThrow('elsewhere');
  expect(stage.index).toBeGreaterThan(0);
  expect(stage.index).toBeLessThan(8000);
  await stage.show(8000);
  const other = new Stage(recording, { colors: THEME });
  await other.show(8000);
  expect(contentOf(stage.snapshot())).toEqual(contentOf(other.snapshot()));
  for (const one of [stage, other]) one.dispose();
});
