import { T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import { rowsHtml } from '../../vt/rows/row-html.js';
import type { RowOfSpans } from '../../vt/rows/row-spans.js';
import type { Daemon } from '../daemon.js';
import { commandRange, type CommandRange } from '../terminal/command-range.js';
import { headAndTail } from '../reading/output-lines.js';
import { ansiLine, type CellRun, cellsLine, plainLine, rowsOf, spansLine } from '../reading/line-formats.js';
import {
  assertOneRange,
  assertOrder,
  checkRange,
  lastLines,
  type LineSpan,
  linesIn,
  regionOf,
  regionRange,
} from '../reading/region.js';
import { assertNumbered, numberedRange } from '../reading/numbered-range.js';
import { revisionAt } from '../history/log-of.js';
import type { ReadableTerminal } from '../reading/readable-terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import { highlightsIn, linksIn, type RowAt } from '../reading/text-spans.js';
import { reportedColors, type Themes } from '../pictures/themes.js';
import { readInTurn } from '../turns/read-turn.js';

export const text =
  (daemon: Daemon): Handler<'text'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    assertOrder(params);
    assertOneRange(params);
    assertNumbered(params);
    if (params.at !== undefined) assertNoCommand(params.command);
    const read = (seen: ReadableTerminal): ReturnType<typeof readText> => {
      const command = params.command === undefined ? undefined : commandRange(terminal, params.command);
      return readText(seen, params, daemon.themes, command);
    };
    const needs = { above: isWithinViewport(params, terminal) ? 0 : Infinity, since: params.since };
    const { value, lostLines, turn } = await readInTurn(daemon, terminal, params, read, call, needs);
    const { reply, bytes } = await turn();
    const lost = lostLines === undefined || needs.above === 0 ? {} : { lost_lines: lostLines };
    return { reply: { ...value, ...lost, ...reply }, ...(bytes === undefined ? {} : { bytes }) };
  };

/** The text of the screen now, in one step. @throws T4aError invalid_field, revision_unknown */
function readText(
  terminal: ReadableTerminal,
  params: Params<'text'>,
  themes: Themes,
  command: CommandRange | undefined,
): Reply<'text'> {
  const { screen } = terminal;
  const isNumbered = params.from_line !== undefined;
  const named = isNumbered ? 'all' : regionOf(params, screen.rows);
  const region = command ?? regionRange(screen, named);
  const total = region.end - region.first;
  const wantedRange = params.last === undefined ? params : lastLines(screen, region, params.last);
  const { lost, ...counted } = isNumbered
    ? numberedRange(screen, params, total)
    : { lost: command?.lost, ...wantedRange };
  const { start, end } = checkRange(counted, total);
  const range = { first: region.end - end, end: region.end - start };
  const all = linesIn(screen, range, params.join_wrapped);
  const since = params.since === undefined ? undefined : revisionAt(terminal, params.since, 'since');
  const complete = since === undefined || screen.revisionFloor > checkRevision(since, screen.rev);
  const wanted = complete ? all : all.filter((line) => changedSince(terminal, line, since ?? 0));
  const lastCols = (line: LineSpan): number | undefined => (line.end === command?.end ? command.endCol : undefined);
  const { lines, cells, rows, html, kept, omitted } = formatted(terminal, wanted, params, themes, lastCols);
  const { row, col, visible } = terminal.snapshot().cursor;
  return {
    lines,
    region: command === undefined || isNumbered ? named : 'command',
    start,
    end,
    total_lines: total,
    ...(lost === undefined ? {} : { lost_lines: lost }),
    rev: screen.rev,
    cursor: { row, col, visible },
    first_line: screen.firstShownNumber + range.first,
    ...(params.since !== undefined || params.join_wrapped ? { numbers: kept.map(({ number }) => number) } : {}),
    ...(params.since === undefined ? {} : { complete }),
    ...(cells === undefined ? {} : { cells }),
    ...(rows === undefined ? {} : { rows }),
    ...(html === undefined ? {} : { html }),
    ...(omitted === undefined ? {} : { omitted }),
    ...spans(terminal, kept, params),
  };
}

function isWithinViewport(params: Params<'text'>, { screen }: Terminal): boolean {
  return params.from_line === undefined && regionOf(params, screen.rows) === 'viewport';
}

