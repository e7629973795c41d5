/**
 * What a keyframe reads and writes of @xterm/headless beyond the rest of this room: everything that changes what later
 * output shows. Checked once for each process, on the first terminal that is frozen or thawed.
 */
import type { Internals, RawBuffer, RawExtended, RawLine, RawParams } from './internals.js';

export interface FrozenPart {
  fg: number;
  bg: number;
  extended: RawExtended;
}

export interface WholeBuffer extends Omit<RawBuffer, 'savedCurAttrData' | 'scrollTop' | 'scrollBottom' | 'lines'> {
  readonly lines: RawBuffer['lines'] & { set(index: number, line: RawLine): void };
  scrollTop: number;
  scrollBottom: number;
  savedX: number;
  tabs: Record<number, boolean | undefined>;
  savedCurAttrData: FrozenPart;
  savedCharset: Charset;
}

export type Charset = Readonly<Record<string, string>> | undefined;

export interface WholeInternals {
  readonly buffers: {
    readonly normal: WholeBuffer;
    readonly alt: WholeBuffer;
    readonly active: WholeBuffer;
    activateAltBuffer(): void;
  };
  readonly coreService: {
    isCursorHidden: boolean;
    modes: Record<string, boolean>;
    decPrivateModes: Record<string, boolean | string | undefined>;
  };
  readonly coreMouseService: { activeProtocol: string; activeEncoding: string };
  readonly optionsService: { readonly options: { convertEol: boolean; cursorBlink: boolean } };
  readonly _inputHandler: {
    readonly _parser: {
      readonly currentState: number;
      precedingJoinState: number;
      readonly _collect: number;
      readonly _params: RawParams & { readonly _rejectDigits: boolean; readonly _rejectSubDigits: boolean };
      readonly _oscParser: { readonly _state: number; readonly _id: number };
    };
    readonly _curAttrData: FrozenPart & { updateExtended(): void };
    readonly _charsetService: { charset: Charset; glevel: number; _charsets: Charset[] };
    _windowTitle: string;
    _iconName: string;
    _windowTitleStack: string[];
    _iconNameStack: string[];
  };
}

let fits = false;

/** @throws Error naming the parts that this release of @xterm/headless no longer has */
export function wholeInternals(internals: Internals): WholeInternals {
  const core = internals as unknown as WholeInternals;
  if (fits) return core;
  const missing = REQUIRED.filter(([, present]) => !isPresent(core, present)).map(([name]) => name);
  if (missing.length > 0) {
    throw new Error(`This @xterm/headless lacks ${missing.join(', ')}; 6.0.0 is known to fit.`);
  }
  fits = true;
  return core;
}

function isPresent(core: WholeInternals, present: (core: WholeInternals) => boolean): boolean {
  try {
    return present(core);
  } catch {
    return false;
  }
}

const REQUIRED: readonly (readonly [name: string, present: (core: WholeInternals) => boolean])[] = [
  ['parser states', ({ _inputHandler: { _parser: parser } }) => typeof parser.currentState === 'number'],
  ['what a parser has read', ({ _inputHandler: { _parser: parser } }) => typeof parser._collect === 'number'],
  ['its parameters', ({ _inputHandler: { _parser: parser } }) => typeof parser._params._rejectSubDigits === 'boolean'],
  ['its OSC', ({ _inputHandler: { _parser: parser } }) => typeof parser._oscParser._state === 'number'],
  ['tab stops', ({ buffers }) => typeof buffers.active.tabs === 'object'],
  ['saved column', ({ buffers }) => typeof buffers.active.savedX === 'number'],
  ['saved character set', ({ buffers }) => 'savedCharset' in buffers.active],
  ['screens', ({ buffers }) => typeof buffers.activateAltBuffer === 'function'],
  ['lists of lines', ({ buffers }) => typeof buffers.active.lines.set === 'function'],
  ['modes', ({ coreService }) => 'insertMode' in coreService.modes && 'origin' in coreService.decPrivateModes],
  ['mouse', ({ coreMouseService: mouse }) => typeof mouse.activeProtocol === 'string' && 'activeEncoding' in mouse],
  ['options', ({ optionsService: { options } }) => typeof options.convertEol === 'boolean' && 'cursorBlink' in options],
  ['character sets', ({ _inputHandler: input }) => Array.isArray(input._charsetService._charsets)],
  [
    'titles',
    ({ _inputHandler: input }) => [input._windowTitle, input._iconName].every((name) => typeof name === 'string'),
  ],
  ['title stacks', ({ _inputHandler: input }) => Array.isArray(input._windowTitleStack)],
];
