/**
 * The one parser of a request line, for the daemon and for all that look into lines on their way to it: what two parsers read
 * differently would pass by the one that filters. A byte order mark is dropped, and of two fields of one name the last counts.
 */
import { refusal, type T4aError } from './errors.js';
import { lowerFirst } from './issue-words.js';
import {
  MAX_COMMAND_FIELDS,
  MAX_FIELD_NAME_BYTES,
  MAX_REQUEST_DEPTH,
  MAX_REQUEST_FIELDS,
  MAX_REQUEST_VALUES,
} from './limits.js';

export type RequestFields = Readonly<Record<string, unknown>>;

/** Id of at most {@link MAX_ID_LENGTH} characters. */
export type RequestId = string | number;

const MAX_ID_LENGTH = 256;

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** Bytes of one step: a fraction of a millisecond, or a few where the machine is busy. */
const STEP_BYTES = 1024 * 1024;

/** Lines of which something was read before they are parsed. */
const readAhead = new WeakMap<Uint8Array, LineExtent | string | T4aError>();

/**
 * One step of what {@link requestFields} needs, which takes what was found: a long line is read in several turns.
 * @returns whether it was the last one
 */
export function readLineAhead(line: Uint8Array): boolean {
  const extent = readAhead.get(line) ?? new LineExtent(line);
  if (!(extent instanceof LineExtent)) return true;
  if (extent.readBytes >= line.length) {
    readAhead.set(line, decoded(line));
    return true;
  }
  const excess = extent.readTo(Math.min(line.length, extent.readBytes + STEP_BYTES));
  readAhead.set(line, excess === undefined ? extent : tooMuch(excess));
  return excess !== undefined;
}

function textOf(line: Uint8Array): string | T4aError {
  const read = readAhead.get(line);
  if (read !== undefined && !(read instanceof LineExtent)) return read;
  const excess = excessOf(line);
  return excess === undefined ? decoded(line) : tooMuch(excess);
}

function tooMuch(excess: string): T4aError {
  return refusal('bad_request', excess, { hint: 'Send less at once.' });
}

function decoded(line: Uint8Array): string | T4aError {
  return withoutStacks(() => {
    try {
      return decoder.decode(line);
    } catch (error) {
      return notJson(line, error);
    }
  });
}

/**
 * Result without a stack on errors: what is no JSON is frequent where a client is broken, and a stack costs more than the parse.
 */
function withoutStacks<Result>(read: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return read();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** @param line of bytes, or a text, whose line breaks are blanks @returns why it is none: filters pass no such line on */
export function requestFields(line: Uint8Array | string): RequestFields | T4aError {
  const bytes = typeof line === 'string' ? encoder.encode(line) : line;
  const text = textOf(bytes);
  readAhead.delete(bytes);
  return typeof text === 'string' ? withoutStacks(() => fieldsIn(text, bytes)) : text;
}

function fieldsIn(text: string, bytes: Uint8Array): RequestFields | T4aError {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RequestFields;
    return refusal('bad_request', `Not a JSON object, but ${kindOf(value)}.`, { hint: JSON_HINT });
  } catch (error) {
    return notJson(bytes, error);
  }
}

/** Security: none of the line is shown. What makes it no JSON is often a quotation mark in a password. */
function notJson(line: Uint8Array, error: unknown): T4aError {
  const isHttp = /^[A-Z]+ \S+ HTTP\//.test(new TextDecoder().decode(line.subarray(0, 200)));
  return refusal('bad_json', `Not JSON: ${whyNotJson(error)}.`, {
    hint: isHttp ? 'This socket speaks one JSON object per line, not HTTP.' : JSON_HINT,
  });
}

/** V8 quotes the text around a character that it did not expect; its other reasons have the position alone. */
function whyNotJson(error: unknown): string {
  if (!(error instanceof SyntaxError)) return 'it is not UTF-8';
  return error.message.includes('"') ? 'unexpected character' : lowerFirst(error.message);
}

