/**
 * The state of an emulator as plain values: both viewports, cursors, pens, modes, character sets, titles. An emulator that is
 * thawed from it shows the same, and whatever is parsed next does the same to both.
 */
import type { LineSize } from '../snapshot.js';
import { cutRowOf, setCutRow } from './cut-rows.js';
import type { Emulator } from './emulator.js';
import { keepsCleared, setKeepsCleared } from './kept-cleared.js';
import { type Charset, type FrozenPart, type WholeBuffer, wholeInternals } from './frozen-internals.js';
import { GROUND, type RawExtended, type RawLine } from './internals.js';
import { RAW_BG_EXTENDED, RAW_COMBINED, RAW_WORDS } from './row-builder.js';
import { savedRowOf, setSavedRow } from './saved-row.js';

export interface FrozenEmulator {
  readonly altScreen: boolean;
  readonly normal: FrozenBuffer;
  /** Has no lines while it is not shown. */
  readonly alt: FrozenBuffer;
  readonly pen: FrozenPen;
  readonly cursorHidden: boolean;
  readonly modes: Readonly<Record<string, boolean>>;
  readonly privateModes: Readonly<Record<string, boolean | string | undefined>>;
  readonly mouse: readonly [protocol: string, encoding: string];
  readonly charset: Charset;
  readonly charsets: readonly Charset[];
  readonly glevel: number;
  readonly joinState: number;
  readonly titles: readonly [title: string, icon: string];
  readonly titleStacks: readonly [titles: readonly string[], icons: readonly string[]];
  readonly convertEol: boolean;
  readonly cursorBlink: boolean;
  /** What a program clears goes into the scrollback. */
  readonly keepsCleared?: true;
}

export interface FrozenBuffer {
  readonly lines: readonly FrozenLine[];
  /** With all lines: how many it may have. */
  readonly mostLines?: number;
  readonly x: number;
  readonly y: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
  readonly savedX: number;
  readonly savedRow: number;
  readonly savedPen: FrozenPen;
  readonly savedCharset: Charset;
}

export interface FrozenLine {
  readonly words: Uint32Array;
  /** By column. */
  readonly combined: readonly (readonly [col: number, text: string])[];
  readonly extended: readonly (readonly [col: number, ext: number, link: number])[];
  readonly wrapped: boolean;
  readonly size: LineSize;
  /** What a narrower size has cut off it: its words and the rest as it was before. */
  readonly cut?: Omit<FrozenLine, 'wrapped' | 'size' | 'cut'>;
}

type FrozenPen = readonly [fg: number, bg: number, ext: number, link: number];

/** Sizes of lines, which the library does not have. */
export interface SizesOfLines {
  get(line: RawLine): LineSize;
  restore(line: RawLine, size: LineSize): void;
}

/** Whether it is between two sequences, so that it can be frozen. */
export function canFreeze({ internals }: Emulator): boolean {
  return wholeInternals(internals)._inputHandler._parser.currentState === GROUND;
}

/** Which lines are frozen. After a loss of rows the library keeps lines above the alternate screen, too. */
export type FrozenLines = 'none' | 'viewport' | 'all';

/** Call it where {@link canFreeze}, or with what is unfinished beside it. */
export function freezeEmulator(emulator: Emulator, sizes: SizesOfLines, lines: FrozenLines): FrozenEmulator {
  const core = wholeInternals(emulator.internals);
  const { coreService, coreMouseService: mouse, _inputHandler: input, optionsService, buffers } = core;
  const { _charsetService: sets } = input;
  return {
    altScreen: emulator.altScreen,
    normal: freezeBuffer(buffers.normal, sizes, lines),
    alt: freezeBuffer(buffers.alt, sizes, lines),
    pen: freezePen(input._curAttrData),
    cursorHidden: coreService.isCursorHidden,
    modes: { ...coreService.modes },
    privateModes: { ...coreService.decPrivateModes },
    mouse: [mouse.activeProtocol, mouse.activeEncoding],
    charset: sets.charset,
    charsets: Array.from(sets._charsets),
    glevel: sets.glevel,
    joinState: input._parser.precedingJoinState,
    titles: [input._windowTitle, input._iconName],
    titleStacks: [[...input._windowTitleStack], [...input._iconNameStack]],
    convertEol: optionsService.options.convertEol,
    cursorBlink: optionsService.options.cursorBlink,
    ...(keepsCleared(emulator.internals) ? { keepsCleared: true as const } : {}),
  };
}

