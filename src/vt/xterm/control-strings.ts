/**
 * Control strings that carry a payload (OSC and DCS). It is collected here, once for all handlers and within a bound; the
 * library appends to a string a character at a time, in each handler anew: 32 bytes a character, so that an unfinished
 * string of 10 MB took 310 MB in each of one to three handlers.
 *
 * A string beyond its bound is ignored as a whole up to its terminator, none of it is shown as text, and its head is told as
 * unhandled. Names of windows (`ESC k`) are read as a DCS is. Of APC, PM and SOS the library keeps nothing; the heads of pictures in APC are found in the text.
 */
import type { Internals, RawParams, RawStringHandler } from './internals.js';
import { PayloadBuffer } from './payload-buffer.js';

/** The library's numbers, see its parser/Constants. */
const ESCAPE = 1;
const BEYOND_ASCII = 0xa0;
const SOS_PM_APC_STRING = 7;
const DCS_PASSTHROUGH = 13;
const IGNORE = 0;
const DCS_HOOK = 12;

/** `ESC k NAME ESC \`: the name of a window of screen and tmux. The library shows the name as text. */
export const WINDOW_NAME = 'k';

/** UTF-16 code units of a payload: more than any prompt, title or command line has. Pictures are not shown anyway. */
export const MAX_PAYLOAD_LENGTH = 64 * 1024;

/** Bounds by the number of the OSC. A clipboard's text comes in one piece: as much as tmux passes on. */
const MAX_OSC_LENGTH: Readonly<Record<number, number>> = { 52: 1024 * 1024 };

/** Length of the head, which is shown to people: it identifies the sequence. */
export const MAX_HEAD_LENGTH = 256;

export type ControlStringKind = 'osc' | 'dcs';

/** @param text without introducer and terminator, cut to its head */
type Unhandled = (kind: ControlStringKind | 'apc' | 'esc', text: string) => void;

/** https://sw.kovidgoyal.net/kitty/graphics-protocol/ */
const KITTY_GRAPHICS = '\x1b_G';

/** End of a string, as the program wrote it. */
export type Terminator = typeof BEL_TERMINATOR | typeof ST_TERMINATOR;

const BEL_TERMINATOR = '\x07';
const ST_TERMINATOR = '\x1b\\';
const BEL = 0x07;
const ESC = 0x1b;
const C1_ST = 0x9c;

export class ControlStrings {
  readonly #osc: ControlString;
  readonly #dcs: ControlString;
  /** Called for each string that has no handler or that is too long; the latter before its end has come. */
  onUnhandled: Unhandled = () => {};
  /** The end of the last piece, in which the introducer of a picture may begin. */
  #end = '';

  constructor({ _inputHandler: { _parser: parser } }: Internals) {
    const { _oscParser: oscParser, _dcsParser: dcsParser } = parser;
    const osc = new ControlString((text) => this.onUnhandled('osc', text));
    this.#osc = osc;
    const dcs = new ControlString((text) => this.onUnhandled(text.startsWith(WINDOW_NAME) ? 'esc' : 'dcs', text));
    this.#dcs = dcs;
    oscParser._start = () => {
      const { _id: code, _handlers } = oscParser;
      const handlers = _handlers[code] ?? [];
      const maxLength = handlers.length === 0 ? MAX_HEAD_LENGTH : (MAX_OSC_LENGTH[code] ?? MAX_PAYLOAD_LENGTH);
      oscParser._active = [osc];
      osc.open({ name: `${code}`, separator: ';', handlers, maxLength });
    };
    dcsParser.hook = (identifier, params) => {
      dcsParser.reset();
      const handlers = dcsParser._handlers[identifier] ?? [];
      const name = parser.identToString(identifier);
      // The name of a string without a handler is enough: pictures in sixels are many and long.
      const most = name === WINDOW_NAME ? MAX_HEAD_LENGTH : 0;
      const maxLength = handlers.length === 0 ? most : MAX_PAYLOAD_LENGTH;
      dcsParser._active = [dcs];
      dcs.open({ name, separator: '', handlers, params, maxLength });
    };
    // The library takes a character beyond ASCII for the end of these, and shows the rest.
    parser._transitions.add(BEYOND_ASCII, SOS_PM_APC_STRING, IGNORE, SOS_PM_APC_STRING);
    parser._transitions.add(WINDOW_NAME.charCodeAt(0), ESCAPE, DCS_HOOK, DCS_PASSTHROUGH);
  }

  /** To be called before the parse of each piece of output. */
  onParse(text: string | Uint8Array): void {
    this.#osc.onParse(text);
    if (typeof text === 'string') this.#findKittyGraphics(text);
  }

