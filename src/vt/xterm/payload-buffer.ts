/** Characters of a control string as they come, up to a bound; read once, as one flat string. Two bytes a character. */

/** UTF-16 code units: most payloads are shorter. */
const FIRST_LENGTH = 256;
/** A larger buffer is given up after use. */
const KEPT_LENGTH = 4096;

/** Up to here V8 joins by copying, which is cheaper than the way through a buffer: shells' marks are that short. */
const SHORT_LENGTH = 12;

const UNIT_BYTES = Uint16Array.BYTES_PER_ELEMENT;

export class PayloadBuffer {
  #units = new Uint16Array(0);
  /** The same memory. */
  #bytes = Buffer.alloc(0);
  #length = 0;
  #maxLength = 0;

  /** Forgets what is held. @param maxLength UTF-16 code units that the next payload may have */
  open(maxLength: number): void {
    if (this.#units.length > KEPT_LENGTH) this.#hold(new Uint16Array(0));
    this.#length = 0;
    this.#maxLength = maxLength;
  }

  /** False when there is more than may be held: then the part that fits is. */
  add(codePoints: Uint32Array, start: number, end: number): boolean {
    const most = this.#maxLength;
    this.#reserve(Math.min(this.#length + 2 * (end - start), most));
    const units = this.#units;
    let length = this.#length;
    let at = start;
    for (; at < end; at++) {
      const codePoint = codePoints[at] ?? 0;
      const isPair = codePoint > 0xffff;
      if (length + (isPair ? 2 : 1) > most) break;
      if (isPair) units[length++] = 0xd800 + ((codePoint - 0x1_0000) >> 10);
      units[length++] = isPair ? 0xdc00 + (codePoint & 0x3ff) : codePoint;
    }
    this.#length = length;
    return at === end;
  }

  /** Text that is held, or the first `maxLength` units of it. */
  text(maxLength = this.#length): string {
    const length = Math.min(this.#length, maxLength);
    if (length > SHORT_LENGTH) return this.#bytes.toString('utf16le', 0, length * UNIT_BYTES);
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.#units[i] ?? 0);
    return text;
  }

  #reserve(length: number): void {
    const held = this.#units;
    if (held.length >= length) return;
    this.#hold(new Uint16Array(Math.max(length, Math.min(2 * held.length, this.#maxLength), FIRST_LENGTH)));
    this.#units.set(held.subarray(0, this.#length));
  }

  #hold(units: Uint16Array<ArrayBuffer>): void {
    this.#units = units;
    this.#bytes = Buffer.from(units.buffer);
  }
}
