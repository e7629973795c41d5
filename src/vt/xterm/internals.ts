/**
 * The one place that reaches into @xterm/headless past its typings: raw line words (the public cell API costs 20 times
 * as much), extended attributes, hyperlinks, the cursor's looks, fallbacks for unknown sequences.
 *
 * {@link openInternals} checks every shape it relies on, on a live terminal, and names what is missing: a newer release
 * that moves something fails at the first terminal with that name, not with wrong cells.
 */
import type { Terminal } from '@xterm/headless';

/** One line of a buffer; its identity survives scrolling, but a full buffer reuses the object for new lines. */
export interface RawLine {
  /** Three words a cell: content, foreground, background. */
  _data: Uint32Array;
  _combined: Readonly<Record<number, string>>;
  _extendedAttrs: Readonly<Record<number, RawExtended | undefined>>;
  isWrapped: boolean;
  length: number;
  readonly constructor: new (cols: number, fill: RawCell, isWrapped: boolean) => RawLine;
  translateToString(trimRight: boolean): string;
  copyFrom(source: RawLine): void;
  clone(): RawLine;
  addCodepointToCell(col: number, codePoint: number, width: number): void;
  setCellFromCodepoint(col: number, codePoint: number, width: number, pen: object): void;
  insertCells(col: number, count: number, fill: object): void;
  /** `fill` is looked at only where the line gets longer. */
  resize(cols: number, fill: unknown): boolean;
  /** Length in cells, up to the last with a character. */
  getTrimmedLength(): number;
  getWidth(col: number): number;
  hasContent(col: number): number;
  setCell(col: number, cell: RawCell): void;
  replaceCells(start: number, end: number, cell: RawCell): void;
  copyCellsFrom(source: RawLine, sourceCol: number, col: number, count: number, fromTheEnd: boolean): void;
}

/** Only passed on. */
export type RawCell = object & { readonly fg: number };

/** Immutable once it is stored in a line. */
export interface RawExtended {
  /** Underline style in bits 26..28, underline colour below. `underlineStyle` lies for hyperlinks: always dashed. */
  readonly _ext: number;
  readonly urlId: number;
  clone(): RawExtended & { urlId: number };
}

export interface RawAttributes {
  fg: number;
  bg: number;
  extended: RawExtended;
  /** To be called when `extended` was replaced. */
  updateExtended(): void;
}

export interface RawLines {
  length: number;
  maxLength: number;
  trimStart(count: number): void;
  get(index: number): RawLine | undefined;
  set(index: number, line: RawLine | undefined): void;
  pop(): RawLine | undefined;
  readonly onDeleteEmitter: { fire(event: { index: number; amount: number }): void };
  readonly onInsertEmitter: { fire(event: { index: number; amount: number }): void };
  readonly onTrimEmitter: { fire(count: number): void };
  readonly onTrim: (listener: (count: number) => void) => { dispose(): void };
}

export interface RawBuffer {
  readonly lines: RawLines;
  /** First line of the viewport. */
  ybase: number;
  /** First line that a reader has scrolled to: always the viewport's here. */
  ydisp: number;
  x: number;
  y: number;
  scrollTop: number;
  scrollBottom: number;
  savedY: number;
  savedX: number;
  readonly savedCurAttrData: { extended: RawExtended };
  getNullCell(): RawCell;
  /** Lays out all lines for another width; called within a change of size. */
  _reflow(cols: number, rows: number): void;
  _reflowLargerAdjustViewport(cols: number, rows: number, removed: number): void;
}

interface RawBuffers {
  readonly normal: RawBuffer;
  readonly alt: RawBuffer;
  readonly active: RawBuffer;
}

export interface RawParams {
  toArray(): (number | number[])[];
}

/** Handler that is registered for an OSC or a DCS: takes a whole payload. Only a DCS has parameters. */
export interface RawStringHandler {
  readonly _handler: (payload: string, params?: RawParams) => boolean | Promise<boolean>;
}

interface RawActiveHandler {
  put(codePoints: Uint32Array, start: number, end: number): void;
  end(success: boolean): boolean;
  unhook(success: boolean): boolean;
}

interface RawStringParser {
  readonly _handlers: Readonly<Record<number, readonly RawStringHandler[] | undefined>>;
  /** Handlers that receive the string under way. */
  _active: readonly RawActiveHandler[];
  reset(): void;
}

