/** What is new on a screen for who has looked at it before: rows that differ, and lines that scrolled by in between. */
import type { z } from 'zod';
import type { changedReply } from '../../protocol/observation.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';
import type { Look } from './last-looks.js';

export interface ChangedLines {
  readonly lines: string[];
  readonly changed: NonNullable<z.output<typeof changedReply>>;
}

/** A harness may have dropped from its context what it was shown so long ago. */
const MAX_AGE_MS = 10 * 60_000;

/** More lines that scrolled by are counted. */
const MAX_SCROLLED_LINES = 12;

/** @param textOf a row of the viewport, or above it */
export function changedLines(
  before: Look | undefined,
  now: Look,
  screen: ReadableScreen,
  textOf: (row: number) => string,
): ChangedLines {
  if (before === undefined || !isSameScreen(before, now, screen)) return whole(now);
  const moved = now.first - before.first;
  const old = (row: number): string | undefined =>
    row + moved < now.rows ? (before.lines[row + moved] ?? '') : undefined;
  const isNew = (line: string, row: number): boolean => line !== (old(row) ?? '');
  const all = Array.from({ length: now.rows }, (_, row) => now.lines[row] ?? '');
  const rows = [...all.keys()].filter((row) => isNew(all[row] ?? '', row));
  const scrolled = scrolledBy(screen, moved, now.rows, (row) => textOf(row) !== old(row));
  const shown = scrolled.count > MAX_SCROLLED_LINES ? [] : scrolled.rows;
  const withText = all.filter((line) => line !== '').length;
  const complete = rows.filter((row) => all[row] !== '').length * 2 > withText;
  const viewport = complete ? [...now.lines.keys()] : inContext(rows, all, old);
  return {
    lines: [...shown.map(textOf), ...viewport.map((row) => all[row] ?? '')],
    changed: {
      complete,
      rows: [...shown, ...viewport],
      since: before.rev,
      moved_up: moved,
      unchanged: complete ? 0 : withText - viewport.filter((row) => all[row] !== '').length,
      scrolled: scrolled.count - shown.length,
      ...(scrolled.count > shown.length ? { scrolled_from: now.first + scrolled.first } : {}),
    },
  };
}

function isSameScreen(before: Look, now: Look, { revisionFloor }: ReadableScreen): boolean {
  return (
    before.cols === now.cols &&
    before.rows === now.rows &&
    before.altScreen === now.altScreen &&
    before.first <= now.first &&
    revisionFloor <= before.rev &&
    now.atMs - before.atMs <= MAX_AGE_MS
  );
}

function whole({ lines }: Look): ChangedLines {
  const changed = { complete: true, rows: [...lines.keys()], moved_up: 0, unchanged: 0, scrolled: 0 };
  return { lines: [...lines], changed };
}

interface Scrolled {
  readonly count: number;
  /** The first of them, negative. */
  readonly first: number;
  /** Those that the scrollback still has, if they are few. */
  readonly rows: readonly number[];
}

/** New lines between the top of the last look and the viewport. */
function scrolledBy(
  { scrollbackLines }: ReadableScreen,
  moved: number,
  height: number,
  isNew: (row: number) => boolean,
): Scrolled {
  // What was on the screen then is compared; of what came below it every line is new.
  const seen = Array.from({ length: Math.min(moved, height) }, (_, i) => i - moved);
  const rows = seen.filter((row) => row >= -scrollbackLines && isNew(row));
  const below = Math.max(0, moved - height);
  const count = rows.length + below;
  const first = rows[0] ?? -below;
  const all = count > MAX_SCROLLED_LINES ? [] : [...rows, ...Array.from({ length: below }, (_, i) => i - below)];
  return { count, first, rows: all.filter((row) => row >= -scrollbackLines) };
}

/** A row that was another one says little without the one above it. */
function inContext(
  rows: readonly number[],
  all: readonly string[],
  old: (row: number) => string | undefined,
): readonly number[] {
  const [only] = rows;
  return rows.length === 1 && only !== undefined && old(only) && all[only - 1] ? [only - 1, only] : rows;
}
