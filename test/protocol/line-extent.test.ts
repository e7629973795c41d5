import { describe, expect, test } from 'vitest';
import {
  MAX_FIELD_NAME_BYTES,
  MAX_REQUEST_DEPTH,
  MAX_REQUEST_FIELDS,
  MAX_REQUEST_VALUES,
} from '../../src/protocol/limits.js';
import { excessOf } from '../../src/protocol/request-line.js';

const excess = (line: string): string | undefined => excessOf(new TextEncoder().encode(line));

const TOO_MANY = `The request has more than ${MAX_REQUEST_VALUES} values.`;
const TOO_DEEP = `The request is nested more than ${MAX_REQUEST_DEPTH} levels deep.`;

describe('the values of a line', () => {
  test.each([
    ['elements of a list', (count: number) => `[${'0,'.repeat(count - 1)}0]`],
    ['lists', (count: number) => '[]'.repeat(count)],
    ['objects', (count: number) => '{}'.repeat(count)],
  ])('are counted if they are %s', (_, line) => {
    expect(excess(line(MAX_REQUEST_VALUES))).toBeUndefined();
    expect(excess(line(MAX_REQUEST_VALUES + 1))).toBe(TOO_MANY);
  });
});

describe('the fields of a line', () => {
  const fields = (count: number): string => '"a":{"b":"c:d"},'.repeat(count / 2);
  const named = (name: string): string => `{"a":"${':'.repeat(2 * MAX_FIELD_NAME_BYTES)}" , "${name}" : 1}`;

  test('are counted, and the length of a name', () => {
    expect(excess(`{${fields(MAX_REQUEST_FIELDS)}}`)).toBeUndefined();
    expect(excess(`{${fields(MAX_REQUEST_FIELDS)}"a":0}`)).toBe(
      `The request has more than ${MAX_REQUEST_FIELDS} fields.`,
    );
    expect(excess(named('n'.repeat(MAX_FIELD_NAME_BYTES)))).toBeUndefined();
    expect(excess(named('n'.repeat(MAX_FIELD_NAME_BYTES + 1)))).toBe(
      `The name of a field has more than ${MAX_FIELD_NAME_BYTES} bytes.`,
    );
  });
});

describe('the levels of a line', () => {
  test.each([
    ['lists', '[', ']'],
    ['objects', '{', '}'],
    ['lists of objects', '[{', '}]'],
  ])('are counted if they are levels of %s', (_, open, close) => {
    const levels = MAX_REQUEST_DEPTH / open.length;
    expect(excess(open.repeat(levels))).toBeUndefined();
    expect(excess(open.repeat(levels) + close.repeat(levels))).toBeUndefined();
    expect(excess(open.repeat(levels + 1))).toBe(TOO_DEEP);
  });

  test('that have been closed do not count', () => {
    const part = '['.repeat(MAX_REQUEST_DEPTH) + ']'.repeat(MAX_REQUEST_DEPTH);
    expect(excess(part.repeat(10))).toBeUndefined();
    expect(excess(`${part}${'{'.repeat(MAX_REQUEST_DEPTH + 1)}`)).toBe(TOO_DEEP);
  });
});

describe('a text in a line', () => {
  const many = '['.repeat(MAX_REQUEST_DEPTH + 1);

  test.each(['', 'a', ',', '[', '{', ']', '\\"', '\\\\', '\\"[', '\\\\\\"', '\u00e9', '\u{1f600}'])(
    'is skipped: %j',
    (piece) => {
      expect(excess(`"${piece.repeat(MAX_REQUEST_VALUES + 1)}"`)).toBeUndefined();
      expect(excess(`["${piece}${many}"]`)).toBeUndefined();
      expect(excess(`["${piece}",${many}`)).toBe(TOO_DEEP);
    },
  );

  test('without an end extends to the end of the line', () => {
    for (const end of ['', '\\', '\\"', '[']) expect(excess(`["${many}${end}`)).toBeUndefined();
  });

  test('is skipped separately from other texts', () => {
    expect(excess(`"[","[",${many}`)).toBe(TOO_DEEP);
    expect(excess(`${'"a"'.repeat(1000)}"${many}"`)).toBeUndefined();
  });
});

test('an empty line exceeds no limit', () => {
  expect(excess('')).toBeUndefined();
});
