/** The fast lane leaves the same state as the library alone, for any output and any cuts. */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../../src/vt/xterm/emulator.js';
import { vtBytes } from '../../../trials/fuzz/vt-bytes.js';
import { Random } from '../../../trials/support/random.js';
import { runsOf } from '../../support/trial.js';
import { cutOutput, SIZES, stateOf, STEPS_ASIDE, Twins } from './lane-output.js';

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
    { numRuns: runsOf({ suite: 300, trial: 10_000 }) },
  );
});

test.each(SIZES)('hostile output leaves the same state in %j', (size) => {
  const seed = Date.now();
  const random = new Random(seed);
  for (let run = runsOf({ suite: 10, trial: 1000 }); run > 0; run--) expectSame(size, [vtBytes(random, 2000)]);
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

  test('a character that the piece before began', () => {
    const twins = lanes();
    const bytes = Buffer.from('é and more');
    twins.write(bytes.subarray(0, 1));
    twins.write(bytes.subarray(1));
    expect(stateOf(twins.ours)).toEqual(stateOf(twins.library));
  });
});

test('a budget ends the lane between two rows of one text', () => {
  const { ours } = lanes();
  const text = Buffer.alloc(12 * 50, 'x');
  const stopped = ours.runLane(text, 0, 1, true);
  expect(stopped).toBe(12);
  expect(ours.fastLane.leftNs).toBeLessThan(0);
  expect(ours.buffer.x).toBe(12);
});
