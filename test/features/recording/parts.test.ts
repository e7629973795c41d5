/** A recording that grows beyond the length of a file goes on in the next one; each plays alone. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Parts } from '../../../src/base/parts.js';
import { systemClock } from '../../../src/base/clock.js';
import { Recordings } from '../../../src/features/recording/recordings.js';
import { Feed } from '../../../src/terminal/feed.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import { tempDir } from '../../support/temp-dir.js';
import { openScreen, show } from '../../vt/screens.js';

/** Beyond 15/16 of it the next part begins; until an event is written it counts as the longest line that it may become. */
const MAX_BYTES = 20_000;

test('beyond its length a recording goes on in further files, without a line lost, and each plays alone', async () => {
  const dir = tempDir();
  const warnings: string[] = [];
  const all = new Recordings({
    clock: systemClock,
    version: '1',
    env: {},
    warn: (_terminal, message) => warnings.push(message),
    limits: { maxPendingBytes: 1e6, maxBytes: MAX_BYTES, minFreeBytes: 0 },
  });
  const screen = openScreen();
  const feed = new Feed();
  screen.onSlice.on((slice) => feed.slice(slice));
  const parts = new Parts();
  const terminal = { id: 't1', command: ['sh'], alive: true, screen, feed, part: parts.part.bind(parts) };
  const begun: string[] = [];
  await all.start(terminal, { path: dir.join('x.cast'), begin: ({ path }) => begun.push(path) });
  for (let i = 0; i < 1500; i++) await show(screen, `line ${i}\r\n`);
  await all.of(terminal).finish();
  const names = ['x.cast', ...Array.from({ length: begun.length - 1 }, (_, i) => `x.${i + 2}.cast`)];
  expect(begun).toEqual(names.map((name) => dir.join(name)));
  expect(begun.length).toBeGreaterThan(2);
  expect(readdirSync(dir.path).toSorted()).toEqual(names.toSorted());
  expect(warnings).toEqual([]);
  const outputs = names.map((name) => {
    expect(statSync(dir.join(name)).size).toBeLessThanOrEqual(MAX_BYTES);
    const lines = readFileSync(dir.join(name), 'utf8').trimEnd().split('\n').slice(1);
    return lines.map((line) => (JSON.parse(line) as [number, string, string])[2]);
  });
  // The first output of a further part is the repaint.
  const printed = outputs.flatMap((texts, part) => (part === 0 ? texts : texts.slice(1))).join('');
  expect(printed).toBe(Array.from({ length: 1500 }, (_, i) => `line ${i}\r\n`).join(''));
  const last = await show(openScreen(), (outputs.at(-1) ?? []).join(''));
  expect(last.lines.map((row) => rowText(row))).toEqual(screen.snapshot().lines.map((row) => rowText(row)));
  expect(() => all.of(terminal)).toThrow(/is not being recorded/);
});
