/**
 * On which line of a JSON text each field stands, and where the text stops being JSON: what JSON.parse does not tell. It is
 * for messages, after something was found wrong; the values are JSON.parse's.
 */

export interface JsonPlaces {
  /** By path: `themes.mine.ansi.3`. Lines count from 1. */
  readonly lines: ReadonlyMap<string, number>;
  /** Undefined: all of it is JSON. */
  readonly error: { readonly line: number; readonly says: string } | undefined;
}

/** Behind blanks: a mark, a text, or a number or word. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;

const BLANKS = /[ \t\n\r]*/y;

const MAX_SHOWN = 20;

export function jsonPlaces(text: string): JsonPlaces {
  const scan = new Scan(text);
  try {
    scan.value('');
    scan.end();
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return { lines: scan.lines, error: { line: scan.line, says: error.message } };
  }
  return { lines: scan.lines, error: undefined };
}

class NoJson extends Error {}

class Scan {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Of what comes next. */
  get line(): number {
    return this.#text.slice(0, this.#behindBlanks()).split('\n').length;
  }

  value(path: string): void {
    const token = this.#peek();
    if (token === '{') this.#members('}', (at) => this.#member(at, path));
    else if (token === '[') this.#members(']', (at) => this.#element(at, path));
    else if (token === undefined || '}],:'.includes(token)) throw this.#expected('a value');
    else this.#take();
  }

  end(): void {
    if (this.#behindBlanks() < this.#text.length) throw this.#expected('the end');
  }

  #members(close: string, member: (index: number) => void): void {
    this.#take();
    if (this.#peek() === close) return this.#take();
    for (let index = 0; ; index++) {
      member(index);
      if (this.#peek() === close) return this.#take();
      if (this.#peek() !== ',') throw this.#expected(`"," or "${close}"`);
      this.#take();
    }
  }

  #member(_index: number, path: string): void {
    const name = this.#peek();
    if (name?.startsWith('"') !== true) throw this.#expected('the name of a field in double quotes');
    const own = `${path === '' ? '' : `${path}.`}${String(JSON.parse(name))}`;
    this.lines.set(own, this.line);
    this.#take();
    if (this.#peek() !== ':') throw this.#expected('":"');
    this.#take();
    this.value(own);
  }

  #element(index: number, path: string): void {
    this.lines.set(`${path}.${index}`, this.line);
    this.value(`${path}.${index}`);
  }

  #peek(): string | undefined {
    TOKEN.lastIndex = this.#at;
    return TOKEN.exec(this.#text)
      ?.slice(1)
      .find((group) => group !== undefined);
  }

  #take(): void {
    this.#at = this.#behindBlanks() + (this.#peek() ?? '').length;
  }

  #behindBlanks(): number {
    BLANKS.lastIndex = this.#at;
    return this.#at + (BLANKS.exec(this.#text)?.[0].length ?? 0);
  }

  #expected(what: string): NoJson {
    const at = this.#behindBlanks();
    const found = /^[^\n,]*/.exec(this.#text.slice(at, at + MAX_SHOWN))?.[0].trim() || this.#text[at];
    return new NoJson(`expected ${what}, found ${found === undefined ? 'the end of the file' : JSON.stringify(found)}`);
  }
}
