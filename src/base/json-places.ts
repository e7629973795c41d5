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

/** Fields deeper than that are not told: a path grows with its depth, and nothing that is asked for is as deep. */
const MAX_TOLD_DEPTH = 16;

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
  /** Undefined: too deep to be told. */
  readonly path: string | undefined;
  members: number;
}

class Scan {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  /** Kept by hand, since the text may be nested deeper than calls can be. */
  readonly #open: Open[] = [];
  #at = 0;
  #line = 1;
  #lineAt = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Of what comes next. */
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

  /** A value, or the beginning of one that has others in it. */
  #begin(path: string | undefined): void {
    const token = this.#peek();
    if (token === undefined || '}],:'.includes(token)) throw this.#expected('a value');
    this.#take();
    if (token !== '{' && token !== '[') return;
    const isTold = this.#open.length < MAX_TOLD_DEPTH;
    this.#open.push({ close: token === '{' ? '}' : ']', path: isTold ? path : undefined, members: 0 });
  }

  #endsHere(): boolean {
    const around = this.#open.at(-1);
    if (around === undefined || this.#peek() !== around.close) return false;
    this.#take();
    return true;
  }

  /** @returns the path of the value that comes */
  #next(around: Open): string | undefined {
    if (around.members > 0) {
      if (this.#peek() !== ',') throw this.#expected(`"," or "${around.close}"`);
      this.#take();
    }
    const index = around.members++;
    return around.close === ']' ? this.#tell(around, String(index)) : this.#name(around);
  }

  #name(around: Open): string | undefined {
    const name = this.#peek();
    if (name?.startsWith('"') !== true) throw this.#expected('the name of a field in double quotes');
    const path = this.#tell(around, String(JSON.parse(name)));
    this.#take();
    if (this.#peek() !== ':') throw this.#expected('":"');
    this.#take();
    return path;
  }

  #tell({ path }: Open, key: string): string | undefined {
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
