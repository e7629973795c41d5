/**
 * Output of a program as text, control characters and control sequences (ECMA-48 5.4), whatever its pieces are cut into.
 * Control strings (titles, names of windows, links, queries) are left out, and nothing of them is kept.
 */

export interface SplitOutput {
  text(text: string): void;
  /** A control character of C0, but no ESC. */
  control(character: string): void;
  /** A control sequence without intermediates. @param parameters such as `1;31`, or with a private mark `?25` */
  sequence(parameters: string, final: string): void;
}

type State = 'ground' | 'escape' | 'intermediate' | 'sequence' | 'string' | 'string-escape';

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

const ESC = '\u001b';
const BEL = '\u0007';
/** Characters that end a sequence or a string without an effect. */
const ABORTS = new Set(['\u0018', '\u001a']);
const OPENS_STRING = new Set([']', 'P', 'X', '^', '_', 'k']);

/** A sequence beyond it is none that a program means. */
const MOST_PARAMETERS = 256;

export class ControlSplitter {
  readonly #to: SplitOutput;
  #state: State = 'ground';
  #parameters = '';

  constructor(to: SplitOutput) {
    this.#to = to;
  }

  write(text: string): void {
    for (let at = 0; at < text.length;) at = this.#state === 'ground' ? this.#ground(text, at) : this.#take(text, at);
  }

  /** @returns the index after what was taken */
  #ground(text: string, at: number): number {
    CONTROL.lastIndex = at;
    const end = CONTROL.exec(text)?.index ?? text.length;
    if (end > at) {
      this.#to.text(text.slice(at, end));
      return end;
    }
    const character = text[at] ?? '';
    if (character === ESC) this.#state = 'escape';
    else if (character < '\u007f') this.#to.control(character);
    return at + 1;
  }

  #take(text: string, at: number): number {
    const character = text[at] ?? '';
    if (this.#state === 'string') return this.#skipString(text, at);
    if (ABORTS.has(character)) this.#state = 'ground';
    else if (character === ESC) this.#state = 'escape';
    else if (this.#state === 'string-escape') this.#state = character === '\\' ? 'ground' : 'string';
    else if (this.#state === 'escape') this.#openEscape(character);
    else if (this.#state === 'intermediate') this.#closeEscape(character);
    else this.#extend(character);
    return at + 1;
  }

  #openEscape(character: string): void {
    this.#parameters = '';
    if (character === '[') this.#state = 'sequence';
    else if (OPENS_STRING.has(character)) this.#state = 'string';
    else this.#closeEscape(character);
  }

  /** Intermediates stand before the last character. */
  #closeEscape(character: string): void {
    this.#state = character >= ' ' && character <= '/' ? 'intermediate' : 'ground';
  }

  #extend(character: string): void {
    // Within a sequence a control character acts as it does elsewhere.
    if (character < ' ') return this.#to.control(character);
    if (character < '@') {
      if (this.#parameters.length < MOST_PARAMETERS) this.#parameters += character;
      return;
    }
    this.#state = 'ground';
    const isPlain = !/[ -/]/.test(this.#parameters) && this.#parameters.length < MOST_PARAMETERS;
    if (isPlain && character <= '~') this.#to.sequence(this.#parameters, character);
  }

  #skipString(text: string, at: number): number {
    for (let index = at; index < text.length; index++) {
      const character = text[index] ?? '';
      if (character === ESC) this.#state = 'string-escape';
      else if (character === BEL || ABORTS.has(character)) this.#state = 'ground';
      else continue;
      return index + 1;
    }
    return text.length;
  }
}
