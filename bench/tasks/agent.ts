/**
 * What stands in for a model: it is given tools, and its script writes calls and reads their results. Both are counted in tokens. The
 * script reads what it needs from the results, so that a task is solved by what a model would have seen.
 */

export type CountTokens = (text: string) => number;

export interface Cost {
  readonly calls: number;
  /** Tokens of the calls. */
  readonly written: number;
  /** Tokens of their results. */
  readonly read: number;
}

export abstract class Agent {
  readonly #count: CountTokens;
  #calls = 0;
  #written = 0;
  #read = 0;

  constructor(count: CountTokens) {
    this.#count = count;
  }

  get cost(): Cost {
    return { calls: this.#calls, written: this.#written, read: this.#read };
  }

  /** Tools and instructions, as a request to the model has them: once, before the first call. */
  abstract get offered(): string;

  get offeredTokens(): number {
    return this.#count(this.offered);
  }

  protected async counted(name: string, input: object, result: Promise<string>): Promise<string> {
    this.#calls++;
    this.#written += this.#count(JSON.stringify({ name, arguments: input }));
    const text = await result;
    this.#read += this.#count(text);
    return text;
  }

  abstract close(): Promise<void>;
}

/** @returns the first group of the pattern, which the model has seen in the text */
export function seen(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`The model has not seen ${String(pattern)}, but:\n${text}`);
  return found;
}
