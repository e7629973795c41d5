/** Frames between two daemons, cut and damaged as a stream may be. */
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameChannel } from '../../../src/daemon/replacing/frame-channel.js';

/** Nothing here waits so long: a stream that has ended is the end of the frames. */
const WITHIN_MS = 60_000;

const frame = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  blobs: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 3 }),
  words: fc.uint32Array({ maxLength: 5 }),
});

interface Frame {
  readonly text: string;
  readonly blobs?: readonly Uint8Array[];
  readonly words?: Uint32Array;
}

/** A blob that has come is a view of what came. */
const plain = ({ text, blobs = [], words = new Uint32Array() }: Frame): readonly unknown[] => [
  text,
  blobs.map((blob) => Buffer.from(blob).toString('hex')),
  [...words],
];

/** @returns the bytes of each */
function encoded(frames: readonly object[]): Buffer[] {
  let sent: Uint8Array[] = [];
  const socket = { on: () => socket, write: (part: Uint8Array) => sent.push(part) };
  const channel = new FrameChannel<object, object>(socket as unknown as Socket);
  return frames.map((each) => {
    sent = [];
    void channel.send(each);
    return Buffer.concat(sent);
  });
}

interface Received {
  readonly frames: readonly Frame[];
  readonly wrong: string | undefined;
}

/** What a channel makes of these bytes, up to the end of the stream, or to what is no frame. */
async function received(chunks: readonly Uint8Array[]): Promise<Received> {
  const stream = new PassThrough();
  const channel = new FrameChannel<object, Frame>(stream as unknown as Socket);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  const frames: Frame[] = [];
  for (let each = await channel.next(WITHIN_MS); each !== undefined; each = await channel.next(WITHIN_MS))
    frames.push(each);
  return { frames, wrong: channel.wrong };
}

/** In pieces that begin at these places. */
function pieces(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const starts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b)];
  return starts.map((start, at) => bytes.subarray(start, starts[at + 1] ?? bytes.length));
}

/** The words that a frame begins with. */
function head(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [at, word] of words.entries()) bytes.writeUInt32LE(word, 4 * at);
  return bytes;
}

it('a stream cut at any byte gives the frames before the cut, whole, and says whether it ends within one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (frames, place, places) => {
        const parts = encoded(frames);
        const bytes = Buffer.concat(parts);
        const cut = place % (bytes.length + 1);
        let end = 0;
        const whole = parts.filter((part) => (end += part.length) <= cut);
        const isTorn = Buffer.concat(whole).length < cut;
        const got = await received(pieces(bytes.subarray(0, cut), places));
        expect(got.frames.map(plain)).toEqual(frames.slice(0, whole.length).map(plain));
        expect(got.wrong).toBe(isTorn ? 'ends within a frame' : undefined);
      },
    ),
  );
});

it('a frame that is announced larger than is read, or is none, is the last: the frames before it count', async () => {
  const before = { text: 'before' };
  const good = Buffer.concat(encoded([before]));
  const json = Buffer.from('{"kind":"go"');
  for (const [bytes, wrong] of [
    [head(0xffff_ffff, 0), 'has a frame of 4294967303 bytes, of 2147483648 at most'],
    [head(2 ** 31 - 7, 0), 'has a frame of 2147483649 bytes, of 2147483648 at most'],
    [head(2, 0x8000_0000), 'has a frame of 2147483648 blobs'],
    [head(2, 2, 2 ** 31, 2 ** 31), 'has a frame of 4294967314 bytes, of 2147483648 at most'],
    [Buffer.concat([head(json.length, 0), json]), 'has a frame that is none: '],
    [Buffer.concat([head(12, 0), Buffer.from('{"$bytes":0}')]), 'has a frame that is none: There is no blob 0 of 0.'],
    [head(0, 0), 'has a frame that is none: '],
  ] as const) {
    const got = await received([good, bytes, good]);
    expect(got.frames).toEqual([before]);
    expect(got.wrong?.slice(0, wrong.length)).toBe(wrong);
  }
});

it('bytes drawn by chance give a frame or a reason, and throw nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }), async (chunks) => {
      const { frames, wrong } = await received(chunks);
      const isEmpty = chunks.every(({ length }) => length === 0);
      expect(frames.length > 0 || wrong !== undefined).toBe(!isEmpty);
    }),
  );
});
