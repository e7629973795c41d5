/** A gap in the middle of a terminal's past: what goes over it goes on behind it. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import type { Core } from '../../../src/features/core.js';
import { film } from '../../../src/features/past/film.js';
import { forget } from '../../../src/features/past/forget.js';
import { Histories } from '../../../src/features/past/histories.js';
import { pastCast } from '../../../src/features/past/past-cast.js';
import { exportPast } from '../../../src/features/past/past-search.js';
import { readPast } from '../../../src/features/past/past-reads.js';
import type { Call } from '../../../src/rpc/service.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import { ownTerminal } from '../../support/own-terminal.js';
import { openScreen, show } from '../../vt/screens.js';
import { testCall } from '../../support/test-call.js';

const LINES = 1300;

test('casts, films and reads of the scrollback leave out what is forgotten', async () => {
  const limits = { history_bytes: 1 << 20, history_total_bytes: 1 << 24 };
  const all = new Histories({ clock: new FakeClock(), limits: () => limits, memoryLimit: () => 1 << 30 });
  const terminal = ownTerminal({ scrollback: 1000 });
  terminal.feed.add(all.observe(terminal));
  for (let i = 1; i <= LINES; i++) {
    terminal.screen.write(Buffer.from(`line ${i}\r\n`));
    await terminal.screen.settle(60_000);
  }
  const { first, last } = await forget(terminal, { from: 700, to: 800 });
  // Whole pieces of 512 screens.
  expect([first.rev, last.rev]).toEqual([512, 1024]);
  const { signal } = new AbortController();

  const request = { from: undefined, to: 'end', version: 3, title: undefined } as const;
  const { chunks } = await pastCast(terminal, request, signal);
  const made: number[] = [];
  const core = { terminals: { use: () => terminal }, redactor: () => undefined } as unknown as Core;
  const call = { signal, connection: {}, caughtUp: async () => {}, made: (bytes: number) => void made.push(bytes) };
  const params = { id: 't1', to: 'end', format: 'asciicast-v3' } as const;
  const { bytes = [] } = await exportPast(core)(params, call as unknown as Call);
  // Each part counts to its connection when it is made.
  expect(made).toEqual(bytes.map(({ length }) => length));
  expect(made.length).toBeGreaterThan(1);
  const events = Buffer.concat(chunks).toString().trimEnd().split('\n').slice(1);
  const texts = events.map((line) => (JSON.parse(line) as [number, string, string])[2]);
  expect(texts.join('')).not.toMatch(/line (?:600|700|800|1000)\b/);
  const shown = await show(openScreen({ cols: 20, rows: 5 }), texts.join(''));
  expect(shown.lines.map((row) => rowText(row))).toEqual(terminal.snapshot().lines.map((row) => rowText(row)));

  const { frames } = await film(terminal, { from: undefined, to: 'end', maxFrames: 24 }, signal);
  const revisions = frames.map(({ at }) => at.rev);
  expect(revisions.filter((rev) => rev > 512 && rev < 1024)).toEqual([]);
  expect(revisions.at(-1)).toBe(LINES);

  const above = await readPast(terminal, { at: 1200, above: 1000 }, ({ screen }) => screen.scrollbackLines, testCall());
  expect(above.value).toBeLessThanOrEqual(1200 - 1024);
  expect(above.lostLines).toBeGreaterThan(500);
  await expect(readPast(terminal, { at: 700, above: 0 }, () => 0, testCall())).rejects.toMatchObject({
    code: 'moment_lost',
  });
});
