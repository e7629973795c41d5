/** Lines of streams as bytes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { streamLine } from '../../src/rpc/encoded-lines.js';

/** Counts how often it becomes JSON. */
class Counted {
  count = 0;
  readonly #text: string;

  constructor(text = 'a') {
    this.#text = text;
  }

  toJSON(): object {
    this.count++;
    return { event: 'bell', text: this.#text };
  }
}

const textOf = (line: object, req?: string | number): string => Buffer.from(streamLine(line, req)).toString();

test('an event is encoded once for all of its subscribers, shared streams among them', () => {
  const [first, second] = [new Counted(), new Counted()];
  for (let i = 0; i < 300; i++) for (const event of [first, second]) streamLine(event, i % 2 === 0 ? undefined : i);
  expect([first.count, second.count]).toEqual([1, 1]);
});

test('only a few are kept, and none that is long', () => {
  const early = new Counted();
  streamLine(early, undefined);
  for (let i = 0; i < 64; i++) streamLine(new Counted(), undefined);
  streamLine(early, undefined);
  expect(early.count).toBe(2);
  const long = new Counted('x'.repeat(17_000));
  for (let i = 0; i < 2; i++) streamLine(long, undefined);
  expect(long.count).toBe(2);
});

test('a line is its object, with its req first if it has one', () => {
  const req = fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined });
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().map((name) => `n${name}`),
        fc.jsonValue(),
      ),
      req,
      (fields, own) => {
        const text = textOf(fields, own);
        expect(text).toBe(`${JSON.stringify(own === undefined ? fields : { req: own, ...fields })}\n`);
      },
    ),
  );
});
