/**
 * Output of a program as a file has it: without control sequences, LF alone at line ends, tabs as they are, and a line that
 * was written over (a progress bar) as it stood last. What is drawn on the alternate screen is left out, as it is when the
 * program has ended. A line is printed when it is complete.
 */
import { StringDecoder } from 'node:string_decoder';
import { ControlSplitter, type SplitOutput } from './control-splitter.js';

/** A longer line is printed in pieces. */
const MOST_KEPT = 1024 * 1024;

/** Private modes of the alternate screen. */
const ALTERNATE = /^\?(?:.*;)?(?:1049|1047|47)(?:;|$)/;

export class PlainLines implements SplitOutput {
  readonly #print: (text: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #splitter = new ControlSplitter(this);
  #line = '';
  /** Where the next character goes, in code points; at the end of the line undefined, so that most text is only appended. */
  #column: number | undefined;
  #isAlternate = false;

  /** @param print takes complete lines with their LF, and the last line of the output without one */
  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  write(bytes: Uint8Array): void {
    this.#splitter.write(this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  }

  /** Prints the line that has no end. */
  end(): void {
    this.#splitter.write(this.#decoder.end());
    if (this.#line !== '') this.#print(this.#line);
    this.#clear();
  }

  text(text: string): void {
    if (this.#isAlternate) return;
    if (this.#column !== undefined) return this.#writeOver(text, this.#column);
    this.#line += text;
    if (this.#line.length > MOST_KEPT) {
      this.#print(this.#line);
      this.#clear();
    }
  }

  control(character: string): void {
    if (this.#isAlternate) return;
    if (character === '\n') {
      this.#print(`${this.#line}\n`);
      this.#clear();
    } else if (character === '\t') this.text(character);
    else if (character === '\r') this.#moveTo(0);
    else if (character === '\b') this.#moveTo(this.#place - 1);
  }

  sequence(parameters: string, final: string): void {
    if ((final === 'h' || final === 'l') && ALTERNATE.test(parameters)) this.#isAlternate = final === 'h';
    else if (!this.#isAlternate && /^\d*$/.test(parameters)) this.#edit(Number(parameters), final);
  }

  /** The functions within a line: https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ 8.3. */
  #edit(count: number, final: string): void {
    if (final === 'K') this.#erase(count);
    else if (final === 'G') this.#moveTo(Math.max(1, count) - 1);
    else if (final === 'D') this.#moveTo(this.#place - Math.max(1, count));
    else if (final === 'C') this.#moveTo(this.#place + Math.max(1, count));
  }

  get #place(): number {
    return this.#column ?? charactersOf(this.#line).length;
  }

  #moveTo(column: number): void {
    this.#column = this.#line === '' && column <= 0 ? undefined : Math.min(Math.max(0, column), MOST_KEPT);
  }

  #writeOver(text: string, column: number): void {
    const characters = charactersOf(this.#line);
    const written = charactersOf(text);
    while (characters.length < column) characters.push(' ');
    characters.splice(column, written.length, ...written);
    this.#line = characters.join('');
    const next = column + written.length;
    this.#column = next === characters.length ? undefined : next;
  }

  /** @param part 0 from here on, 1 up to here, 2 the whole line */
  #erase(part: number): void {
    const column = this.#place;
    const characters = charactersOf(this.#line);
    if (part === 1) characters.fill(' ', 0, column + 1);
    else characters.length = part === 2 ? 0 : Math.min(column, characters.length);
    this.#line = characters.join('');
    this.#column = column === characters.length ? undefined : column;
  }

  #clear(): void {
    this.#line = '';
    this.#column = undefined;
  }
}

/** Code points: those that make one character together stay together, since all of them are written over. */
function charactersOf(text: string): string[] {
  return Array.from(text);
}
