/**
 * A clip as text: every line that was printed, with the time at which it was begun, and each full-screen program as it looked
 * before it was left.
 */
import { FIRST_ALTERNATE, type RowChange, type SnapshotRow } from '../vt/snapshot.js';
import type { Screen } from '../vt/screen.js';
import { rowText } from '../vt/rows/row-text.js';
import type { RecordedClip } from './clip.js';
import { clock } from './time-text.js';

/** Last screen of a full-screen program, above which line of the normal screen it stands. */
interface Interlude {
  readonly line: number;
  readonly atMs: number;
  readonly rows: readonly string[];
}

const LEAVE_ALTERNATE_SCREEN = Buffer.from('\x1b[?1049l');

/** The stage keeps the lines of the whole clip, if its scrollback has room for them. */
export async function transcript(clip: RecordedClip): Promise<string> {
  const { stage, recording } = clip;
  const interludes: Interlude[] = [];
  await clip.begin();
  const firstLine = clip.isFromStart ? 0 : endLine(stage.screen);
  const times = new LineTimes(stage.screen);
  let before = alternateRows(stage.screen);
  for (let index = stage.index; index < clip.end; index++) {
    const follow = recording.events[index]?.kind === 'resize' ? times.follow() : undefined;
    await stage.show(index + 1);
    follow?.();
    const atMs = clip.msOf(recording.events[index]?.atMs ?? 0);
    const { screen } = stage;
    const now = alternateRows(screen);
    if (now === undefined) times.look(atMs);
    if (before !== undefined && now === undefined) interludes.push({ line: endLine(screen), atMs, rows: before });
    before = now;
  }
  const { screen } = stage;
  if (before !== undefined) {
    screen.write(LEAVE_ALTERNATE_SCREEN);
    await screen.settle(SETTLE_MS);
    interludes.push({ line: Infinity, atMs: clip.durationMs, rows: before });
  }
  return render(screen, { times, interludes, firstLine });
}

const SETTLE_MS = 10_000;

function alternateRows(screen: Screen): string[] | undefined {
  return screen.altScreen ? withoutBlankEnd(screen.snapshot().lines.map((row) => rowText(row).trimEnd())) : undefined;
}

/** Lasting number of the line that the cursor is in. */
function endLine(screen: Screen): number {
  return topLine(screen) + screen.snapshot().cursor.row;
}

interface Parts {
  readonly times: LineTimes;
  readonly interludes: readonly Interlude[];
  readonly firstLine: number;
}

function render(screen: Screen, { times, interludes, firstLine }: Parts): string {
  const lines: string[] = [];
  const waiting = [...interludes];
  const passInterludes = (number: number): void => {
    while (waiting[0] !== undefined && waiting[0].line <= number) lines.push(...framed(waiting.shift()));
  };
  for (let index = Math.max(0, firstLine - screen.firstLineNumber); index < screen.totalLines; index++) {
    const number = screen.firstLineNumber + index;
    passInterludes(number);
    const text = screen.lineText(index) ?? '';
    if (screen.continuesLine(index) && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text === '' ? '' : `${timeColumn(times.of(number))}${text}`);
  }
  passInterludes(Infinity);
  return withoutBlankEnd(lines)
    .map((line) => `${line}\n`)
    .join('');
}

function framed(interlude: Interlude | undefined): string[] {
  if (interlude === undefined) return [];
  const { atMs, rows } = interlude;
  return [
    timeColumn(atMs) + '--- full screen ---',
    ...rows.map((row) => timeColumn(undefined) + row),
    timeColumn(undefined) + '---',
  ];
}

const COLUMN = 9;

function timeColumn(ms: number | undefined): string {
  return (ms === undefined ? '' : clock(ms)).padEnd(COLUMN);
}

function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** When text came to each line of the normal screen that was blank before. */
class LineTimes {
  readonly #screen: Screen;
  #times = new Map<number, number>();
  /** Number of the first row of the viewport at the last look. */
  #top: number;
  #rows: readonly SnapshotRow[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#top = topLine(screen);
    screen.watchRows();
    screen.onEffect.on((effect) => {
      if (effect.kind === 'rows') this.#apply(effect.change);
    });
  }

  look(atMs: number): void {
    const screen = this.#screen;
    const { lines } = screen.snapshot();
    const top = topLine(screen);
    const before = new Set(this.#rows);
    for (let number = Math.max(Math.min(this.#top, top), screen.firstLineNumber); number < top; number++)
      this.#note(number, screen.lineText(number - screen.firstLineNumber) ?? '', atMs);
    for (const [row, line] of lines.entries())
      if (!before.has(line) || !this.#times.has(top + row)) this.#note(top + row, rowText(line), atMs);
    [this.#top, this.#rows] = [top, lines];
  }

  /** Undefined for blank lines. */
  of(line: number): number | undefined {
    return this.#times.get(line);
  }

  /** To be called before lines are numbered anew; the returned function afterwards. */
  follow(): () => void {
    const followed = Array.from(this.#times, ([line, ms]) => ({ anchor: this.#screen.anchorLine(line), ms }));
    return () => {
      this.#times = new Map();
      for (const { anchor, ms } of followed) {
        // Of lines that were joined, the first one was begun first.
        if (anchor.line !== undefined && !this.#times.has(anchor.line)) this.#times.set(anchor.line, ms);
        anchor.dispose();
      }
      [this.#top, this.#rows] = [topLine(this.#screen), []];
    };
  }

  #note(line: number, text: string, atMs: number): void {
    if (text.trim() === '') this.#times.delete(line);
    else if (!this.#times.has(line)) this.#times.set(line, atMs);
  }

  /** Applies a change. Text does not tell what was printed before an erasure from what was printed after it. */
  #apply(change: RowChange): void {
    if (change.change === 'reset') this.#times.clear();
    if (change.change !== 'erased' && change.change !== 'shifted') return;
    const from = change.change === 'erased' ? change.from : change.top;
    const to = change.change === 'erased' ? Infinity : change.bottom;
    if (from >= FIRST_ALTERNATE) return;
    const within = Array.from(this.#times).filter(([line]) => line >= from && line <= to);
    for (const [line] of within) this.#times.delete(line);
    if (change.change === 'erased') return;
    for (const [line, ms] of within)
      if (line - change.count >= from && line - change.count <= to) this.#times.set(line - change.count, ms);
  }
}

/** Lasting number of the first row of the viewport. */
function topLine(screen: Screen): number {
  return screen.firstLineNumber + screen.normalScrollbackLines;
}
