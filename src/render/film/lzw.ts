/** LZW as in GIF: codes grow from one bit more than the size to 12 bits, then a clear code begins a new table. */

const MAX_CODES = 4096;
/** A prime above twice the codes: chains stay short. */
const SLOTS = 9973;
const MAX_BLOCK = 255;

/** One table for all frames: it is cleared where a code clears it. */
const keys = new Int32Array(SLOTS);
const codes = new Uint16Array(SLOTS);

/** @param indices below 2 ** minCodeSize @returns the data of an image: the size, blocks, the end */
export function lzwBlocks(indices: Uint8Array, minCodeSize: number): Uint8Array {
  const packer = new BlockPacker(minCodeSize);
  const clear = 1 << minCodeSize;
  let next = clear + 2;
  let bits = minCodeSize + 1;
  keys.fill(-1);
  packer.put(clear, bits);
  let prefix = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const index = indices[at] as number;
    const key = (prefix << 8) | index;
    let slot = key % SLOTS;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = slot + 1 === SLOTS ? 0 : slot + 1;
    if (keys[slot] === key) {
      prefix = codes[slot] as number;
      continue;
    }
    packer.put(prefix, bits);
    prefix = index;
    if (next === MAX_CODES) {
      packer.put(clear, bits);
      keys.fill(-1);
      next = clear + 2;
      bits = minCodeSize + 1;
      continue;
    }
    keys[slot] = key;
    codes[slot] = next;
    // The reader learns of a code one later than the writer.
    if (next === 1 << bits) bits++;
    next++;
  }
  packer.put(prefix, bits);
  // The reader has added a code for the last one by now.
  if (next === 1 << bits && bits < 12) bits++;
  packer.put(clear + 1, bits);
  return packer.end();
}

class BlockPacker {
  #bytes: Uint8Array;
  #length = 1;
  #blockStart = 1;
  #pending = 0;
  #pendingBits = 0;

  constructor(minCodeSize: number) {
    this.#bytes = new Uint8Array(4096);
    this.#bytes[0] = minCodeSize;
    this.#length = 2;
  }

  put(code: number, bits: number): void {
    this.#pending |= code << this.#pendingBits;
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      this.#byte(this.#pending & 0xff);
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  end(): Uint8Array {
    if (this.#pendingBits > 0) this.#byte(this.#pending & 0xff);
    this.#endBlock();
    // The last block was begun: its length of 0 is the end.
    this.#bytes[this.#blockStart] = 0;
    return this.#bytes.slice(0, this.#blockStart + 1);
  }

  #byte(value: number): void {
    if (this.#length + 2 > this.#bytes.length) this.#grow();
    this.#bytes[this.#length++] = value;
    if (this.#length - this.#blockStart - 1 === MAX_BLOCK) this.#endBlock();
  }

  #endBlock(): void {
    const length = this.#length - this.#blockStart - 1;
    if (length === 0) return;
    this.#bytes[this.#blockStart] = length;
    this.#blockStart = this.#length;
    this.#length++;
    if (this.#length + 2 > this.#bytes.length) this.#grow();
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