interface RawParser {
  /** Called once the number is complete, which is in `_id`. */
  readonly _oscParser: RawStringParser & { readonly _id: number; _start(): void };
  readonly _dcsParser: RawStringParser & { hook(identifier: number, params: RawParams): void };
  readonly _transitions: { add(code: number, state: number, action: number, next: number): void };
  identToString(identifier: number): string;
  reset(): void;
  /** Between two sequences: {@link GROUND}. */
  readonly currentState: number;
  /** See graphemes.ts. */
  precedingJoinState: number;
  setPrintHandler(handler: (codes: Uint32Array, start: number, end: number) => void): void;
  setCsiHandlerFallback(handler: (identifier: number, params: RawParams) => void): void;
  setEscHandlerFallback(handler: (identifier: number) => void): void;
}

/** Handlers of counted CSI sequences, by the name that the library gives them. */
export type CountedOperation =
  | 'insertLines'
  | 'deleteLines'
  | 'scrollUp'
  | 'scrollDown'
  | 'scrollLeft'
  | 'scrollRight'
  | 'insertColumns'
  | 'deleteColumns'
  | 'cursorForwardTab'
  | 'cursorBackwardTab'
  | 'repeatPrecedingCharacter';

type RawInputHandler = {
  readonly _parser: RawParser;
  readonly _curAttrData: RawAttributes;
  /** Undefined: ASCII means itself. */
  readonly _charsetService: { readonly charset: object | undefined };
  print(codes: Uint32Array, start: number, end: number): void;
  lineFeed(): boolean;
  tab(): boolean;
  /** The pen of cells that are erased now. */
  _eraseAttrData(): object;
  eraseInDisplay(params: { params: number[]; length: number }, spareProtected: boolean): boolean;
  eraseInLine(params: { params: number[]; length: number }, spareProtected: boolean): boolean;
  saveCursor(): boolean;
  restoreCursor(): boolean;
} & { readonly [Name in CountedOperation]: (params: { params: number[]; length: number }) => boolean };

interface RawWriteBuffer {
  _writeBuffer: unknown[];
  _callbacks: unknown[];
  _pendingData: number;
  _bufferOffset: number;
}

export interface Internals {
  readonly cols: number;
  readonly rows: number;
  readonly _bufferService: { scroll: (pen: object, isWrapped: boolean) => void };
  readonly buffers: RawBuffers;
  readonly coreService: {
    isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined;
      readonly cursorBlink: boolean | undefined;
      readonly origin: boolean;
      readonly wraparound: boolean;
    };
  };
  /** Written to, it changes what the next layout keeps, and nothing at once. */
  readonly optionsService: {
    readonly rawOptions: { scrollback: number; readonly convertEol: boolean; reflowCursorLine: boolean };
  };
  readonly _inputHandler: RawInputHandler;
  readonly _writeBuffer: RawWriteBuffer;
}

/** The library's number for "between two sequences", see its parser/Constants. */
export const GROUND = 0;

/** @throws Error naming the parts that this release of @xterm/headless no longer has */
export function openInternals(terminal: Terminal): Internals {
  const core = (terminal as unknown as { _core?: Internals })._core;
  const missing = REQUIRED.filter(([, present]) => !attempt(() => core !== undefined && present(core)));
  if (core === undefined || missing.length > 0) {
    throw new Error(`This @xterm/headless lacks ${missing.map(([name]) => name).join(', ')}; 6.0.0 is known to fit.`);
  }
  return core;
}