  /** Reported before the piece is parsed. */
  #findKittyGraphics(text: string): void {
    const most = KITTY_GRAPHICS.length - 1;
    const first = this.#end.includes('\x1b') ? this.#end + text.slice(0, most) : '';
    if (first.includes(KITTY_GRAPHICS)) this.onUnhandled('apc', 'G');
    for (let at = text.indexOf(KITTY_GRAPHICS); at !== -1; at = text.indexOf(KITTY_GRAPHICS, at + 1)) {
      const head = text.slice(at + 2, at + 2 + MAX_HEAD_LENGTH);
      // oxlint-disable-next-line no-control-regex
      this.onUnhandled('apc', /^[^;\x1b]*/.exec(head)?.[0] ?? '');
    }
    this.#end = text.length < most ? (this.#end + text).slice(-most) : text.slice(-most);
  }

  /** Payload that has come of the string under way; undefined if it is ignored, or there is none. */
  payloadOf(kind: ControlStringKind): { readonly name: string; readonly text: string } | undefined {
    return kind === 'osc' ? this.#osc.soFar : this.#dcs.soFar;
  }

  /** Terminator of the OSC whose handler runs. */
  get oscTerminator(): Terminator {
    return this.#osc.endCode === BEL ? BEL_TERMINATOR : ST_TERMINATOR;
  }
}

interface OpenString {
  readonly name: string;
  /** Between the name and the payload. */
  readonly separator: string;
  /** The one registered last is asked first. */
  readonly handlers: readonly RawStringHandler[];
  readonly params?: RawParams;
  readonly maxLength: number;
}

/** The library's only handler of the string under way: it hands on the pieces and the end. */
class ControlString {
  readonly #payload = new PayloadBuffer();
  readonly #onUnhandled: (text: string) => void;
  /** Undefined once it is over or ignored. */
  #open: OpenString | undefined;
  /** The piece of output that is being parsed. */
  #text: string | Uint8Array = '';
  /** Words that the library has decoded of it, up to the end of what was collected; undefined if nothing of it was. */
  #decoded: Uint32Array | undefined;
  #end = 0;

  constructor(onUnhandled: (text: string) => void) {
    this.#onUnhandled = onUnhandled;
  }

  open(opened: OpenString): void {
    this.#open = opened;
    this.#payload.open(opened.maxLength);
  }

  get soFar(): { readonly name: string; readonly text: string } | undefined {
    return this.#open && { name: this.#open.name, text: this.#payload.text() };
  }

  onParse(text: string | Uint8Array): void {
    this.#text = text;
    this.#decoded = undefined;
  }

  /** The character that has ended it: the first one after the payload that can. The handler has no other way to learn it. */
  get endCode(): number {
    const decoded = this.#decoded;
    for (let at = decoded === undefined ? 0 : this.#end; ; at++) {
      const code = decoded === undefined ? codeAt(this.#text, at) : decoded[at];
      if (code === undefined || code === BEL || code === ESC || code === C1_ST) return code ?? ESC;
    }
  }

  put(codePoints: Uint32Array, start: number, end: number): void {
    this.#decoded = codePoints;
    this.#end = end;
    if (this.#open === undefined || this.#payload.add(codePoints, start, end)) return;
    this.#reportUnhandled(this.#open);
    this.#close();
  }

  /** The library's name for it in OSC; `success` is false when it was cancelled. True: no other handler need see it. */
  end(success: boolean): true {
    const opened = this.#open;
    if (opened === undefined) return true;
    const { handlers, params } = opened;
    if (handlers.length === 0) this.#reportUnhandled(opened);
    const payload = success && handlers.length > 0 ? this.#payload.text() : undefined;
    // First, since a handler may throw.
    this.#close();
    if (payload === undefined) return true;
    for (let i = handlers.length - 1; i >= 0; i--) if (handlers[i]?._handler(payload, params) === true) break;
    return true;
  }

  /** End of a DCS. */
  unhook(success: boolean): true {
    return this.end(success);
  }

  #reportUnhandled({ name, separator }: OpenString): void {
    const head = this.#payload.text(MAX_HEAD_LENGTH);
    this.#onUnhandled(head === '' ? name : (name + separator + head).slice(0, MAX_HEAD_LENGTH));
  }

  #close(): void {
    this.#open = undefined;
    this.#payload.open(0);
  }
}

function codeAt(text: string | Uint8Array, at: number): number | undefined {
  return typeof text === 'string' ? text.codePointAt(at) : text[at];
}