const JSON_HINT = 'Send one JSON object per line, for example {"cmd":"list"}.';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Change of the level by byte. A table, since most bytes of a long line are none of these. */
const LEVELS = new Int8Array(256);
for (const opening of '[{') LEVELS[opening.charCodeAt(0)] = 1;
for (const closing of ']}') LEVELS[closing.charCodeAt(0)] = -1;
const COUNTED = Uint8Array.from(LEVELS, (level) => (level === 0 ? 0 : 1));
for (const byte of [QUOTE, COMMA, COLON]) COUNTED[byte] = 1;

/** @returns what it has too much of, as a sentence */
export function excessOf(line: Uint8Array): string | undefined {
  return new LineExtent(line).readTo(line.length);
}

/** Content of a line, counted in steps. */
class LineExtent {
  readonly #line: Uint8Array;
  #at = 0;
  #values = 0;
  #depth = 0;
  #fields = 0;
  /** Fields of the request itself. */
  #ownFields = 0;
  #textBytes = 0;

  constructor(line: Uint8Array) {
    this.#line = line;
  }

  get readBytes(): number {
    return this.#at;
  }

  /** @param end a text that begins before it is read whole @returns what it has too much of, as a sentence */
  readTo(end: number): string | undefined {
    const line = this.#line;
    let at = this.#at;
    for (; at < end; at++) {
      const byte = line[at] as number;
      if (COUNTED[byte] === 0) continue;
      if (byte === QUOTE) {
        const closing = endOfText(line, at + 1);
        this.#textBytes = closing - at - 1;
        at = closing;
        continue;
      }
      const excess = byte === COLON ? this.#field() : this.#value(LEVELS[byte] as number);
      if (excess !== undefined) return excess;
    }
    this.#at = at;
    return undefined;
  }

  #field(): string | undefined {
    if (++this.#fields > MAX_REQUEST_FIELDS) return `The request has more than ${MAX_REQUEST_FIELDS} fields.`;
    if (this.#depth === 1 && ++this.#ownFields > MAX_COMMAND_FIELDS)
      return `The request has more than ${MAX_COMMAND_FIELDS} fields of its own.`;
    if (this.#textBytes > MAX_FIELD_NAME_BYTES)
      return `The name of a field has more than ${MAX_FIELD_NAME_BYTES} bytes.`;
    return undefined;
  }

  #value(level: number): string | undefined {
    if (level >= 0) this.#values++;
    this.#depth += level;
    if (this.#depth > MAX_REQUEST_DEPTH) return `The request is nested more than ${MAX_REQUEST_DEPTH} levels deep.`;
    if (this.#values > MAX_REQUEST_VALUES) return `The request has more than ${MAX_REQUEST_VALUES} values.`;
    return undefined;
  }
}

/** Longer texts are searched by the runtime, which is faster by far and costs a call. */
const SHORT_TEXT_BYTES = 32;

/** Index of the closing quotation mark, or of the line's end if there is none. */
function endOfText(line: Uint8Array, start: number): number {
  let at = start;
  for (const end = Math.min(line.length, start + SHORT_TEXT_BYTES); at < end; at++) {
    if (line[at] === BACKSLASH) at++;
    else if (line[at] === QUOTE) return at;
  }
  for (let from = at; ;) {
    const quote = line.indexOf(QUOTE, from);
    if (quote === -1) return line.length;
    let before = quote;
    while (before > at && line[before - 1] === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
    from = quote + 1;
  }
}

/** The `req` of a line that is not parsed, if the line begins as our clients write it. */
export function requestIdOf(line: Uint8Array): RequestId | undefined {
  const [, id] = BEGIN.exec(new TextDecoder().decode(line.subarray(0, MAX_BEGIN_LENGTH))) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as RequestId);
}

const BEGIN = /^\{"cmd": ?"[a-z_]{1,32}", ?"req": ?(\d{1,15}|"[\w-]{1,256}")[,}]/;
const MAX_BEGIN_LENGTH = 400;

/** Id that a reply may repeat; undefined for what is no `req`. */
export function requestId(value: unknown): RequestId | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
