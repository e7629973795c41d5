/**
 * Reused memory for large outputs: it goes from the reader thread with the output, and returns with the
 * acknowledgement. Allocated anew for each burst, it would wait for the garbage collector, which runs seldom while its
 * heap is small, and a daemon would keep tens of megabytes more after each flood.
 */

/** Half of what a screen parses in one slice at most; a window is several times this. */
export const BURST_BYTES = 32 * 1024;
/** More than this many return only after many floods at once. */
const MAX_IDLE = 64;

/** The thread's end: idle buffers. */
export class BurstBuffers {
  readonly #idle: ArrayBuffer[] = [];

  /** A buffer with undefined content. */
  take(): ArrayBuffer {
    return this.#idle.pop() ?? new ArrayBuffer(BURST_BYTES);
  }

  giveBack(buffer: ArrayBuffer): void {
    if (this.#idle.length < MAX_IDLE) this.#idle.push(buffer);
  }
}

/** The daemon's end: one PTY's buffers in the order of their arrival, which is the order of their use. */
export class LentBuffers {
  readonly #bursts: { readonly buffer: ArrayBuffer; unused: number }[] = [];

  received({ buffer, length }: Uint8Array<ArrayBuffer>): void {
    this.#bursts.push({ buffer, unused: length });
  }

  /** @returns the buffers that are used up now and worth sending back */
  used(bytes: number): ArrayBuffer[] {
    const back: ArrayBuffer[] = [];
    for (let left = bytes, first = this.#bursts[0]; first !== undefined && left > 0; first = this.#bursts[0]) {
      const taken = Math.min(left, first.unused);
      first.unused -= taken;
      left -= taken;
      if (first.unused > 0) break;
      this.#bursts.shift();
      if (first.buffer.byteLength === BURST_BYTES) back.push(first.buffer);
    }
    return back;
  }
}
