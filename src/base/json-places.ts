/**
 * Line numbers of the fields of a JSON text, and the place of a syntax error, which JSON.parse does not report. Used
 * for messages, after something was found wrong; JSON.parse gives the values.
 */

export interface JsonPlaces {
  /** Lines by path: `themes.mine.ansi.3`. They count from 1. */
  readonly lines: ReadonlyMap<string, number>;
  /** Undefined if the whole text is JSON. */
  readonly error: { readonly line: number; readonly says: string } | undefined;
}

/** After blanks: a punctuator, a string, or a number or word. https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;

const BLANKS = /[ \t\n\r]*/y;

const MAX_SHOWN = 20;

/** Deeper fields are left out: a path grows with its depth, and no known field is as deep. */
const MAX_RECORDED_DEPTH = 16;

export function jsonPlaces(text: string): JsonPlaces {
  const scan = new Scan(text);
  try {
    scan.all();
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return { lines: scan.lines, error: { line: scan.line, says: error.message } };
  }
  return { lines: scan.lines, error: undefined };
}

class NoJson extends Error {}

/** An object or list whose end has not come. */
interface Open {
  readonly close: '}' | ']';
  /** Undefined: too deep to be recorded. */
  readonly path: string | undefined;
  members: number;
}

class Scan {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  /** An explicit stack, since the text may be nested deeper than calls can be. */
  readonly #open: Open[] = [];
  #at = 0;
  #line = 1;
  #lineAt = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Line of the next token. */
  get line(): number {
    for (const end = this.#behindBlanks(); this.#lineAt < end; this.#lineAt++) {
      if (this.#text[this.#lineAt] === '\n') this.#line++;
    }
    return this.#line;
  }

  all(): void {
    let path: string | undefined = '';
    do {
      this.#begin(path);
      while (this.#endsHere()) this.#open.pop();
      const around = this.#open.at(-1);
      if (around !== undefined) path = this.#next(around);
    } while (this.#open.length > 0);
    if (this.#behindBlanks() < this.#text.length) throw this.#expected('the end');
  }

  /** Begins a value, with or without others in it. */
  #begin(path: string | undefined): void {
    const token = this.#peek();
    if (token === undefined || '}],:'.includes(token)) throw this.#expected('a value');
    this.#take();
    if (token !== '{' && token !== '[') return;
    const isTold = this.#open.length < MAX_RECORDED_DEPTH;
    this.#open.push({ close: token === '{' ? '}' : ']', path: isTold ? path : undefined, members: 0 });
  }

  #endsHere(): boolean {
    const around = this.#open.at(-1);
    if (around === undefined || this.#peek() !== around.close) return false;
    this.#take();
    return true;
  }

  /** @returns path of the next value */
  #next(around: Open): string | undefined {
    if (around.members > 0) {
      if (this.#peek() !== ',') throw this.#expected(`"," or "${around.close}"`);
      this.#take();
    }
    const index = around.members++;
    return around.close === ']' ? this.#placeOf(around, String(index)) : this.#name(around);
  }

  #name(around: Open): string | undefined {
    const name = this.#peek();
    if (name?.startsWith('"') !== true) throw this.#expected('the name of a field in double quotes');
    const path = this.#placeOf(around, String(JSON.parse(name)));
    this.#take();
    if (this.#peek() !== ':') throw this.#expected('":"');
    this.#take();
    return path;
  }

  #placeOf({ path }: Open, key: string): string | undefined {
    if (path === undefined) return undefined;
    const own = path === '' ? key : `${path}.${key}`;
    this.lines.set(own, this.line);
    return own;
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
