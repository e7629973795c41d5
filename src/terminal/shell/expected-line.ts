/** The line that the next start of a command is of, as far as it is known before the shell says so. */
import type { Disposable } from '../../base/lifetime.js';

const LINE_BREAK = /[\r\n]/;
/** In a bracketed paste, with something behind it. */
// oxlint-disable-next-line no-control-regex
const LINES_PASTED = /\x1b\[200~[^\x1b]*[\r\n]\s*[^\s\x1b]/;

/** A shell drops a line with a word of its history that it does not find, and repeats the status of the command before. */
const HISTORY = /![^\s=(]|!$|^\^/m;

/** The line itself stays with the request that expects it. */
export interface FrozenExpectation {
  readonly takesLines: boolean;
  readonly namesHistory: boolean;
}

export class ExpectedLine {
  #line: string | undefined;
  /** Several lines were pasted at the prompt. */
  #takesLines = false;
  #namesHistory = false;

  freeze(): FrozenExpectation {
    return { takesLines: this.#takesLines, namesHistory: this.#namesHistory };
  }

  restore({ takesLines, namesHistory }: FrozenExpectation): void {
    this.#takesLines = takesLines;
    this.#namesHistory = namesHistory;
  }

  /** It was typed, and no start of a command has followed: an end without one may be that of the command before. */
  get mayRunNothing(): boolean {
    return this.#namesHistory;
  }

  /** To be taken back once the command has ended: it may start nothing. */
  expect(line: string): Disposable {
    this.#line = line;
    return { dispose: () => (this.#line = undefined) };
  }

  onInput(text: string, isAtPrompt: boolean): void {
    this.#namesHistory = !text.includes('\x03') && (this.#namesHistory || (isAtPrompt && HISTORY.test(text)));
    this.#takesLines = !text.includes('\x03') && (this.#takesLines || (isAtPrompt && LINES_PASTED.test(text)));
  }

  /**
   * bash runs each of several lines by itself, and tells the start of the first one alone.
   * @param told by the shell; `isGuess`: read from the screen
   */
  take(
    told: string | undefined,
    { isGuess, shell }: { readonly isGuess: boolean; readonly shell: string | undefined },
  ): string | undefined {
    const line = this.#line;
    const runsEach = shell === 'bash' && this.#takesLines;
    this.#line = undefined;
    this.#takesLines = false;
    this.#namesHistory = false;
    if (line !== undefined && LINE_BREAK.test(line)) return shell === 'bash' ? line : told;
    if (runsEach) return undefined;
    return isGuess || told === undefined ? (line ?? told) : told;
  }
}
