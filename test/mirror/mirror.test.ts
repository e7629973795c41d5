/** A mirror, fed by frames that it asks for at moments of its own, shows what the screen shows. */
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { FrameHistory } from '../../src/features/reading/frame-history.js';
import { Mirror, type MirrorRow } from '../../src/mirror/mirror.js';
import { runCells } from '../../src/mirror/run-cells.js';
import { Screen } from '../../src/vt/screen.js';
import type * as S from '../../src/vt/snapshot.js';
import { openScreen, show, THEME } from '../vt/screens.js';
import { EMPTY, frameFor, output, RIGHT_HALF, shownCells, type Cell } from './screens.js';
import { runsOf } from '../support/trial.js';

function mirroredCells({ runs }: MirrorRow, cols: number): Cell[] {
  const cells: Cell[] = [];
  for (const run of runs) {
    for (const { text, width } of runCells(run)) {
      cells.push([text, run[1] ?? '', width, run[3] ?? '']);
      if (width === 2) cells.push(RIGHT_HALF);
    }
  }
  return [...cells, ...Array.from({ length: cols - cells.length }, () => EMPTY)];
}

function expectSame(mirror: Mirror, snapshot: S.Snapshot): void {
  expect(mirror.rows).toHaveLength(snapshot.rows);
  expect(mirror.rows.map((row) => mirroredCells(row, snapshot.cols))).toEqual(snapshot.lines.map(shownCells));
  const rest = ({ wrapped, size }: MirrorRow): unknown => [wrapped, size];
  expect(mirror.rows.map(rest)).toEqual(snapshot.lines.map(({ wrapped, lineSize }) => [wrapped, lineSize]));
  expect(mirror.cursor).toEqual(snapshot.cursor);
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ text: fc.array(output, { minLength: 1, maxLength: 8 }).map((all) => all.join('')) }),
  },
  { weight: 1, arbitrary: fc.record({ cols: fc.integer({ min: 2, max: 22 }), rows: fc.integer({ min: 1, max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ passedMs: fc.constantFrom(1000, 9000) }) },
);
/** After the step the mirrors with these numbers ask, and the answers to some are lost. */
const steps = fc.array(fc.tuple(step, fc.subarray([0, 1, 2]), fc.subarray([1, 2])), { minLength: 1, maxLength: 30 });

test('after any output, resizes, pauses and lost frames, mirrors that asked at any moments show the cells of the screen', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const screen = new Screen({ cols: 20, rows: 5, scrollback: 10, colors: THEME, version: '1' });
      const clock = new FakeClock();
      const history = new FrameHistory(clock);
      const mirrors = [new Mirror(), new Mirror(), new Mirror()];
      for (const [act, asking, losing] of all) {
        if ('text' in act) await show(screen, act.text);
        else if ('cols' in act) await screen.resize(act.cols, act.rows);
        else clock.advance(act.passedMs);
        // Snapshots that nobody was given come between those that were.
        const snapshot = screen.snapshot();
        for (const i of asking) {
          const mirror = mirrors[i]!;
          const frame = frameFor(mirror, history, snapshot);
          if (losing.includes(i)) continue;
          mirror.apply(frame);
          expectSame(mirror, snapshot);
        }
      }
      screen.dispose();
      history.dispose();
    }),
    { numRuns: runsOf({ suite: 60, trial: 300 }) },
  );
});

describe('a mirror', () => {
  const history = new FrameHistory(new FakeClock());

  test('reports the rows that have changed, and gets what has moved as a copy', async () => {
    const screen = openScreen({ cols: 20, rows: 5 });
    const mirror = new Mirror();
    expect(
      mirror.apply(frameFor(mirror, history, await show(screen, 'one\r\ntwo\r\nthree\r\nfour\r\nfive'))).rows,
    ).toEqual([0, 1, 2, 3, 4]);
    const moved = mirror.rows[1];
    const frame = frameFor(mirror, history, await show(screen, '\r\nsix'));
    expect(frame).toMatchObject({ copied: [[0, 1, 4]], drawn: [{ row: 4, runs: [['six']] }] });
    expect(mirror.apply(frame).rows).toEqual([0, 1, 2, 3, 4]);
    expect(mirror.rows[0]).toBe(moved);
    expect(mirror.apply(frameFor(mirror, history, await show(screen, '\x1b[1;1Hx')))).toMatchObject({
      rows: [0],
      cursor: true,
    });
    expect(mirror.apply(frameFor(mirror, history, screen.snapshot()))).toMatchObject({ rows: [], cursor: false });
  });

  test('needs a complete frame to begin with', async () => {
    const snapshot = await show(openScreen(), 'a');
    const first = new Mirror();
    const { complete, ...frame } = frameFor(first, history, snapshot);
    expect(complete).toBe(true);
    expect(() => first.apply(frame)).toThrow('not complete');
  });

  test('counts the bells since its last frame, and none of before its first', async () => {
    const snapshot = await show(openScreen(), 'a');
    const mirror = new Mirror();
    const frame = { ...frameFor(mirror, history, snapshot), bells: 3 };
    expect(mirror.apply(frame).bells).toBe(0);
    expect(mirror.apply({ ...frame, state: 2, bells: 5 })).toMatchObject({ bells: 2, state: true });
    expect(mirror.apply({ ...frame, state: 2, bells: 5 })).toMatchObject({ bells: 0, state: false });
  });
});

test('who has control, who watches and what is asked comes with the state, and stays with frames without it', async () => {
  const screen = openScreen();
  const snapshot = await show(screen, 'a');
  const mirror = new Mirror();
  const frame = frameFor(mirror, new FrameHistory(new FakeClock()), snapshot);
  mirror.apply(frame);
  expect(mirror.state).toMatchObject({ control: undefined, watchers: 0, asks: [] });
  const control = { as: 'ada', person: true, since: 1, requests: ['claude-1'] };
  mirror.apply({ ...frame, state: 2, control, watchers: 2, asks: [7] });
  expect(mirror.state).toMatchObject({ control, watchers: 2, asks: [7] });
  const { title: _title, complete: _complete, ...rest } = frame;
  mirror.apply({ ...rest, state: 2, copied: [], drawn: [] });
  expect(mirror.state).toMatchObject({ control, watchers: 2, asks: [7] });
});

test('the room bundles for browsers, without anything of Node or of the daemon', async () => {
  const { metafile } = await build({
    entryPoints: ['mirror', 'run-cells', 'ansi-row', 'outer-style', 'frame-writer', 'safe-text'].map(
      (name) => `src/mirror/${name}.ts`,
    ),
    bundle: true,
    platform: 'browser',
    format: 'esm',
    outdir: 'unwritten',
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('src/mirror/'))).toEqual([]);
});

describe('the frames that are kept', () => {
  test('are the last eight, for ten seconds since they were given last', async () => {
    const clock = new FakeClock();
    const history = new FrameHistory(clock);
    const snapshot = await show(openScreen(), 'a');
    const keep = (rev: number): void => history.keep({ ...snapshot, rev });
    for (let rev = 1; rev <= 9; rev++) keep(rev);
    expect([history.size, history.get(1), history.get(2)?.rev]).toEqual([8, undefined, 2]);
    clock.advance(9000);
    keep(2);
    expect(history.size).toBe(8);
    clock.advance(1000);
    expect([history.size, history.get(2)?.rev]).toEqual([1, 2]);
    clock.advance(9000);
    expect([history.size, clock.pendingTimers]).toEqual([0, 0]);
    keep(3);
    history.dispose();
    expect([history.size, clock.pendingTimers]).toEqual([0, 0]);
  });
});
