/** Places for files that pages send: few, and free again once nothing more comes. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { PART_MS, Upload, UploadPlaces } from '../../src/web/uploads.js';

const PART = Buffer.from('xx').toString('base64');

test('a file of which no part comes for ten seconds makes room for others, and is refused from then on', () => {
  const clock = new FakeClock();
  const places = new UploadPlaces(clock);
  const halves = Array.from({ length: 4 }, () => new Upload('half', 4, places));
  expect(() => new Upload('fifth', 4, places)).toThrow('Other pages are sending files');
  clock.advance(PART_MS - 1);
  const [going, ...stuck] = halves;
  expect(going?.add(PART)).toBe(false);
  clock.advance(PART_MS - 1);
  for (const one of stuck) expect(() => one.add(PART)).toThrow('was sent too slowly');
  for (const [i] of stuck.entries()) expect(new Upload(`next ${i}`, 4, places)).toBeDefined();
  expect(() => new Upload('one more', 4, places)).toThrow('Other pages are sending files');
  expect(going?.add(PART)).toBe(true);
  // It is whole: its place is free when it was read, however long that takes.
  clock.advance(2 * PART_MS);
  for (let i = 0; i < 3; i++) expect(new Upload(`late ${i}`, 4, places)).toBeDefined();
  expect(() => new Upload('one more', 4, places)).toThrow('Other pages are sending files');
  going?.dispose();
  expect(new Upload('last', 4, places)).toBeDefined();
});
