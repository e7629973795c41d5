/** Whether a screen is to be looked at later, since its program is within a synchronized update (mode 2026). */

/** After this, an update that does not end is ignored. */
const LIMIT_MS = 1000;

export class HalfDrawn {
  #sinceMs: number | undefined;

  /** @param nowMs of a clock that only advances */
  holds({ synchronizedOutput }: { readonly synchronizedOutput: boolean }, nowMs: number): boolean {
    if (!synchronizedOutput) {
      this.#sinceMs = undefined;
      return false;
    }
    this.#sinceMs ??= nowMs;
    return nowMs - this.#sinceMs < LIMIT_MS;
  }
}
