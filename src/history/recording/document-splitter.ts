/**
 * Splits the one JSON object of an asciicast v1 into its fields and the frames of its `stdout`, as the bytes come: the object is never
 * whole in memory, and neither is the list of frames. What is between the separators is checked by whoever parses it.
 */
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bounded-json.js';
import { invalid, MAX_RECORDED_EVENT_BYTES } from './recording-event.js';

export interface DocumentListener {
  /** @param text `"width": 80` */
  field(text: string): void;
  /** The list of frames begins. */
  frames(): void;
  /** @param text `[0.25, "output"]` */
  frame(text: string): void;
}

/** Depth of the frames: object, list. */
const FRAME_DEPTH = 2;

/** Greatest depth of a field, or of a frame. */
const MAX_DEPTH = 32;

/** A field is a fact about the recording, its environment at most. */
const MAX_FIELD_BYTES = 1024 * 1024;

const STDOUT = /^\s*"stdout"\s*:\s*$/;
const BLANK = /^\s*$/;

export class DocumentSplitter {
  readonly #listener: DocumentListener;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #inFrames = false;
  /** Whether the list has ended: a comma or the end follows. */
  #isAfterFrames = false;
  #hasEnded = false;
  /** Parts of the present field or frame. */
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(listener: DocumentListener) {
    this.#listener = listener;
  }

  /** @throws T4aError recording_invalid; what the listener throws */
  push(bytes: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (isMark(byte) && this.#isSeparator(byte, () => bytes.subarray(start, at))) start = at + 1;
    }
    this.#add(bytes.subarray(start));
  }

  /** The file has no further bytes. @throws T4aError recording_invalid if they are not one object */
  end(): void {
    if (!this.#hasEnded || !BLANK.test(this.#take(new Uint8Array(0)))) throw notOne();
  }

  /** @param before bytes of the present item that are not kept yet @returns whether the item has ended with this byte */
  #isSeparator(byte: number, before: () => Uint8Array): boolean {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#opens(byte, before);
    if (byte !== COMMA && --this.#depth < 0) throw notOne();
    if (byte === COMMA) {
      if (this.#depth === FRAME_DEPTH && this.#inFrames) this.#listener.frame(this.#take(before()));
      else if (this.#depth === 1) this.#endField(before());
      else return false;
      return true;
    }
    if (this.#depth === FRAME_DEPTH - 1 && this.#inFrames) {
      if (byte !== CLOSE_BRACKET) throw notOne();
      const text = this.#take(before());
      if (!BLANK.test(text)) this.#listener.frame(text);
      this.#inFrames = false;
      this.#isAfterFrames = true;
      return true;
    }
    if (this.#depth > 0) return false;
    if (byte !== CLOSE_BRACE) throw notOne();
    this.#endField(before());
    this.#hasEnded = true;
    return true;
  }

  #opens(byte: number, before: () => Uint8Array): boolean {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw invalid('The asciicast', `is nested in more than ${MAX_DEPTH} levels`);
    if (this.#depth === 1) {
      if (byte !== OPEN_BRACE || this.#hasEnded || !BLANK.test(this.#take(before()))) throw notOne();
      return true;
    }
    if (this.#depth !== FRAME_DEPTH || byte !== OPEN_BRACKET || this.#length > MAX_FIELD_BYTES) return false;
    const name = before();
    if (this.#length + name.length > MAX_NAME_BYTES) return false;
    const text = this.#text(name);
    if (!STDOUT.test(text)) return false;
    this.#take(name);
    this.#inFrames = true;
    this.#listener.frames();
    return true;
  }

  #endField(before: Uint8Array): void {
    const text = this.#take(before);
    const isEmpty = BLANK.test(text);
    if (this.#isAfterFrames && !isEmpty) throw notOne();
    this.#isAfterFrames = false;
    if (!isEmpty) this.#listener.field(text);
  }

  #add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > (this.#inFrames ? MAX_RECORDED_EVENT_BYTES : MAX_FIELD_BYTES)) throw tooLong(this.#inFrames);
    // A copy: the bytes may be in a buffer that is used again.
    this.#parts.push(Uint8Array.from(part));
  }

  #text(last: Uint8Array): string {
    return Buffer.concat([...this.#parts, last]).toString('utf8');
  }

  #take(last: Uint8Array): string {
    if (this.#length + last.length > (this.#inFrames ? MAX_RECORDED_EVENT_BYTES : MAX_FIELD_BYTES))
      throw tooLong(this.#inFrames);
    const text = this.#text(last);
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}

const MAX_NAME_BYTES = 1024;

function isMark(byte: number): boolean {
  return (
    byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET || byte === OPEN_BRACE || byte === CLOSE_BRACE
  );
}

function notOne(): Error {
  return invalid('The file', 'begins with no header of an asciicast');
}

function tooLong(inFrames: boolean): Error {
  return inFrames
    ? invalid('A frame', `is longer than ${MAX_RECORDED_EVENT_BYTES} bytes`)
    : invalid('A field of the asciicast', `is longer than ${MAX_FIELD_BYTES} bytes`);
}
