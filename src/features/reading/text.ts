import { T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { EncodedFields } from '../../rpc/encoded-fields.js';
import type { Call, Handler } from '../../rpc/service.js';
import type { Work } from '../../search/work.js';
import { framedHtml, lineHtml } from '../../vt/rows/row-html.js';
import type { RowOfSpans } from '../../vt/rows/row-spans.js';
import type { ScreenFacts } from '../../vt/screen-state.js';
import type { ReportedColors, SnapshotRow } from '../../vt/snapshot.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { commandRange, type CommandRange } from '../../terminal/command-range.js';
import {
  type CapturedLine,
  captureLines,
  capturedBytes,
  type CaptureOptions,
  cut,
  type Omitted,
  ScreenMoved,
} from './captured-lines.js';
import { encodedJson, Json } from './encoded-json.js';
import { type LongRead, LongReads, type ReadKey } from './long-reads.js';
import { assertScreen, linesOf } from './screens.js';
import { ansiLine, type CellRun, cellsLine, type LinePart, spansLine } from './line-formats.js';
import {
  assertOneRange,
  assertOrder,
  checkRange,
  lastLines,
  type LineSpan,
  linesIn,
  regionOf,
  regionRange,
} from '../../vt/region.js';
import { lookAtChanged, noteWholeLook } from './looked-text.js';
import { assertNumbered, numberedRange } from './numbered-range.js';
import { revisionAt } from '../past/log-of.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import type { Terminal } from '../../terminal/terminal.js';
import { markedRows } from './selection.js';
import { highlightsIn, linksIn, placed, type RowAt } from './text-spans.js';
import { pictureWarning } from '../pictures/unshown-picture.js';
import { reportedColors, type Themes } from '../pictures/themes.js';
import type { MadeBytes } from '../../rpc/made-bytes.js';
import { readInTurn } from './read-turn.js';

export const text = (core: LookingCore): Handler<'text'> => {
  const long = new LongReads<TextReply>();
  return async (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    assertOrder(params);
    assertOneRange(params);
    assertNumbered(params);
    assertMarkable(params);
    assertScreen(params);
    if (params.at !== undefined) assertNoCommand(params.command);
    if (params.changed) return changedText(core, terminal, params, call);
    const read =
      (isLater: boolean) =>
      (seen: ReadableTerminal): LongRead<TextReply> =>
        long.read(isLater ? sameReads(seen, params) : NOT_SHARED, (bytes) => {
          if (isWholeLook(params)) noteWholeLook(terminal, params.selection, { asker: call, nowMs: core.clock.now() });
          const command = params.command === undefined ? undefined : commandRange(terminal, params.command);
          return readText(seen, { ...params, isLater }, core.looks.themes, command, { bytes, call });
        });
    const needs = { above: isWithinViewport(params, terminal) ? 0 : Infinity, since: params.since };
    // With a wait all of it is of the instant in which that ended. Else what changes while it is read is read again, in one step.
    const made = async (isLater: boolean) => {
      const reading = await readInTurn(core, terminal, params, read(isLater), call, needs);
      return { ...reading, text: await long.finish(reading.value, call) };
    };
    const {
      text: ownReply,
      lostLines,
      turn,
    } = await made(params.at === undefined && params.wait === undefined).catch((error: unknown) => {
      if (error instanceof ScreenMoved) return made(false);
      throw error;
    });
    const { reply, bytes } = await turn();
    const lost = lostLines === undefined || needs.above === 0 ? {} : { lost_lines: lostLines };
    const { encoded, ...own } = ownReply;
    const warning = params.at === undefined ? pictureWarning(terminal) : {};
    return {
      reply: { ...own.reply, ...lost, ...warning, ...reply },
      encoded,
      ...(bytes === undefined ? {} : { bytes }),
    };
  };
};

/** @throws T4aError invalid_field */
async function changedText(core: LookingCore, terminal: Terminal, params: Params<'text'>, call: Call) {
  if (!isWholeLook(params)) {
    const other = OTHER_RANGES.find((each) => params[each] !== undefined && params[each] !== false);
    const field = other ?? (params.format === 'plain' ? 'region' : 'format');
    throw new T4aError('invalid_field', `"${field}" of "text" does not go with "changed".`, {
      field,
      hint: '"changed" has the rows of the present viewport, as plain text.',
    });
  }
  const read = () => {
    const { screen } = terminal;
    const { row, col, visible } = screen.facts.cursor;
    return {
      ...lookAtChanged(terminal, params.selection, { asker: call, nowMs: core.clock.now() }),
      region: 'viewport' as const,
      start: 0,
      end: screen.rows,
      total_lines: screen.rows,
      rev: screen.rev,
      cursor: { row, col, visible },
      first_line: screen.firstShownNumber + screen.scrollbackLines,
    };
  };
  const { value, turn } = await readInTurn(core, terminal, params, read, call);
  const { reply, bytes } = await turn();
  return { reply: { ...value, ...pictureWarning(terminal), ...reply }, ...(bytes === undefined ? {} : { bytes }) };
}

/** Ranges, moments, and what has more than the text. */
const OTHER_RANGES = [
  'start',
  'end',
  'last',
  'command',
  'from_line',
  'since',
  'at',
  'max_bytes',
  'join_wrapped',
  'highlights',
  'links',
  'screen',
] as const;

/** Of the present viewport, as text. */
function isWholeLook(params: Params<'text'>): boolean {
  const isViewport = params.region === undefined || params.region === 'viewport';
  return (
    isViewport &&
    params.format === 'plain' &&
    OTHER_RANGES.every((field) => params[field] === undefined || params[field] === false)
  );
}

/** Of an instant of its own, as with a wait. */
const NOT_SHARED = (): undefined => undefined;

/** Key of what is read, unless it depends on more than the screen and the parameters. */
function sameReads({ screen }: ReadableTerminal, { id: _id, ...params }: Params<'text'>): () => ReadKey | undefined {
  const { rev, firstShownNumber, totalLines } = screen;
  return () => {
    const isOwn = [params.since, params.command, params.observe].some((field) => field !== undefined);
    if (isOwn || params.format === 'html') return undefined;
    return { of: screen, key: JSON.stringify([rev, firstShownNumber, totalLines, params]) };
  };
}

/** The text of the screen now, captured in one step unless `isLater`: the work makes the reply of it. @throws T4aError invalid_field, revision_unknown */
function readText(
  terminal: ReadableTerminal,
  params: Params<'text'> & Pick<CaptureOptions, 'isLater'>,
  themes: Themes,
  command: CommandRange | undefined,
  { bytes, call }: { readonly bytes: MadeBytes; readonly call: Call },
): Work<TextReply> {
  const screen = linesOf(terminal.screen, params.screen);
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
  const partOf = (line: LineSpan): LinePart => ({
    lastCols: line.end === command?.end ? command.endCol : undefined,
    lead: line.first === command?.first ? command.lead : undefined,
  });
  const { row, col, visible } = screen.facts.cursor;
  const facts = {
    region: command === undefined || isNumbered ? named : 'command',
    start,
    end,
    total_lines: total,
    ...(lost === undefined ? {} : { lost_lines: lost }),
    rev: screen.rev,
    cursor: { row, col, visible },
    first_line: screen.firstShownNumber + range.first,
  } as const;
  const marked = params.selection ? markedRows(terminal.snapshot(), screen.scrollbackLines) : undefined;
  const isLarge = wanted.length * screen.cols > LARGE_CELLS;
  // Order: many that wait for the same capture in one step, and calls that are cut off by this capture nothing.
  if (isLarge) {
    bytes.readBy(call);
    bytes.add(capturedBytes(wanted.length, screen.cols, params));
    call.signal.throwIfAborted();
  }
  const captured = captureLines(screen, wanted, params, partOf).map((each) => markedLine(each, marked));
  // Lines are dropped at once: others that wait for the same instant capture before this call goes on. Lines read later may be shared.
  if (isLarge && !params.isLater) call.signal.addEventListener('abort', () => captured.splice(0), { once: true });
  const look = {
    facts: screen.facts,
    rows: params.highlights ? terminal.snapshot().lines : [],
    top: screen.firstShownNumber + screen.scrollbackLines,
    theme: reportedColors(themes),
  };
  return encodedReply(replyOf(captured, { ...look, isLarge, bytes }, params, facts, complete), isLarge, bytes);
}

function markedLine(captured: CapturedLine, marked: ReadonlyMap<number, string> | undefined): CapturedLine {
  const text = marked?.get(captured.line.first);
  return text === undefined ? captured : { line: captured.line, rows: captured.rows, plain: () => text };
}

/** @throws T4aError invalid_field */
function assertMarkable({ selection, format, join_wrapped: joins }: Params<'text'>): void {
  if (!selection || (format === 'plain' && !joins)) return;
  const field = joins ? 'join_wrapped' : 'format';
  throw new T4aError('invalid_field', `"${field}" of "text" does not go with "selection".`, {
    field,
    hint: '"selection" marks rows of plain text.',
  });
}

/** A reply of so many cells may be 100 times as large in JSON, which takes long to encode. */
const LARGE_CELLS = 100_000;

interface TextReply {
  readonly reply: Reply<'text'>;
  readonly encoded?: EncodedFields;
}

/** Fields that grow with what is read. */
const LARGE_FIELDS = ['lines', 'numbers', 'cells', 'rows', 'html', 'highlights', 'links'] as const;

function* encodedReply(work: Work<Reply<'text'>>, isLarge: boolean, bytes: MadeBytes): Work<TextReply> {
  const reply = yield* work;
  if (!isLarge) return { reply };
  const small: Partial<Reply<'text'>> = { ...reply };
  const encoded: Record<string, readonly Uint8Array[]> = {};
  const ofLines = bytes.bytes;
  for (const name of LARGE_FIELDS) {
    const value = reply[name];
    if (value === undefined) continue;
    delete small[name];
    encoded[name] = yield* encodedJson(value, bytes);
  }
  // Lines are garbage from now on.
  bytes.add(-ofLines);
  // What it lacks is encoded.
  return { reply: small as Reply<'text'>, encoded };
}

/** Of the screen when it was read. */
interface Look {
  readonly facts: ScreenFacts;
  /** Of the viewport, for highlights. */
  readonly rows: readonly SnapshotRow[];
  /** Lasting number of the first line of the viewport. */
  readonly top: number;
  readonly theme: ReportedColors;
  /** Objects are JSON as soon as they are made. */
  readonly isLarge: boolean;
  /** Bytes of formatted lines. */
  readonly bytes: MadeBytes;
}

type Facts = Omit<Reply<'text'>, 'lines'>;

function* replyOf(
  captured: readonly CapturedLine[],
  look: Look,
  params: Params<'text'>,
  facts: Facts,
  complete: boolean,
): Work<Reply<'text'>> {
  const { lines, cells, rows, html, kept, omitted } = yield* formatted(captured, look, params);
  return {
    lines,
    ...facts,
    ...(params.since !== undefined || params.join_wrapped ? { numbers: kept.map(({ line }) => line.number) } : {}),
    ...(params.since === undefined ? {} : { complete }),
    ...(cells === undefined ? {} : { cells }),
    ...(rows === undefined ? {} : { rows }),
    ...(html === undefined ? {} : { html }),
    ...(omitted === undefined ? {} : { omitted }),
    ...(yield* spans(kept, look, params)),
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
  readonly kept: readonly CapturedLine[];
  readonly omitted?: Omitted;
}

function* formatted(
  given: readonly CapturedLine[],
  { facts, theme, isLarge, bytes }: Look,
  { format, max_bytes: maxBytes }: Params<'text'>,
): Work<Formatted> {
  const line = (text: string): string => {
    bytes.add(text.length);
    return text;
  };
  // In a large reply it stands for its JSON.
  const made = <T extends object>(value: T): T =>
    isLarge ? (new Json(line(JSON.stringify(value))) as T & Json) : value;
  switch (format) {
    case 'plain':
      return yield* cut(given, maxBytes, ({ plain }) => line(plain()), bytesOfLine);
    case 'ansi':
      return yield* cut(given, maxBytes, ({ rows }) => line(ansiLine(rows)), bytesOfLine);
    case 'cells': {
      const { lines: cells, ...rest } = yield* cut(given, maxBytes, ({ rows }) => made(cellsLine(rows)), bytesOfJson);
      return { ...rest, lines: [], cells };
    }
    case 'runs': {
      const { lines: rows, ...rest } = yield* cut(
        given,
        maxBytes,
        ({ rows: own }) => made(spansLine(own)),
        bytesOfJson,
      );
      return { ...rest, lines: [], rows };
    }
    default: {
      const colors = { theme, dynamic: facts.colors, reverseScreen: facts.reverseScreen };
      const { lines, ...rest } = yield* cut(
        given,
        maxBytes,
        ({ rows }) => line(lineHtml(rows, colors)),
        (text) => Buffer.byteLength(framedHtml([text], colors)),
      );
      return { ...rest, lines: [], html: framedHtml(lines, colors) };
    }
  }
}

function bytesOfLine(line: string): number {
  return Buffer.byteLength(line) + 1;
}

function bytesOfJson(runs: object): number {
  return Buffer.byteLength(runs instanceof Json ? runs.text : JSON.stringify(runs)) + 1;
}

function* spans(
  kept: readonly CapturedLine[],
  { rows: shown, top }: Look,
  { highlights, links }: Params<'text'>,
): Work<Pick<Reply<'text'>, 'highlights' | 'links'>> {
  if (!highlights && !links) return {};
  const rows: RowAt[] = [];
  for (const { line, rows: own } of kept) {
    for (const [i, row] of own.entries()) rows.push({ row, number: line.number + i });
    yield 1;
  }
  return {
    ...(highlights ? { highlights: yield* placed(yield* highlightsIn(rows, shown), top) } : {}),
    ...(links ? { links: yield* placed(yield* linksIn(rows), top) } : {}),
  };
}
