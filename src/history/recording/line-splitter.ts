/** Bytes to lines without their line feeds, with a bound. A line is copied once, however many parts it comes in. */
import { assertEventCount, invalid, MAX_RECORDED_EVENT_BYTES } from './recording-event.js';

const LINE_FEED = 0x0a;

export class TextLineSplitter {
  #parts: Uint8Array[] = [];
  #length = 0;
  /** Number of the last line that was returned, 1 being the first. */
  number = 0;

  /** Calls `onLine` for each line that ends within `bytes`. @throws T4aError recording_invalid */
  push(bytes: Uint8Array, onLine: (line: string) => void): void {
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(LINE_FEED, start);
      this.#add(bytes.subarray(start, end === -1 ? bytes.length : end));
      if (end === -1) return;
      start = end + 1;
      assertEventCount(++this.number);
      onLine(this.#take());
    }
  }

  /** Counts a line that was read by others. */
  skipLine(): void {
    this.number++;
  }

  /** Text behind the last line feed; empty if there is none. */
  rest(): string {
    this.number++;
    return this.#take();
  }

  #add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > MAX_RECORDED_EVENT_BYTES) {
      throw invalid(`line ${this.number + 1}`, `is longer than ${MAX_RECORDED_EVENT_BYTES} bytes`);
    }
    // A copy: the bytes may be in a buffer that is used again.
    if (part.length > 0) this.#parts.push(Uint8Array.from(part));
  }

  #take(): string {
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
