/** Asciicasts of version 1, which are one JSON object: read as they come, whatever their form and length. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsciicastDocument } from '../../../src/history/recording/asciicast-document.js';
import { AsciicastReader } from '../../../src/history/recording/asciicast-reader.js';
import { Timeline } from '../../../src/history/recording/recording-event.js';
import { casesOf } from '../../support/trial.js';
import { linesOf, readAll } from './recordings.js';

const FACTS = '"version":1,"width":40,"height":10';

function read(text: string, partBytes?: number): ReturnType<typeof readAll> {
  return readAll(new AsciicastReader(), Buffer.from(text), partBytes);
}

test('any object with frames is read, in parts of any size, with any other fields', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', '"', '[', ']', '{', '}', ',', ':', 'a', '\u00e9', '\n') });
  const frames = fc.array(fc.tuple(fc.nat(1000), text));
  const extra = fc.jsonValue({ maxDepth: 4 }).filter((value) => JSON.stringify(value).length < 10_000);
  fc.assert(
    fc.property(
      frames,
      extra,
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 1, max: 50 }),
      (stdout, env, last, indent, part) => {
        const facts = { version: 1, width: 40, height: 10, env: { env, stdout: [[1, 'not this']] } };
        const output = { stdout: stdout.map(([ms, printed]) => [ms / 1000, printed]) };
        const whole = last ? { ...facts, ...output } : { ...output, ...facts };
        const events = read(JSON.stringify(whole, null, indent), part);
        expect(events[0]).toEqual({ kind: 'start', cols: 40, rows: 10 });
        const printed = events.map((event) => (event.kind === 'output' ? Buffer.from(event.bytes).toString() : ''));
        expect(printed.slice(1)).toEqual(stdout.map(([, each]) => each));
      },
    ),
  );
});

test('frames are events as soon as they have come', () => {
  const reader = new AsciicastReader();
  reader.push(Buffer.from(`{\n${FACTS},"stdout":[`));
  expect(linesOf(reader.push(Buffer.from('[0.5,"a"],[0.5,"b"],[0.'))).map(([, , text]) => text)).toEqual(['a', 'b']);
  expect(linesOf(reader.push(Buffer.from('5,"c"]')))).toEqual([]);
  expect(linesOf(reader.push(Buffer.from(']}\n')))).toEqual([[1500, 'o', 'c']]);
  expect(reader.end()).toEqual([]);
  expect(reader).toMatchObject({ format: 'asciicast-v1', complete: true });
});

const frames = (count: number, frame = '[0,"xxxxxxxx"]'): string => Array(count).fill(frame).join(',');

/** Its frames take ten seconds: in the suite the bound is lower, below. */
const FIVE_MILLION = 'of five million frames';

const REFUSED: readonly [what: string, text: () => string, error: RegExp][] = [
  ['that is cut off', () => `{${FACTS},"stdout":[[0,"a"]`, /no header of an asciicast/],
  ['with something behind it', () => `{${FACTS},"stdout":[[0,"a"]]} {}`, /no header of an asciicast/],
  ['with a list that ends as an object', () => `{${FACTS},"stdout":[[0,"a"]}}`, /no header of an asciicast/],
  ['with a value behind the list', () => `{${FACTS},"stdout":[[0,"a"]] 5}`, /no header of an asciicast/],
  ['without frames', () => `{${FACTS}}`, /has no "stdout"/],
  ['with frames that are a text', () => `{${FACTS},"stdout":"a"}`, /has no "stdout"/],
  ['with a frame that is none', () => `{${FACTS},"stdout":[[0,"a"],{}]}`, /frame 2 has no output/],
  ['with frames in frames', () => `{${FACTS},"stdout":[[0,${'['.repeat(100)}`, /nested in more than 32 levels/],
  ['of deep fields', () => `{${FACTS},"env":${'{"a":'.repeat(100)}`, /nested in more than 32 levels/],
  [
    'with a field of 2 MB',
    () => `{${FACTS},"env":"${'x'.repeat(2_000_000)}`,
    /A field .* is longer than 1048576 bytes/,
  ],
  [
    'with a frame of 17 MB',
    () => `{${FACTS},"stdout":[[0,"${'x'.repeat(17_000_000)}`,
    /A frame is longer than 16777216/,
  ],
  ['with a frame of many values', () => `{${FACTS},"stdout":[[0,"a"${',0'.repeat(20_000)}]]}`, /frame 1 has no output/],
  [
    'whose size follows 17 MB of output',
    () => `{"stdout":[${frames(130_000)}],${FACTS}}`,
    /too much output before its/,
  ],
  [FIVE_MILLION, () => `{${FACTS},"stdout":[${frames(5_000_001, '[0,""]')}]}`, /more than 5000000 events/],
];

test.each(casesOf(REFUSED, ([what]) => what !== FIVE_MILLION))('a document %s is refused', (_what, text, error) => {
  expect(() => read(text(), 256 * 1024)).toThrow(error);
});

test('as many frames as there may be are read, and one more is refused', () => {
  const document = new AsciicastDocument(new Timeline(), 3);
  document.push(Buffer.from(`{${FACTS},"stdout":[${frames(3)},`));
  expect(() => document.push(Buffer.from(`${frames(1)},`))).toThrow('has more than 3 events');
});
