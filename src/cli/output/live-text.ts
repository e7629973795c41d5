/**
 * Output of a program for a person's terminal, as it comes: with its colours, and lines that are written over, but nothing
 * that acts on the terminal beyond the present line. A security measure, see sanitize.ts. What is drawn on the alternate
 * screen is left out.
 */
import { StringDecoder } from 'node:string_decoder';
import { style, withinLine } from '../../mirror/outer-sequences.js';
import { ControlSplitter, type SplitOutput } from './control-splitter.js';

const PASSES = new Set(['\n', '\r', '\t', '\b']);
/** SGR; and within the line: erase, move to a column, left, right. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  m: /^[\d;:]*$/,
  K: /^[012]?$/,
  G: /^\d*$/,
  C: /^\d*$/,
  D: /^\d*$/,
};
const ALTERNATE = /^\?(?:.*;)?(?:1049|1047|47)(?:;|$)/;
/** Marks that turn the direction of text around; line and paragraph separators. */
const MARKS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export class LiveText implements SplitOutput {
  readonly #print: (bytes: Uint8Array) => void;
  readonly #decoder = new StringDecoder('utf8');
  readonly #splitter = new ControlSplitter(this);
  #out = '';
  #isAlternate = false;
  #isColored = false;
  #isWithinLine = false;

  constructor(print: (bytes: Uint8Array) => void) {
    this.#print = print;
  }

  write(bytes: Uint8Array): void {
    this.#splitter.write(this.#decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    this.#flush();
  }

  /** Ends a colour that the program has left on, and a line without an end: what follows is not its own. */
  end(): void {
    this.#splitter.write(this.#decoder.end());
    if (this.#isColored) this.#out += style('');
    if (this.#isWithinLine) this.#out += '\n';
    this.#flush();
  }

  text(text: string): void {
    if (this.#isAlternate) return;
    this.#out += text.replaceAll(MARKS, '');
    this.#isWithinLine = true;
  }

  control(character: string): void {
    if (this.#isAlternate || !PASSES.has(character)) return;
    this.#out += character;
    if (character === '\n') this.#isWithinLine = false;
  }

  sequence(parameters: string, final: string): void {
    if ((final === 'h' || final === 'l') && ALTERNATE.test(parameters)) this.#isAlternate = final === 'h';
    else if (!this.#isAlternate && HARMLESS[final]?.test(parameters) === true) {
      this.#out += final === 'm' ? style(parameters) : withinLine(parameters, final);
      if (final === 'm') this.#isColored = !/^0*$/.test(parameters);
    }
  }

  #flush(): void {
    if (this.#out !== '') this.#print(new TextEncoder().encode(this.#out));
    this.#out = '';
  }
}
