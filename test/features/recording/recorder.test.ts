import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Parts } from '../../../src/base/parts.js';
import { systemClock } from '../../../src/base/clock.js';
import { Feed } from '../../../src/terminal/feed.js';
import { Recorder, type RecordingLimits } from '../../../src/features/recording/recorder.js';
import { Writers } from '../../../src/features/recording/writers.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import type { SnapshotRow } from '../../../src/vt/snapshot.js';
import { itMounts, mountTmpfs } from '../../support/mounts.js';
import { tempDir } from '../../support/temp-dir.js';
import { openScreen, show } from '../../vt/screens.js';

const LIMITS: RecordingLimits = { maxPendingBytes: 2000, maxBytes: 1e6, minFreeBytes: 0 };

function open(
  limits: Partial<RecordingLimits> = {},
  { prepared = Promise.resolve(), path = tempDir().join('x.cast') }: { prepared?: Promise<void>; path?: string } = {},
) {
  const screen = openScreen();
  const feed = new Feed();
  screen.onSlice.on((slice) => feed.slice(slice));
  const warnings: string[] = [];
  const parts = new Parts();
  const recorder = new Recorder(
    { id: 't1', command: ['sh'], alive: true, screen, feed, part: parts.part.bind(parts) },
    {
      path,
      title: undefined,
      version: '1',
      clock: systemClock,
      writers: new Writers(),
      limits: { ...LIMITS, ...limits },
      prepared,
      warn: (message) => warnings.push(message),
    },
  );
  const lines = () => readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  return {
    screen,
    recorder,
    warnings,
    events: () => lines().map((line) => JSON.parse(line) as [number, string, string]),
  };
}

test('output beyond the bound is left out, and a marker and a repaint follow', async () => {
  // The disk takes nothing yet.
  let release = (): void => {};
  const prepared = new Promise<void>((resolve) => (release = resolve));
  const { screen, recorder, warnings, events } = open({}, { prepared });
  for (let i = 0; i < 40; i++) await show(screen, `${'lost '.repeat(20)}${i}\r\n`);
  await show(screen, 'the end');
  release();
  await recorder.finish();
  expect(recorder.gaps).toBeGreaterThan(0);
  expect(warnings[0]).toMatch(/^The recording \S+ of terminal "t1" has a gap/);
  expect(events().map(([, code, text]) => `${code} ${text}`)).toContain('m gap');
  const replayed = openScreen();
  const shown = await show(
    replayed,
    events()
      .flatMap(([, code, text]) => (code === 'o' ? [text] : []))
      .join(''),
  );
  expect(shown.lines.map((row) => rowText(row))).toEqual(screen.snapshot().lines.map((row) => rowText(row)));
});

test('a recording that reaches its size ends with a warning and whole lines', async () => {
  // However slow the disk is, nothing is left out.
  const { screen, recorder, warnings, events } = open({ maxBytes: 1000, maxPendingBytes: 1e6 });
  await recorder.opened;
  await show(screen, 'the first line\r\n');
  // What is written in one piece ends with that piece.
  await expect.poll(events).not.toEqual([]);
  for (let i = 0; warnings.length === 0; i++) await show(screen, `line ${i}\r\n`);
  await recorder.closed;
  expect(warnings).toEqual([expect.stringMatching(/has ended early: it would be longer than 1000 bytes\.$/)]);
  expect(events()[0]?.[2]).toBe('the first line\r\n');
});

itMounts('on a full disk a recording ends with a warning and whole lines, and the screen goes on', async () => {
  const dir = tempDir().join('full');
  mountTmpfs(dir, 'size=64k');
  const { screen, recorder, warnings, events } = open({ maxPendingBytes: 1e6 }, { path: `${dir}/x.cast` });
  await recorder.opened;
  await show(screen, `line 0 ${'x'.repeat(1000)}\r\n`);
  // What is written in one piece ends with that piece.
  await expect.poll(events).not.toEqual([]);
  for (let i = 1; warnings.length === 0; i++) await show(screen, `line ${i} ${'x'.repeat(1000)}\r\n`);
  await recorder.closed;
  expect(warnings).toEqual([expect.stringMatching(/has ended early: ENOSPC/)]);
  expect(events()[0]?.[2]).toMatch(/^line 0 x+/);
  expect(rowText((await show(screen, '\x1b[2J\x1b[Hon')).lines[0] as SnapshotRow)).toMatch(/^on/);
});

test('a disk without the free space is refused before the file exists', async () => {
  const { recorder } = open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
  await expect(recorder.opened).rejects.toThrow('the disk has less than');
});

itMounts(
  'once a disk has less than the free space, a recording ends with a warning, also one of markers alone',
  async () => {
    const dir = tempDir().join('small');
    mountTmpfs(dir, 'size=64m');
    const limits = { maxPendingBytes: 1e9, maxBytes: 1e9, minFreeBytes: 40 << 20 };
    const { recorder, warnings } = open(limits, { path: `${dir}/x.cast` });
    await recorder.opened;
    for (let i = 0; warnings.length === 0 && i < 60_000; i++) {
      recorder.mark('x'.repeat(1024));
      // The file is written between.
      if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await recorder.closed;
    expect(warnings).toEqual([expect.stringMatching(/has ended early: the disk has less than 41943040 bytes/)]);
  },
);
