import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Disposable } from '../../../src/base/lifetime.js';
import { DrawingQueue } from '../../../src/features/pictures/queue.js';

const MOST = 1600;
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Picture {
  readonly bytes: number;
  readonly controller: AbortController;
  place: Disposable | undefined;
  refused: unknown;
}

function ask(line: DrawingQueue, bytes: number): Picture {
  const picture: Picture = { bytes, controller: new AbortController(), place: undefined, refused: undefined };
  line.enter(bytes, picture.controller.signal).then(
    (place) => (picture.place = place),
    (error: unknown) => (picture.refused = error),
  );
  return picture;
}

function isDrawn({ place }: Picture): boolean {
  return place !== undefined;
}

it('pictures are drawn while memory is free, the others in order', async () => {
  const line = new DrawingQueue(() => MOST);
  const pictures = Array.from({ length: 5 }, () => ask(line, 500));
  await turn();
  expect(pictures.map(isDrawn)).toEqual([true, true, false, false, false]);
  expect(line.figures).toEqual({ drawing: 2, waiting: 3, bytes: 1000 });
  pictures[1]?.place?.dispose();
  await turn();
  expect(pictures.map(isDrawn)).toEqual([true, true, true, false, false]);
  for (const { place } of pictures) place?.dispose();
  await turn();
  expect(pictures.map(isDrawn)).toEqual([true, true, true, true, true]);
});

it('a picture larger than the memory is drawn alone, with small ones beside it', async () => {
  const line = new DrawingQueue(() => MOST);
  const giants = [ask(line, 10 * MOST), ask(line, 10 * MOST), ask(line, 200)];
  const small = Array.from({ length: 3 }, () => ask(line, 100));
  await turn();
  expect(giants.map(isDrawn)).toEqual([true, false, false]);
  expect(small.map(isDrawn)).toEqual([true, true, true]);
  giants[0]?.place?.dispose();
  await turn();
  expect(giants.map(isDrawn)).toEqual([true, true, false]);
});

it('a huge picture does not wait forever behind small ones', async () => {
  const line = new DrawingQueue(() => MOST);
  let small = Array.from({ length: 20 }, () => ask(line, 100));
  const giant = ask(line, MOST);
  for (let round = 0; round < 5; round++) {
    await turn();
    expect(isDrawn(giant)).toBe(true);
    small.find(isDrawn)?.place?.dispose();
    small = [...small, ask(line, 100)];
  }
});

it('a disconnected client leaves the queue, and later pictures advance', async () => {
  const line = new DrawingQueue(() => MOST);
  const first = ask(line, 700);
  const large = ask(line, 1100);
  const behind = ask(line, 500);
  await turn();
  expect([large, behind].map(isDrawn)).toEqual([false, false]);
  large.controller.abort(new Error('gone'));
  await turn();
  expect(large.refused).toEqual(new Error('gone'));
  expect(isDrawn(behind)).toBe(true);
  expect(line.figures).toEqual({ drawing: 2, waiting: 0, bytes: 1200 });
  // Who is drawn has left the line; and a place is given back once.
  first.controller.abort(new Error('late'));
  first.place?.dispose();
  first.place?.dispose();
  expect(line.figures).toEqual({ drawing: 1, waiting: 0, bytes: 500 });
  await expect(line.enter(1, AbortSignal.abort(new Error('never there')))).rejects.toThrow('never there');
});

it('the queue never exceeds the memory, never waits without need, and always empties', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('ask' as const), of: fc.integer({ min: 1, max: 1400 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), of: fc.nat(50) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('go' as const), of: fc.nat(50) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const line = new DrawingQueue(() => MOST);
      const pictures: Picture[] = [];
      const ended = new Set<Picture>();
      const end = (picture: Picture): void => {
        picture.place?.dispose();
        ended.add(picture);
      };
      for (const { kind, of } of steps) {
        const waiting = pictures.filter((picture) => !isDrawn(picture) && picture.refused === undefined);
        const drawn = pictures.filter((picture) => isDrawn(picture) && !ended.has(picture));
        if (kind === 'ask') pictures.push(ask(line, of));
        else if (kind === 'go') waiting[of % waiting.length]?.controller.abort(new Error('gone'));
        else if (drawn.length > 0) end(drawn[of % drawn.length] as Picture);
        await turn();
        const { drawing, bytes, waiting: inLine } = line.figures;
        const largest = Math.max(
          0,
          ...pictures.filter((each) => isDrawn(each) && !ended.has(each)).map((each) => each.bytes),
        );
        // One that is larger than the memory of its line is alone there; small ones have a quarter.
        expect(bytes <= MOST || bytes - largest <= MOST / 4).toBe(true);
        if (drawing === 0) expect(inLine).toBe(0);
      }
      for (let left = pictures.length; left > 0; left--) {
        for (const picture of pictures) if (isDrawn(picture)) end(picture);
        await turn();
      }
      expect(line.figures).toEqual({ drawing: 0, waiting: 0, bytes: 0 });
      expect(pictures.every((picture) => isDrawn(picture) !== (picture.refused !== undefined))).toBe(true);
    }),
    { numRuns: 100 },
  );
});