/** @param emulator a new one of the same size */
export function thawEmulator(emulator: Emulator, frozen: FrozenEmulator, sizes: SizesOfLines): void {
  const core = wholeInternals(emulator.internals);
  const { coreService, coreMouseService: mouse, _inputHandler: input, optionsService, buffers } = core;
  const { _charsetService: sets, _parser: parser } = input;
  if (frozen.altScreen) buffers.activateAltBuffer();
  const plain = input._curAttrData.extended.clone();
  const make: MakeExtended = (ext, link) => Object.assign(plain.clone(), { _ext: ext, urlId: link });
  thawBuffer(buffers.normal, frozen.normal, sizes, make);
  thawBuffer(buffers.alt, frozen.alt, sizes, make);
  thawPen(input._curAttrData, frozen.pen, make);
  input._curAttrData.updateExtended();
  coreService.isCursorHidden = frozen.cursorHidden;
  Object.assign(coreService.modes, frozen.modes);
  Object.assign(coreService.decPrivateModes, frozen.privateModes);
  [mouse.activeProtocol, mouse.activeEncoding] = frozen.mouse;
  sets.charset = frozen.charset;
  sets._charsets = [...frozen.charsets];
  sets.glevel = frozen.glevel;
  parser.precedingJoinState = frozen.joinState;
  [input._windowTitle, input._iconName] = frozen.titles;
  input._windowTitleStack = [...frozen.titleStacks[0]];
  input._iconNameStack = [...frozen.titleStacks[1]];
  optionsService.options.convertEol = frozen.convertEol;
  optionsService.options.cursorBlink = frozen.cursorBlink;
  setKeepsCleared(emulator.internals, frozen.keepsCleared === true);
}

/** Numbers of the links that the frozen cells and pens have. */
export function linksOf({ normal, alt, pen }: FrozenEmulator): Set<number> {
  const links = new Set([pen[3]]);
  for (const { lines, savedPen } of [normal, alt]) {
    links.add(savedPen[3]);
    for (const { extended, cut } of lines)
      for (const [, , link] of [...extended, ...(cut?.extended ?? [])]) links.add(link);
  }
  return links;
}

function freezeBuffer(buffer: WholeBuffer, sizes: SizesOfLines, which: FrozenLines): FrozenBuffer {
  const lines: FrozenLine[] = [];
  const first = which === 'all' ? 0 : buffer.ybase;
  // One block for all lines: a block each takes longer to allocate and to collect than to fill.
  const words = which === 'none' ? undefined : wordsFor(buffer, first);
  for (let index = first, at = 0; words !== undefined && index < buffer.lines.length; index++) {
    const line = buffer.lines.get(index);
    if (line === undefined) continue;
    const own = words.subarray(at, (at += line.length * RAW_WORDS));
    lines.push(freezeLine(line, own, sizes.get(line)));
  }
  return {
    lines,
    ...(which === 'all' ? { mostLines: buffer.lines.maxLength } : {}),
    x: buffer.x,
    y: buffer.y,
    scrollTop: buffer.scrollTop,
    scrollBottom: buffer.scrollBottom,
    tabs: { ...buffer.tabs },
    savedX: buffer.savedX,
    savedRow: savedRowOf(buffer),
    savedPen: freezePen(buffer.savedCurAttrData),
    savedCharset: buffer.savedCharset,
  };
}

type MakeExtended = (ext: number, link: number) => RawExtended;

