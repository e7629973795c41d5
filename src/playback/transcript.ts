/**
 * A clip as text: every line that was printed, with the time at which it was begun, and each full-screen program as it looked
 * before it was left.
 */
import type { Screen } from '../vt/screen.js';
import { rowText } from '../vt/rows/row-text.js';
import type { Clip } from './clip.js';
import { clock } from './time-text.js';

/** Last screen of a full-screen program, above which line of the normal screen it stands. */
interface Interlude {
  readonly line: number;
  readonly atMs: number;
  readonly rows: readonly string[];
}

const LEAVE_ALTERNATE_SCREEN = Buffer.from('\x1b[?1049l');

/** The stage keeps the lines of the whole clip, if its scrollback has room for them. */
export async function transcript(clip: Clip): Promise<string> {
  const { stage, recording } = clip;
  const times = new LineTimes();
  const interludes: Interlude[] = [];
  await clip.begin();
  const firstLine = clip.isFromStart ? 0 : endLine(stage.screen);
  let before = alternateRows(stage.screen);
  for (let index = stage.index; index < clip.end; index++) {
    await stage.show(index + 1);
    const atMs = clip.msOf(recording.events[index]?.atMs ?? 0);
    const { screen } = stage;
    const now = alternateRows(screen);
    if (now === undefined) times.reached(endLine(screen), atMs);
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
  return screen.firstLineNumber + screen.normalScrollbackLines + screen.snapshot().cursor.row;
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

/** When the cursor came to each line first. */
class LineTimes {
  readonly #entries: { readonly line: number; readonly atMs: number }[] = [];

  reached(line: number, atMs: number): void {
    if (line > (this.#entries.at(-1)?.line ?? -1)) this.#entries.push({ line, atMs });
  }

  /** Undefined for lines that the cursor did not come to. */
  of(line: number): number | undefined {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.line ?? Infinity) < line) low = middle + 1;
      else high = middle;
    }
    return this.#entries[low]?.atMs;
  }
}
