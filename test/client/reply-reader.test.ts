import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplyBudget } from '../../src/client/reply-budget.js';
import { ReplyReader, type Header } from '../../src/client/reply-reader.js';
import { encodeLine, encodePaddedLine } from '../../src/protocol/framing.js';

interface Read {
  readonly replies: { header: Header; bytes: string | undefined }[];
  readonly garbage: string[];
  readonly unfinished: boolean;
}

function read(chunks: readonly Uint8Array[]): Read {
  const replies: Read['replies'] = [];
  const garbage: string[] = [];
  const reader = new ReplyReader({
    reply: (header, bytes) => replies.push({ header, bytes: bytes && Buffer.from(bytes).toString('hex') }),
    garbage: (start) => garbage.push(start),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { replies, garbage, unfinished: reader.unfinished };
}

const reply = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  bytes: fc.uint8Array({ maxLength: 30 }),
  padded: fc.boolean(),
});

describe('replies', () => {
  test('are the same for any chunks', () => {
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 30 }), (replies, places) => {
        const whole = Buffer.concat(
          replies.flatMap(({ text, bytes, padded }) => {
            const header = { ok: true, text, len: bytes.length };
            return [padded ? encodePaddedLine(header) : encodeLine(header), bytes];
          }),
        );
        const cuts = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
        const chunks = [0, ...cuts].map((start, i) => whole.subarray(start, cuts[i] ?? whole.length));
        expect(read(chunks)).toEqual({
          replies: replies.map(({ text, bytes }) => ({
            header: { ok: true, text, len: bytes.length },
            bytes: bytes.length === 0 ? undefined : Buffer.from(bytes).toString('hex'),
          })),
          garbage: [],
          unfinished: false,
        });
      }),
    );
  });

  test('are unfinished in the middle of their line and of their bytes', () => {
    expect(read([Buffer.from('{"ok":')]).unfinished).toBe(true);
    expect(read([Buffer.from('{"ok":true,"len":3}\nab')]).unfinished).toBe(true);
    expect(read([Buffer.from('{"ok":true,"len":3}\nabc')]).unfinished).toBe(false);
  });

  test('that failed, and events, carry no raw bytes for any fields', () => {
    const { replies } = read([Buffer.from('{"ok":false,"len":3}\n{"event":"bell","len":3}\n')]);
    expect(replies.map(({ header }) => header['len'])).toEqual([3, 3]);
  });

  test.each([
    'HTTP/1.1 400 Bad Request\r\n',
    '[]\n',
    '{"ok":true,"len":-1}\n',
    '{"ok":true,"len":"x"}\n',
    '{"ok":true,"len":9007199254740991}\n',
    '{"ok":true,"len":1073741825}\n',
    '\n',
  ])('of another protocol are reported once and end the reading: %j', (line) => {
    const { replies, garbage } = read([Buffer.from(line), Buffer.from('{"ok":true}\n')]);
    expect(replies).toEqual([]);
    expect(garbage).toHaveLength(1);
  });
});

describe('with a budget for several connections', () => {
  function readers(count: number) {
    let elsewhere = 0;
    const budget = new ReplyBudget({ mostBytes: 100, mostOfOne: 60, alsoHeld: () => elsewhere });
    const refused: number[] = [];
    let replies = 0;
    const sink = {
      reply: () => void replies++,
      garbage: (start: string) => expect.fail(start),
      noRoom: (bytes: number) => void refused.push(bytes),
    };
    const all = Array.from({ length: count }, () => new ReplyReader(sink, budget));
    const hold = (bytes: number): void => void (elsewhere = bytes);
    return { all, refused, hold, replies: () => replies };
  }
  const announced = (len: number): Buffer => Buffer.from(`{"ok":true,"len":${len}}\n`);

  test('what is announced beyond it is refused, and no memory is made for it', () => {
    const { all, refused } = readers(3);
    const [one, two, three] = all as [ReplyReader, ReplyReader, ReplyReader];
    one.push(announced(50));
    two.push(announced(40));
    three.push(announced(20));
    expect(refused).toEqual([20]);
    one.push(Buffer.alloc(50));
    two.push(announced(500));
    expect(refused).toEqual([20]);
  });

  test('a line without end is refused, and what has come of it is given back', () => {
    const { all, refused, replies } = readers(2);
    const [one, two] = all as [ReplyReader, ReplyReader];
    for (let i = 0; i < 10; i++) one.push(Buffer.from(' '.repeat(10)));
    expect(refused).toEqual([70]);
    two.push(announced(60));
    two.push(Buffer.alloc(60));
    expect([refused, replies()]).toEqual([[70], 1]);
  });

  test('a reader that ends gives back what it held, and what is held elsewhere counts', () => {
    const { all, refused, hold } = readers(3);
    const [one, two, three] = all as [ReplyReader, ReplyReader, ReplyReader];
    one.push(announced(60));
    one.dispose();
    hold(50);
    two.push(announced(50));
    expect(refused).toEqual([]);
    three.push(announced(1));
    expect(refused).toEqual(['{"ok":true,"len":1}'.length]);
  });
});
