/** The text of the viewport, whole or as what is new to the asker. */
import { PartKey } from '../../base/parts.js';
import type { ObserveParams } from '../../protocol/observation.js';
import type { Call } from '../../rpc/service.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type LineRange, linesIn, regionRange, type TextRegion } from '../../vt/region.js';
import { type ChangedLines, changedLines } from './changed-look.js';
import { lastLooks, type Look } from './last-looks.js';
import { plainLine } from './line-formats.js';

/** Who looks, and when. */
export interface Looking {
  readonly asker: Call;
  readonly nowMs: number;
}

/** What `observe.text` asks for. In one step. */
export function textFor(
  terminal: Terminal,
  text: Exclude<ObserveParams['text'], false>,
  looking: Looking,
): Partial<ChangedLines> & Pick<ChangedLines, 'lines'> {
  const { region, changed } = text === true ? { region: 'viewport' as const, changed: false } : text;
  if (changed) return lookAtChanged(terminal, looking);
  const lines = linesOf(terminal, region);
  if (region === 'viewport') noteWholeLook(terminal, looking);
  return { lines };
}

/** In one step. The look is the asker's last from now on. */
export function lookAtChanged(terminal: Terminal, { asker, nowMs }: Looking): ChangedLines {
  const { screen } = terminal;
  const now = wholeLook(terminal, linesOf(terminal, 'viewport'), nowMs);
  const before = lastLooks.get(terminal, asker);
  lastLooks.set(terminal, asker, now);
  const above = screen.scrollbackLines;
  return changedLines(before, now, screen, (row) => screen.lineText(above + row)?.trimEnd() ?? '');
}

/** Of an asker whose looks are kept, since it has asked what is new: what it sees otherwise counts, too. */
export function noteWholeLook(terminal: Terminal, { asker, nowMs }: Looking): void {
  if (lastLooks.get(terminal, asker) === undefined) return;
  lastLooks.set(terminal, asker, wholeLook(terminal, linesOf(terminal, 'viewport'), nowMs));
}

function wholeLook({ screen }: Terminal, lines: readonly string[], atMs: number): Look {
  const { rev, cols, rows, altScreen } = screen;
  return { rev, cols, rows, altScreen, first: screen.firstShownNumber + screen.scrollbackLines, lines, atMs };
}

/** Many that wait for the same output see the same text: it is kept until the event loop turns. */
const LAST_SEEN = new PartKey<(LineRange & { readonly rev: number; readonly lines: string[] }) | undefined>(
  () => undefined,
);

function linesOf(terminal: Terminal, region: TextRegion): string[] {
  const { screen } = terminal;
  const range = regionRange(screen, region);
  const kept = terminal.part(LAST_SEEN);
  const last = kept.value;
  if (last?.rev === screen.rev && last.first === range.first && last.end === range.end) return last.lines;
  const all = linesIn(screen, range, false).map((line) => plainLine(screen, line, true));
  const lines = all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  kept.value = { rev: screen.rev, ...range, lines };
  setImmediate(() => {
    kept.value = undefined;
  });
  return lines;
}
