/** Message that the status line shows for a while, or until the next key. */

const TICKS = 8;

export class Message {
  #text: string | undefined;
  #ticks = 0;

  get text(): string | undefined {
    return this.#text;
  }

  say(text: string): void {
    this.#text = text;
    this.#ticks = TICKS;
  }

  clear(): void {
    this.#text = undefined;
  }

  /** Once a second. @returns whether it has gone */
  tick(): boolean {
    if (this.#text === undefined || --this.#ticks > 0) return false;
    this.clear();
    return true;
  }
}