const REQUIRED: readonly (readonly [name: string, present: (core: Internals) => boolean])[] = [
  [
    'buffer positions',
    ({ buffers: { active } }) =>
      [active.ybase, active.ydisp, active.x, active.y, active.scrollTop, active.scrollBottom].every(isNumber),
  ],
  ['buffer set', ({ buffers }) => buffers.normal === buffers.active && isObject(buffers.alt)],
  ['scrollback limit', ({ optionsService }) => isNumber(optionsService.rawOptions.scrollback)],
  [
    'line lists',
    (core) => isNumber(core.buffers.active.lines.maxLength) && hasMethod(core.buffers.active.lines, 'trimStart'),
  ],
  [
    'new layouts',
    ({ buffers: { active } }) =>
      ['_reflow', '_reflowLargerAdjustViewport', 'getNullCell'].every((name) => name in active) &&
      ['set', 'pop', 'onDeleteEmitter', 'onInsertEmitter', 'onTrimEmitter'].every((name) => name in active.lines),
  ],
  [
    'layout of rows',
    (core) =>
      ['getTrimmedLength', 'getWidth', 'hasContent', 'setCell', 'replaceCells', 'copyCellsFrom'].every(
        (name) => name in (firstLine(core) ?? {}),
      ),
  ],
  ['saved row', ({ buffers: { active } }) => isNumber(active.savedY) && isNumber(active.savedX)],
  ['trim events', (core) => hasMethod(core.buffers.active.lines, 'onTrim')],
  ['line words', (core) => firstLine(core)?._data instanceof Uint32Array],
  ['line copies', (core) => ['copyFrom', 'clone', 'resize'].every((name) => name in (firstLine(core) ?? {}))],
  ['joined characters', (core) => typeof firstLine(core)?.addCodepointToCell === 'function'],
  ['insertion', (core) => ['insertCells', 'setCellFromCodepoint'].every((name) => name in (firstLine(core) ?? {}))],
  ['combined cells', (core) => isObject(firstLine(core)?._combined)],
  ['extended attributes', (core) => isObject(firstLine(core)?._extendedAttrs)],
  ['current attributes', (core) => isNumber(core._inputHandler._curAttrData.extended._ext)],
  ['hyperlink ids', (core) => isNumber(core._inputHandler._curAttrData.extended.urlId)],
  ['pen', (core) => hasMethod(core._inputHandler._curAttrData, 'updateExtended')],
  ['cursor visibility', (core) => typeof core.coreService.isCursorHidden === 'boolean'],
  ['cursor style', (core) => 'cursorStyle' in core.coreService.decPrivateModes],
  ['parser fallbacks', (core) => hasMethod(core._inputHandler._parser, 'setCsiHandlerFallback')],
  ['OSC parser', ({ _inputHandler: { _parser: parser } }) => takesStrings(parser._oscParser, '_start')],
  ['DCS parser', ({ _inputHandler: { _parser: parser } }) => takesStrings(parser._dcsParser, 'hook')],
  ['transitions', (core) => hasMethod(core._inputHandler._parser._transitions, 'add')],
  ['counted operations', (core) => hasMethod(core._inputHandler, 'repeatPrecedingCharacter')],
  ['printing', (core) => hasMethod(core._inputHandler, 'print') && isNumber(core.cols)],
  ['erasing', ({ _inputHandler: input }) => hasMethod(input, 'eraseInDisplay') && hasMethod(input, 'eraseInLine')],
  ['saved cursor', ({ _inputHandler: input }) => hasMethod(input, 'saveCursor') && hasMethod(input, 'restoreCursor')],
  ['saved pen', (core) => isNumber(core.buffers.active.savedCurAttrData.extended._ext)],
  ['print handler', (core) => hasMethod(core._inputHandler._parser, 'setPrintHandler')],
  ['join state', (core) => isNumber(core._inputHandler._parser.precedingJoinState)],
  ['character sets', (core) => 'glevel' in core._inputHandler._charsetService],
  ['insert mode', (core) => typeof core.coreService.modes.insertMode === 'boolean'],
  ['line feeds', ({ _inputHandler: input }) => hasMethod(input, 'lineFeed') && hasMethod(input, 'tab')],
  ['scrolling', (core) => hasMethod(core._bufferService, 'scroll') && hasMethod(core._inputHandler, '_eraseAttrData')],
  ['rows', (core) => isNumber(core.rows) && core._inputHandler._parser.currentState === GROUND],
  ['wrapping', ({ coreService: { decPrivateModes: on } }) => [on.wraparound, on.origin].every(isBoolean)],
  ['the line of the cursor', (core) => isBoolean(core.optionsService.rawOptions.reflowCursorLine)],
  ['ends of lines', (core) => isBoolean(core.optionsService.rawOptions.convertEol)],
  ['write buffer', (core) => Array.isArray(core._writeBuffer._writeBuffer)],
];

/** After a throw in the middle of a parse: without this, nothing would ever be parsed again. */
export function dropUnparsed({ _writeBuffer: buffer, _inputHandler }: Internals): void {
  buffer._writeBuffer.length = 0;
  buffer._callbacks.length = 0;
  buffer._pendingData = 0;
  buffer._bufferOffset = 0;
  _inputHandler._parser.reset();
}

function takesStrings<T extends RawStringParser>(parser: T, opening: keyof T): boolean {
  const handler = Object.values(parser._handlers)[0]?.[0];
  return hasMethod(parser, opening) && Array.isArray(parser._active) && typeof handler?._handler === 'function';
}

function firstLine(core: Internals): RawLine | undefined {
  return core.buffers.active.lines.get(0);
}

function attempt(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function hasMethod<T extends object>(owner: T, name: keyof T): boolean {
  return typeof owner[name] === 'function';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
