import { describe, expect, test } from 'vitest';
import {
  MAX_COMMAND_FIELDS,
  MAX_FIELD_NAME_BYTES,
  MAX_REQUEST_DEPTH,
  MAX_REQUEST_FIELDS,
  MAX_REQUEST_VALUES,
} from '../../src/protocol/limits.js';
import { excessOf, readLineAhead, requestFields } from '../../src/protocol/request-line.js';
import { seeded } from '../support/rights.js';

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

test('what a text holds is no value, also in a line that is read in steps', () => {
  const random = seeded(20261201);
  const text = (length: number): string =>
    Array.from({ length }, () => String('"\\\\\\,:{}[]a'[Math.floor(random() * 12)])).join('');
  for (let n = 0; n < 60; n++) {
    const value = text(n === 0 ? 3_000_000 : Math.floor(random() * 120));
    const line = (zeros: number): string => `{"a":${JSON.stringify(value)},"b":[${'0,'.repeat(zeros - 1)}0]}`;
    // The object, the list and a comma are values of the count, too.
    const most = MAX_REQUEST_VALUES - 2;
    for (const [zeros, expected] of [
      [most, undefined],
      [most + 1, TOO_MANY],
    ] as const) {
      const bytes = new TextEncoder().encode(line(zeros));
      expect(excessOf(bytes)).toBe(expected);
      while (!readLineAhead(bytes));
      const read = requestFields(bytes);
      if (expected === undefined) expect(read).toEqual(JSON.parse(line(zeros)));
      else expect((read as Error).message).toBe(expected);
    }
  }
});

describe('the fields of a line', () => {
  const fields = (count: number): string => `"a":{${'"b":"c:d",'.repeat(count - 2)}"b":0}`;
  const named = (name: string): string => `{"a":"${':'.repeat(2 * MAX_FIELD_NAME_BYTES)}" , "${name}" : 1}`;

  test('are counted for the request itself, too', () => {
    const own = '"a":{"b":0},'.repeat(MAX_COMMAND_FIELDS - 1);
    expect(excess(`{${own}"a":0}`)).toBeUndefined();
    expect(excess(`{${own}"a":0,"b":0}`)).toBe(`The request has more than ${MAX_COMMAND_FIELDS} fields of its own.`);
  });

  test('are counted, and the length of a name', () => {
    expect(excess(`{${fields(MAX_REQUEST_FIELDS)}}`)).toBeUndefined();
    expect(excess(`{${fields(MAX_REQUEST_FIELDS)},"a":0}`)).toBe(
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