/** @throws T4aError invalid_field */
function assertNoCommand(command: number | undefined): void {
  if (command === undefined) return;
  throw new T4aError('invalid_field', '"command" of "text" does not go with "at".', {
    field: 'command',
    hint: 'A command\'s output is read from the present screen; "at" takes "command:N:end".',
  });
}

function checkRevision(since: number, rev: number): number {
  if (since <= rev) return since;
  throw new T4aError('revision_unknown', `"since" is ${since}: the screen is at revision ${rev}.`, {
    field: 'since',
    hint: 'Give the "rev" of an earlier reply for this terminal.',
  });
}

function changedSince({ screen }: ReadableTerminal, { number, first, end }: LineSpan, rev: number): boolean {
  for (let i = 0; i < end - first; i++) if (screen.lineRevision(number + i) > rev) return true;
  return false;
}

interface Formatted {
  readonly lines: string[];
  readonly cells?: CellRun[][];
  readonly rows?: RowOfSpans[];
  readonly html?: string;
  /** Of the given lines, those that the reply reports. */
  readonly kept: readonly LineSpan[];
  readonly omitted?: { lines: number; bytes: number; after: number };
}

function formatted(
  terminal: ReadableTerminal,
  given: readonly LineSpan[],
  params: Params<'text'>,
  themes: Themes,
  lastCols: (line: LineSpan) => number | undefined,
): Formatted {
  const { screen } = terminal;
  switch (params.format) {
    case 'plain':
      return cut(given, params.max_bytes, (line) => plainLine(screen, line, params.trim, lastCols(line)), bytesOfLine);
    case 'ansi':
      return cut(given, params.max_bytes, (line) => ansiLine(screen, line), bytesOfLine);
    case 'cells': {
      const { lines: cells, ...rest } = cut(given, params.max_bytes, (line) => cellsLine(screen, line), bytesOfJson);
      return { ...rest, lines: [], cells };
    }
    case 'runs': {
      const { lines: rows, ...rest } = cut(given, params.max_bytes, (line) => spansLine(screen, line), bytesOfJson);
      return { ...rest, lines: [], rows };
    }
    default: {
      const { colors: dynamic, reverseScreen } = terminal.snapshot();
      const colors = { theme: reportedColors(themes), dynamic, reverseScreen };
      const { lines: rows, ...rest } = cut(
        given,
        params.max_bytes,
        (line) => rowsOf(screen, line),
        (line) => Buffer.byteLength(rowsHtml([line], colors)),
      );
      return { ...rest, lines: [], html: rowsHtml(rows, colors) };
    }
  }
}

function bytesOfLine(line: string): number {
  return Buffer.byteLength(line) + 1;
}

function bytesOfJson(runs: object): number {
  return Buffer.byteLength(JSON.stringify(runs)) + 1;
}

interface Cut<T> {
  readonly lines: T[];
  readonly kept: readonly LineSpan[];
  readonly omitted?: { lines: number; bytes: number; after: number };
}

function cut<T>(
  given: readonly LineSpan[],
  maxBytes: number | undefined,
  format: (line: LineSpan) => T,
  bytesOf: (formatted: T) => number,
): Cut<T> {
  if (maxBytes === undefined) return { lines: given.map(format), kept: given };
  const items = given.map((line) => ({ line, value: format(line) }));
  const { head, tail, omitted } = headAndTail(items, maxBytes, ({ value }) => bytesOf(value));
  const kept = [...head, ...tail];
  return {
    lines: kept.map(({ value }) => value),
    kept: kept.map(({ line }) => line),
    ...(omitted.count === 0 ? {} : { omitted: { lines: omitted.count, bytes: omitted.bytes, after: head.length } }),
  };
}

function spans(
  terminal: ReadableTerminal,
  kept: readonly LineSpan[],
  { highlights, links }: Params<'text'>,
): Pick<Reply<'text'>, 'highlights' | 'links'> {
  if (!highlights && !links) return {};
  const { screen } = terminal;
  const top = screen.firstShownNumber + screen.scrollbackLines;
  const rows = kept.flatMap((line): RowAt[] =>
    rowsOf(screen, line).map((row, i) => ({ row, number: line.number + i })),
  );
  const placed = <T extends { number: number }>(span: T): T & { row: number } => ({ ...span, row: span.number - top });
  return {
    ...(highlights ? { highlights: highlightsIn(rows, terminal.snapshot().lines).map(placed) } : {}),
    ...(links ? { links: linksIn(rows).map(placed) } : {}),
  };
}
