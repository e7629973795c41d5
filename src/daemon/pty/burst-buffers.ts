/**
 * Memory for what floods print. It goes round: from the reader thread with the output, and back with the acknowledgement.
 * Made anew for each burst, it is left to the garbage collector, which comes seldom while its heap is small, and a daemon
 * that floods have passed through holds tens of megabytes more for ever.
 */

/** Half of what a screen parses in one slice at most; a window is several times this. */
export const BURST_BYTES = 32 * 1024;
/** More than this many come back only after many floods at once. */
const MAX_IDLE = 64;

/** The thread's end: buffers that nobody uses. */
export class BurstBuffers {
  readonly #idle: ArrayBuffer[] = [];

  /** Its content is what was in it last. */
  take(): ArrayBuffer {
    return this.#idle.pop() ?? new ArrayBuffer(BURST_BYTES);
  }

  giveBack(buffer: ArrayBuffer): void {
    if (this.#idle.length < MAX_IDLE) this.#idle.push(buffer);
  }
}

/** One PTY's buffers at the daemon's end, in the order in which they came, which is the order of their use. */
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
