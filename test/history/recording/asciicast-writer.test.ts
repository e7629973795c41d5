import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsciicastWriter } from '../../../src/history/recording/asciicast-writer.js';
import { anyText } from '../../support/any-text.js';

const T4A = { terminal: 't1', rev: 0, version: '1' };

test('a header is one line, without the fields that are unknown', () => {
  const header = new AsciicastWriter(0).header({ cols: 80, rows: 24, startedAtMs: 1999, t4a: T4A });
  expect(header).toBe(
    '{"version":3,"term":{"cols":80,"rows":24},"timestamp":1,"t4a":{"terminal":"t1","rev":0,"version":"1"}}\n',
  );
});

test('any text is one line, and the times add up to the milliseconds since the header', () => {
  const entry = fc.tuple(anyText(), fc.double({ min: 0, max: 1000, noNaN: true }));
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
      const writer = new AsciicastWriter(5.4);
      let nowMs = 5.4;
      const lines = entries.map(([text, ms]) => writer.event('o', text, (nowMs += ms)));
      expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
      const events = lines.map((line) => JSON.parse(line) as [number, string, string]);
      expect(events.map(([, , text]) => text)).toEqual(entries.map(([text]) => text));
      const sum = events.reduce((total, [since]) => total + since * 1000, 0);
      expect(Math.round(sum)).toBe(Math.round(nowMs) - 5);
    }),
  );
});

test('a clock that goes back adds no time', () => {
  const writer = new AsciicastWriter(1000);
  expect(writer.event('m', 'a', 500)).toBe('[0,"m","a"]\n');
  expect(writer.event('m', 'b', 1250)).toBe('[0.25,"m","b"]\n');
});