function thawBuffer(buffer: WholeBuffer, frozen: FrozenBuffer, sizes: SizesOfLines, make: MakeExtended): void {
  if (frozen.mostLines !== undefined) buffer.lines.maxLength = frozen.mostLines;
  addLinesAbove(buffer, frozen.lines.length - buffer.lines.length);
  for (const [index, frozenLine] of frozen.lines.entries()) {
    const line = buffer.lines.get(index);
    if (line === undefined) throw new Error(`a frozen screen has ${frozen.lines.length} rows, this one ${index}`);
    thawLine(line, frozenLine, make);
    sizes.restore(line, frozenLine.size);
  }
  buffer.x = frozen.x;
  buffer.y = frozen.y;
  buffer.scrollTop = frozen.scrollTop;
  buffer.scrollBottom = frozen.scrollBottom;
  buffer.tabs = { ...frozen.tabs };
  buffer.savedX = frozen.savedX;
  setSavedRow(buffer, frozen.savedRow);
  thawPen(buffer.savedCurAttrData, frozen.savedPen, make);
  buffer.savedCharset = frozen.savedCharset;
}

/** For the scrollback of a new emulator. */
function addLinesAbove(buffer: WholeBuffer, count: number): void {
  const { lines } = buffer;
  const sample = lines.get(0);
  if (count <= 0 || sample === undefined) return;
  const rows = lines.length;
  lines.length = rows + count;
  for (let index = rows; index < rows + count; index++) {
    lines.set(index, new sample.constructor(0, buffer.getNullCell(), false));
  }
  buffer.ybase = count;
  buffer.ydisp = count;
}

function wordsFor({ lines }: WholeBuffer, first: number): Uint32Array {
  let count = 0;
  for (let index = first; index < lines.length; index++) count += (lines.get(index)?.length ?? 0) * RAW_WORDS;
  return new Uint32Array(count);
}

/** @param words filled with those of the line */
function freezeLine(line: RawLine, words: Uint32Array, size: LineSize): FrozenLine {
  words.set(line._data.length === words.length ? line._data : line._data.subarray(0, words.length));
  const cut = cutRowOf(line);
  const cells = freezeCells({ _data: words, _combined: line._combined, _extendedAttrs: line._extendedAttrs });
  const whole = cut && freezeCells({ _data: cut.words, _combined: cut.combined, _extendedAttrs: cut.extended });
  return { ...cells, wrapped: line.isWrapped, size, ...(whole && { cut: whole }) };
}

type RawCells = Pick<RawLine, '_data' | '_combined' | '_extendedAttrs'>;

function freezeCells({ _data: words, ...line }: RawCells): NonNullable<FrozenLine['cut']> {
  const combined: [number, string][] = [];
  const extended: [number, number, number][] = [];
  for (let at = 0, col = 0; at < words.length; at += RAW_WORDS, col++) {
    if (((words[at] ?? 0) & RAW_COMBINED) !== 0) combined.push([col, line._combined[col] ?? '']);
    const attributes = ((words[at + 2] ?? 0) & RAW_BG_EXTENDED) === 0 ? undefined : line._extendedAttrs[col];
    if (attributes !== undefined) extended.push([col, attributes._ext, attributes.urlId]);
  }
  return { words, combined, extended };
}

function thawLine(line: RawLine, frozen: FrozenLine, make: MakeExtended): void {
  const { words, wrapped, cut } = frozen;
  const writable = line as RawLine & {
    _combined: Record<number, string>;
    _extendedAttrs: Record<number, RawExtended | undefined>;
    length: number;
  };
  writable._data = new Uint32Array(words);
  writable.length = words.length / RAW_WORDS;
  const { combined, extended } = thawParts(frozen, make);
  Object.assign(writable._combined, combined);
  Object.assign(writable._extendedAttrs, extended);
  line.isWrapped = wrapped;
  if (cut === undefined) return;
  setCutRow(line, { words: new Uint32Array(cut.words), ...thawParts(cut, make), shown: new Uint32Array(words) });
}

function thawParts({ combined, extended }: NonNullable<FrozenLine['cut']>, make: MakeExtended) {
  return {
    combined: Object.fromEntries(combined),
    extended: Object.fromEntries(extended.map(([col, ext, link]) => [col, make(ext, link)])),
  };
}

function freezePen({ fg, bg, extended }: FrozenPart): FrozenPen {
  return [fg, bg, extended._ext, extended.urlId];
}

function thawPen(pen: FrozenPart, [fg, bg, ext, link]: FrozenPen, make: MakeExtended): void {
  pen.fg = fg;
  pen.bg = bg;
  pen.extended = make(ext, link);
}
