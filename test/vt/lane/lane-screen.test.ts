/** A screen with the fast lane shows, reports and keeps the same as one without, after each piece of output. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Screen, type ScreenOptions } from '../../../src/vt/screen.js';
import { runsOf } from '../../support/trial.js';
import { rowContent, THEME } from '../screens.js';
import { cutOutput, SIZES } from './lane-output.js';

/** Its output is parsed by the library alone. */
class LanelessScreen extends Screen {
  constructor(options: ScreenOptions) {
    super(options);
    this.emulator.runLane = (_bytes, start) => start;
  }
}

class Observed {
  readonly screen: Screen;
  readonly events: unknown[] = [];
  text = '';
  #rows: readonly object[] = [];

  constructor(screen: Screen) {
    this.screen = screen;
    const { onReply, onEffect, onUnknownSequence, onQuery, onParsed, onFault } = screen;
    const emitters = { onReply, onEffect, onUnknownSequence, onQuery, onParsed, onFault };
    for (const [name, emitter] of Object.entries(emitters)) {
      (emitter.on as (listener: (event: unknown) => void) => void)((event) => this.events.push([name, event]));
    }
    screen.onSlice.on((slice) => {
      if (slice.kind === 'output') this.text += Buffer.from(slice.text).toString();
    });
  }

  async write(bytes: Uint8Array): Promise<object> {
    this.screen.write(bytes);
    await this.screen.settle(60_000);
    const snapshot = this.screen.snapshot();
    const kept = snapshot.lines.map((row) => this.#rows.indexOf(row));
    this.#rows = snapshot.lines;
    const { firstLineNumber, totalLines, revisionFloor, modes } = this.screen;
    const lines = Array.from({ length: totalLines }, (_, index) => {
      const row = this.screen.row(index);
      return [row && rowContent(row), this.screen.lineRevision(firstLineNumber + index)];
    });
    return { ...snapshot, lines, kept, firstLineNumber, totalLines, revisionFloor, modes };
  }
}

async function expectSame(size: (typeof SIZES)[number], pieces: readonly Uint8Array[]): Promise<void> {
  const options = { ...size, colors: THEME, version: '1.2.3' };
  const ours = new Observed(new Screen(options));
  const library = new Observed(new LanelessScreen(options));
  try {
    for (const piece of pieces) expect(await ours.write(piece)).toEqual(await library.write(piece));
    expect(ours.events).toEqual(library.events);
    expect(ours.text).toBe(library.text);
    expect(ours.screen.freeze()).toEqual(library.screen.freeze());
  } finally {
    ours.screen.dispose();
    library.screen.dispose();
  }
}

test('any output, cut anywhere, is shown and reported the same, with the same revisions and rows', async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...SIZES), cutOutput, expectSame), {
    numRuns: runsOf({ suite: 60, trial: 3000 }),
  });
});

const SESSIONS = path.join(import.meta.dirname, 'sessions');

/** What real programs printed in a terminal of 80x24, with escape sequences. */
const sessions = readdirSync(SESSIONS).map(
  (file) => [path.parse(file).name, readFileSync(path.join(SESSIONS, file))] as const,
);

test.each(sessions)('a session of %s is shown and reported the same', async (_, bytes) => {
  for (const size of SIZES) {
    for (const length of [211, 4096]) await expectSame(size, piecesOf(bytes, length));
  }
});

function piecesOf(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  );
}
