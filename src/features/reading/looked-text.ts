/** The text of the viewport, whole or as what is new to the asker. */
import { PartKey } from '../../base/parts.js';
import type { ObserveParams } from '../../protocol/observation.js';
import type { Call } from '../../rpc/service.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type LineRange, linesIn, regionRange, type TextRegion } from '../../vt/region.js';
import { type ChangedLines, changedLines } from './changed-look.js';
import { lastLooks, type Look } from './last-looks.js';
import { plainLine } from './line-formats.js';
import { markedRows } from './selection.js';

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
  const { region, changed, selection } = text === true ? WHOLE : text;
  if (changed) return lookAtChanged(terminal, selection, looking);
  if (region === 'viewport') noteWholeLook(terminal, selection, looking);
  return { lines: linesOf(terminal, region, selection) };
}

const WHOLE = { region: 'viewport', changed: false, selection: false } as const;

/** In one step. The look is the asker's last from now on. */
export function lookAtChanged(terminal: Terminal, selection: boolean, { asker, nowMs }: Looking): ChangedLines {
  const { screen } = terminal;
  const now = wholeLook(terminal, linesOf(terminal, 'viewport', selection), nowMs);
  const before = lastLooks.get(terminal, asker);
  lastLooks.set(terminal, asker, now);
  const above = screen.scrollbackLines;
  return changedLines(before, now, screen, (row) => screen.lineText(above + row)?.trimEnd() ?? '');
}

/** Of an asker whose looks are kept, since it has asked what is new: what it sees otherwise counts, too. */
export function noteWholeLook(terminal: Terminal, selection: boolean, { asker, nowMs }: Looking): void {
  if (lastLooks.get(terminal, asker) === undefined) return;
  lastLooks.set(terminal, asker, wholeLook(terminal, linesOf(terminal, 'viewport', selection), nowMs));
}

/** A run that shows the whole screen of a terminal that stays: the next look has only what is new. */
export function noteRunLook(terminal: Terminal, selection: boolean, { asker, nowMs }: Looking): void {
  lastLooks.set(terminal, asker, wholeLook(terminal, linesOf(terminal, 'viewport', selection), nowMs));
}

function wholeLook({ screen }: Terminal, lines: readonly string[], atMs: number): Look {
  const { rev, cols, rows, altScreen } = screen;
  return { rev, cols, rows, altScreen, first: screen.firstShownNumber + screen.scrollbackLines, lines, atMs };
}

/** Many that wait for the same output see the same text: it is kept until the event loop turns. */
const LAST_SEEN = new PartKey<
  (LineRange & { readonly rev: number; readonly selection: boolean; readonly lines: string[] }) | undefined
>(() => undefined);

function linesOf(terminal: Terminal, region: TextRegion, selection: boolean): string[] {
  const { screen } = terminal;
  const range = regionRange(screen, region);
  const kept = terminal.part(LAST_SEEN);
  const last = kept.value;
  if (last?.rev === screen.rev && last.first === range.first && last.end === range.end && last.selection === selection)
    return last.lines;
  const marked = selection ? markedRows(terminal.snapshot(), screen.scrollbackLines) : undefined;
  const all = linesIn(screen, range, false).map((line) => marked?.get(line.first) ?? plainLine(screen, line, true));
  const lines = all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  kept.value = { rev: screen.rev, ...range, selection, lines };
  setImmediate(() => {
    kept.value = undefined;
  });
  return lines;
}
