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
import { hasCellsAlone } from './line-reuse.js';
import { isInSlab } from './line-slabs.js';
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
  /** Whether what a program clears goes into the scrollback. */
  readonly keepsCleared?: true;
}

export interface FrozenBuffer {
  readonly lines: readonly FrozenLine[];
  /** Most lines that it may have, if all are frozen. */
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
  /** Combined characters by column. */
  readonly combined: readonly (readonly [col: number, text: string])[];
  readonly extended: readonly (readonly [col: number, ext: number, link: number])[];
  readonly wrapped: boolean;
  readonly size: LineSize;
  /** Part that a narrower size has cut off it: its words and the rest as it was before. */
  readonly cut?: Omit<FrozenLine, 'wrapped' | 'size' | 'cut' | 'made'>;
  /** Line of the library that has these values already. */
  readonly made?: RawLine;
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

/** Lines that are frozen. After a loss of rows the library keeps lines above the alternate screen, too. */
export type FrozenLines = 'none' | 'viewport' | 'all';

/**
 * Call it where {@link canFreeze}, or with what is unfinished beside it.
 * @param above number of oldest lines of the normal screen that are left out
 */
export function freezeEmulator(emulator: Emulator, sizes: SizesOfLines, lines: FrozenLines, above = 0): FrozenEmulator {
  const core = wholeInternals(emulator.internals);
  const { coreService, coreMouseService: mouse, _inputHandler: input, optionsService, buffers } = core;
  const { _charsetService: sets } = input;
  return {
    altScreen: emulator.altScreen,
    normal: freezeBuffer(buffers.normal, sizes, lines, above),
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
  const make = makeExtended(input._curAttrData);
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
    addLinks(links, lines);
  }
  return links;
}

export function addLinks(links: Set<number>, lines: readonly FrozenLine[]): void {
  for (const { extended, cut } of lines) {
    for (const [, , link] of extended) links.add(link);
    for (const [, , link] of cut?.extended ?? []) links.add(link);
  }
}

function freezeBuffer(buffer: WholeBuffer, sizes: SizesOfLines, which: FrozenLines, above = 0): FrozenBuffer {
  const first = which === 'all' ? above : buffer.ybase;
  return {
    lines: which === 'none' ? [] : freezeLines(buffer, sizes, first, buffer.lines.length),
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
  const rows = buffer.lines.length;
  const above = Math.max(0, frozen.lines.length - rows);
  buffer.lines.length = rows + above;
  // Ten thousand lines were made before the pause of a replacement, and are but put in their places.
  for (let index = 0; index < frozen.lines.length; index++) {
    const frozenLine = frozen.lines[index];
    const made = frozenLine?.made ?? (index < rows ? buffer.lines.get(index) : newLine(buffer));
    if (frozenLine === undefined || made === undefined)
      throw new Error(`a frozen screen has ${frozen.lines.length} rows, this one ${index}`);
    buffer.lines.set(index, made);
    if (frozenLine.made === undefined) thawLine(made, frozenLine, make);
    sizes.restore(made, frozenLine.size);
  }
  buffer.ybase += above;
  buffer.ydisp += above;
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

function newLine(buffer: WholeBuffer): RawLine | undefined {
  const sample = buffer.lines.get(0);
  return sample && new sample.constructor(0, buffer.getNullCell(), false);
}

/** Makes lines for an emulator that does not exist yet. @param emulator any other */
export function lineMaker(emulator: Emulator): (frozen: FrozenLine) => FrozenLine {
  const { buffers, _inputHandler: input } = wholeInternals(emulator.internals);
  const make = makeExtended(input._curAttrData);
  return (frozen) => {
    const made = newLine(buffers.normal);
    if (made === undefined) return frozen;
    thawLine(made, frozen, make);
    return { ...frozen, made };
  };
}

function makeExtended({ extended }: FrozenPart): MakeExtended {
  const plain = extended.clone();
  return (ext, link) => Object.assign(plain.clone(), { _ext: ext, urlId: link });
}

/** @param end index behind the last line */
export function freezeLines(
  { lines }: Pick<WholeBuffer, 'lines'>,
  sizes: SizesOfLines,
  first: number,
  end: number,
): FrozenLine[] {
  const frozen: FrozenLine[] = [];
  let count = 0;
  for (let index = first; index < end; index++) count += (lines.get(index)?.length ?? 0) * RAW_WORDS;
  // One block for all lines: a block each takes longer to allocate and to collect than to fill.
  const words = new Uint32Array(count);
  for (let index = first, at = 0; index < end; index++) {
    const line = lines.get(index);
    if (line === undefined) continue;
    const own = words.subarray(at, (at += line.length * RAW_WORDS));
    frozen.push(freezeLine(line, own, sizes.get(line)));
  }
  return frozen;
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
  // Most lines: looking at each cell takes ten times as long as a copy of all.
  if (hasCellsAlone(line)) return { words, combined: NONE, extended: NONE };
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
  const { words, wrapped, cut, combined, extended } = frozen;
  const writable = line as RawLine & {
    _combined: Record<number, string>;
    _extendedAttrs: Record<number, RawExtended | undefined>;
    length: number;
  };
  writable._data = isInSlab(words) ? words : new Uint32Array(words);
  writable.length = words.length / RAW_WORDS;
  for (const [col, text] of combined) writable._combined[col] = text;
  for (const [col, ext, link] of extended) writable._extendedAttrs[col] = make(ext, link);
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

const NONE: readonly [] = [];

function freezePen({ fg, bg, extended }: FrozenPart): FrozenPen {
  return [fg, bg, extended._ext, extended.urlId];
}

function thawPen(pen: FrozenPart, [fg, bg, ext, link]: FrozenPen, make: MakeExtended): void {
  pen.fg = fg;
  pen.bg = bg;
  pen.extended = make(ext, link);
}
