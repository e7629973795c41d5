/** Where the player stands, by keys and by the time that passes. */
import { expect, test } from 'vitest';
import { actionsOf, KEYS } from '../../src/playback/keys.js';
import { Playback } from '../../src/playback/player.js';
import { eventsUntil, type Recording, timeOf } from '../../src/playback/recording.js';
import type { TimedEvent } from '../../src/history/recording/recording-event.js';

const output = (atMs: number): TimedEvent => ({ kind: 'output', atMs, bytes: Buffer.from('x') });
const marker = (atMs: number, label: string): TimedEvent => ({ kind: 'marker', atMs, label });

/** At 0, 1, 2 (twice), 8 and 20 s. */
const EVENTS = [
  output(0),
  output(1000),
  marker(2000, 'a'),
  output(2000),
  output(8000),
  marker(8000, 'b'),
  output(20_000),
];
const RECORDING: Recording = {
  format: 'asciicast-v3',
  complete: true,
  repaired: 0,
  start: { kind: 'start', cols: 80, rows: 24 },
  events: EVENTS,
  durationMs: 20_000,
};

const player = (speed = 1): Playback => new Playback(RECORDING, { speed });

test('time passes at the speed, and the end pauses', () => {
  const own = player(4);
  expect(own.index).toBe(1);
  own.pass(250);
  expect([own.atMs, own.index]).toEqual([1000, 2]);
  expect(own.untilNextMs).toBe(250);
  own.pass(100_000);
  expect([own.atMs, own.index, own.playing, own.atEnd]).toEqual([20_000, 7, false, true]);
  own.act('pause');
  expect([own.atMs, own.index, own.playing]).toEqual([0, 1, true]);
});

test('Escape hides the help, and leaves only without it', () => {
  const own = player();
  for (const action of actionsOf('?\x1b')) own.act(action);
  expect([own.helpShown, own.left]).toEqual([false, false]);
  for (const action of actionsOf('\x1b')) own.act(action);
  expect(own.left).toBe(true);
});

test('a pause stops the time', () => {
  const own = player();
  own.act('pause');
  own.pass(5000);
  expect([own.atMs, own.untilNextMs]).toEqual([0, undefined]);
});

test('steps go over what shows nothing, and pause', () => {
  const own = player();
  const steps = (action: 'step_on' | 'step_back', count: number): number[] =>
    Array.from({ length: count }, () => {
      own.act(action);
      return own.index;
    });
  expect(steps('step_on', 5)).toEqual([2, 4, 5, 7, 7]);
  expect(own.playing).toBe(false);
  expect(steps('step_back', 6)).toEqual([6, 4, 3, 1, 0, 0]);
  expect(own.atMs).toBe(0);
});

test('skips stay within the recording, and markers are visited both ways', () => {
  const own = player();
  own.act('pause');
  const times = (
    ['next_marker', 'next_marker', 'next_marker', 'previous_marker', 'back', 'on', 'end', 'on'] as const
  ).map((action) => {
    own.act(action);
    return own.atMs;
  });
  expect(times).toEqual([2000, 8000, 20_000, 8000, 3000, 8000, 20_000, 20_000]);
  expect(own.marker).toBe('b');
});

test('where a marker stands, the one before it is the previous one', () => {
  const own = player();
  own.act('pause');
  const times = (['next_marker', 'next_marker', 'previous_marker', 'previous_marker'] as const).map((action) => {
    own.act(action);
    return own.atMs;
  });
  expect(times).toEqual([2000, 8000, 2000, 0]);
});

test('the speed doubles and halves within bounds', () => {
  const own = player();
  for (let i = 0; i < 10; i++) own.act('faster');
  expect(own.speed).toBe(64);
  for (let i = 0; i < 20; i++) own.act('slower');
  expect(own.speed).toBe(1 / 16);
  own.act('normal_speed');
  expect(own.speed).toBe(1);
});

test('every key of the table is read, alone and in a row; others do nothing', () => {
  for (const { action, keys } of KEYS) for (const key of keys) expect(actionsOf(key)).toEqual([action]);
  expect(actionsOf('\x1b[C\x1b[D xq')).toEqual(['on', 'back', 'pause', 'leave']);
  expect(actionsOf('\x1b[5~zZ\x1b[1;5C')).toEqual([]);
});

test.each([
  ['start', 0],
  ['end', 20_000],
  ['12.5s', 12_500],
  ['1500ms', 1500],
  ['0:02.5', 2500],
  ['-5s', 15_000],
  ['-1h', 0],
  ['1:00:00', 20_000],
  ['marker:b', 8000],
])('the moment %s is at %i ms', (text, ms) => {
  expect(timeOf(text, RECORDING, 'from')).toBe(ms);
});

test.each(['', '12', 'soon', '1:2:3:4', 'marker:none', '--5s'])('the moment "%s" is refused', (text) => {
  expect(() => timeOf(text, RECORDING, 'from')).toThrow(expect.objectContaining({ code: 'invalid_field' }));
});

test('the events until a time are those at that time as well', () => {
  expect([-1, 0, 1999, 2000, 30_000].map((ms) => eventsUntil(RECORDING, ms))).toEqual([0, 1, 2, 4, 7]);
});
