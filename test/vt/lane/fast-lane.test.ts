/** The fast lane leaves the same state as the library alone, for any output and any cuts. */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/vt/xterm/emulator.js';
import { vtBytes } from '../../../trials/fuzz/vt-bytes.js';
import { Random } from '../../../trials/support/random.js';
import { runsOf, seedOfRun } from '../../support/trial.js';
import { cutAt, cutOutput, SIZES, stateOf, STEPS_ASIDE, Twins } from './lane-output.js';

function expectSame(size: EmulatorOptions, pieces: readonly Uint8Array[]): string {
  const twins = new Twins(size);
  try {
    const texts = pieces.map((piece) => {
      const text = twins.write(piece);
      expect(stateOf(twins.ours), JSON.stringify(pieces.map(String))).toEqual(stateOf(twins.library));
      return text;
    });
    return texts.join('');
  } finally {
    twins.dispose();
  }
}

test('any output, cut anywhere, leaves the same state and passes on the same text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SIZES), cutOutput, (size, pieces) => {
      const text = expectSame(size, pieces);
      expect(text).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(pieces), { stream: true }));
    }),
    { numRuns: runsOf({ suite: 180, trial: 10_000 }) },
  );
});

test.each(SIZES)('hostile output leaves the same state in %j', (size) => {
  const random = new Random(seedOfRun());
  for (let run = runsOf({ suite: 10, trial: 1000 }); run > 0; run--)
    expectSame(size, cutAt(vtBytes(random, 2000), [random.next(), random.next(), random.next()]));
});

function lanes(): Twins {
  const twins = new Twins({ cols: 12, rows: 4, scrollback: 10 });
  onTestFinished(() => twins.dispose());
  return twins;
}

/** Bytes that the lane takes of a text, in one go. */
function taken({ ours }: Twins, text: string): number {
  return ours.runLane(Buffer.from(text), 0, 1e9, false);
}

describe('the lane takes', () => {
  test.each([
    ['text', 'hello'],
    ['lines', 'one\r\ntwo\n\n\nthree\r'],
    ['text that wraps and scrolls', 'x'.repeat(200)],
    ['tabs', 'a\tb\t\t\t\t\tc'],
    ['styles', '\x1b[m\x1b[0;1;2;3;5;7;8;9;53m\x1b[22;23;24;25;27;28;29;55m'],
    ['colours', '\x1b[31;42m\x1b[39;49m\x1b[97;100m\x1b[38;5;200;48;5;17m\x1b[38;2;1;2;3;48;2;4;5;6m'],
  ])('%s', (_, text) => {
    expect(taken(lanes(), text)).toBe(text.length);
  });
});

describe('the lane steps aside for', () => {
  test.each(STEPS_ASIDE.map(([name, sequence, end = '']) => [name, sequence, end] as const))(
    '%s',
    (_, sequence, end) => {
      const before = 'plain \x1b[31mred\r\n';
      const twins = lanes();
      const whole = Buffer.from(`${before}${sequence}`);
      const stopped = twins.ours.runLane(whole, 0, 1e9, false);
      expect(stopped).toBeGreaterThanOrEqual(before.length);
      expect(stopped).toBeLessThan(whole.length);
      for (const text of ['', 'after', '\r\nafter and so on\r\n']) {
        const pieces = [before, 'x', sequence, text, end, 'y\r\nz', '\x1b[0m', 'plain'].map((piece) =>
          Buffer.from(piece),
        );
        expectSame({ cols: 12, rows: 4, scrollback: 10 }, pieces);
        expectSame({ cols: 12, rows: 4, scrollback: 10 }, [Buffer.concat(pieces)]);
      }
    },
  );

  test('text of which a part is beyond ASCII, from the start of that text', () => {
    expect(taken(lanes(), 'one\r\ntwo é')).toBe('one\r\n'.length);
  });
});

/** Each piece begins in the lane, if it may. */
test.each([
  ['the left half of a wide character', ['漢字\x1b[m', '\rx', '漢\x1b[m', '\r', 'yyy']],
  ['the right half of a wide character', ['漢字', '\x1b[2G', 'x']],
  ['cells in insert mode', ['abcdef', '\x1b[4h', '\rxy', '\x1b[4l', 'z']],
  ['the last column, without wrapping', ['\x1b[?7l', 'x'.repeat(30), '\rabc', 'y'.repeat(30), '\x1b[?7h', 'zz']],
  ['the row below the margins', ['\x1b[1;2r', '\x1b[4;1H', 'one\r\ntwo\r\n', '\x1b[r', 'x\n\n\n']],
  ['after a character that never ends', [Buffer.from([0xe6, 0xbc]), 'abc', Buffer.from([0xc3]), '\x1b[31m', 'x']],
  ['after text that the next mark joins', ['abe', '\u0301', 'x\r', '\u0301', 'y\x1b[m', '\u0301']],
  ['after a repeat', ['ab', '\x1b[3b', '\x1b[1m', '\x1b[3b', '\r', '\x1b[3b', 'c\t', '\x1b[3b']],
  ['in the colours of a saved cursor', ['\x1b[1;4;31m\x1b7', '\r\n\x1b[0mplain', '\x1b8', 'x\r\n', '\x1b[mplain']],
])('text over or in %s leaves the same state', (_, pieces) => {
  const bytes = pieces.map((piece) => Buffer.from(piece as string));
  for (const size of [{ cols: 12, rows: 4, scrollback: 10 }, ...SIZES]) expectSame(size, bytes);
});

test('a budget ends the lane between two rows of one text', () => {
  const { ours } = lanes();
  const text = Buffer.alloc(12 * 50, 'x');
  const stopped = ours.runLane(text, 0, 1, true);
  expect(stopped).toBe(12);
  expect(ours.fastLane.leftNs).toBeLessThan(0);
  expect(ours.buffer.x).toBe(12);
});
