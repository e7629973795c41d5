import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { KeptTerminal } from '../../../src/features/persistence/kept-terminal.js';
import type { Session } from '../../../src/features/persistence/session-file.js';
import { Writers } from '../../../src/features/recording/writers.js';
import { readRecording } from '../../../src/history/recording/read-recording.js';
import type { RecordingEvent } from '../../../src/history/recording/recording-event.js';
import { Feed } from '../../../src/terminal/feed.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import { tempDir } from '../../support/temp-dir.js';
import { openScreen, show } from '../../vt/screens.js';

/** What arrives is shown at once, as it is in a terminal whose screen keeps up. */
function keep(limits: { maxBytes?: number; maxPendingBytes?: number } = {}) {
  const root = path.join(tempDir().path, 'kept');
  const screen = openScreen();
  const feed = new Feed();
  screen.onSlice.on((slice) => feed.slice(slice));
  const warnings: string[] = [];
  const terminal = { id: 't1', title: 'sh', command: ['sh'], cwd: '/', generation: 1, screen };
  const kept = new KeptTerminal(terminal, {
    root,
    version: '1',
    clock: systemClock,
    writers: new Writers(),
    limits: { maxPendingBytes: 1e6, maxBytes: 1e6, minFreeBytes: 0, ...limits },
    warn: (message) => warnings.push(message),
  });
  feed.add(kept.observer);
  const print = async (text: string): Promise<void> => {
    feed.bytes(Buffer.from(text));
    await show(screen, text);
  };
  const end = async (): Promise<void> => {
    feed.event({ event: 'exit', terminal: 't1', code: 0, signal: null, seq: 1, ts: 0, rev: 0 });
    await kept.finish();
  };
  const session = (): Session => JSON.parse(readFileSync(path.join(kept.folder, 'session.json'), 'utf8')) as Session;
  return { kept, root, screen, feed, warnings, print, end, session };
}

async function eventsOf(folder: string) {
  const events: RecordingEvent[] = [];
  const parts = readRecording(folder);
  for (;;) {
    const part = await parts.next();
    if (part.done === true) return { events, complete: part.value.complete };
    events.push(...part.value);
  }
}

const textOf = (events: readonly RecordingEvent[]): string =>
  events.map((event) => (event.kind === 'output' ? Buffer.from(event.bytes).toString() : '')).join('');

test('a ledger that has its full length ends, and its session says that it was cut', async () => {
  const { kept, print, end, warnings, session } = keep({ maxBytes: 400_000 });
  let whole = '';
  for (let i = 0; i < 600; i++) {
    const line = `${i} ${'x'.repeat(1000)}\r\n`;
    whole += line;
    await print(line);
  }
  await end();
  expect(warnings).toEqual([
    expect.stringMatching(/^Terminal "t1" in \S+ is kept no further: it would be longer than 400000 bytes\.$/),
  ]);
  expect(session()).toMatchObject({
    ledger: { cut: 'it would be longer than 400000 bytes' },
    ended_at: expect.any(Number),
  });
  const { events, complete } = await eventsOf(kept.folder);
  expect(complete).toBe(false);
  expect(whole.startsWith(textOf(events))).toBe(true);
  expect(textOf(events).length).toBeGreaterThan(200_000);
});

test('output beyond the bound on what is not written is counted as missing, and the screen is right again behind it', async () => {
  const { kept, screen, print, end, warnings, session } = keep({ maxPendingBytes: 2000 });
  // In one step of the event loop nothing is written.
  const shown: Promise<void>[] = [];
  for (let i = 0; i < 60; i++) shown.push(print(`${'lost '.repeat(30)}${i}\r\n`));
  await Promise.all(shown);
  await print('the end');
  await end();
  expect(warnings).toEqual([expect.stringContaining('has a gap: its disk is too slow')]);
  const { ledger } = session();
  expect(ledger.missing_bytes).toBeGreaterThan(0);
  const { events, complete } = await eventsOf(kept.folder);
  expect(complete).toBe(false);
  const replayed = openScreen();
  const rows = (await show(replayed, textOf(events))).lines.map((row) => rowText(row));
  expect(rows).toEqual(screen.snapshot().lines.map((row) => rowText(row)));
});

test('bytes that came and were shown no more are counted as missing', async () => {
  const { kept, feed, print, end, session } = keep();
  await print('shown');
  feed.bytes(Buffer.from('dropped'));
  await end();
  expect(session().ledger).toEqual({ bytes: 5, missing_bytes: 7, cut: null });
  expect(await eventsOf(kept.folder)).toMatchObject({ complete: false });
});

test('the folder has the files of the terminal alone, and no half of one', async () => {
  const { kept, root, print, end } = keep();
  await print('x');
  await end();
  expect(readdirSync(root)).toEqual([path.basename(kept.folder)]);
  expect(readdirSync(kept.folder).toSorted()).toEqual(['raw.ptylog', 'session.json']);
  expect(await eventsOf(kept.folder)).toMatchObject({ complete: true });
});
