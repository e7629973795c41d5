/**
 * A line as an editor of lines has it while it is typed: readline and the kernel's own keys. What a key means to another program is not
 * known; so the characters are also there in the order in which they were typed.
 */
import { codePointWidth } from '../vt/xterm/graphemes.js';

/** A character, with its place in all of the input. */
export interface TypedCell {
  readonly at: number;
  readonly text: string;
  /** Marks of no width, as combining ones: places in the input. */
  readonly marks: { readonly at: number; readonly length: number }[];
  isMasked: boolean;
}

export class TypedLine {
  #edited: TypedCell[] = [];
  #typed: TypedCell[] = [];
  #cursor = 0;

  get edited(): readonly TypedCell[] {
    return this.#edited;
  }

  get typed(): readonly TypedCell[] {
    return this.#typed;
  }

  insert(text: string, at: number): void {
    const last = this.#typed.at(-1);
    if (last !== undefined && codePointWidth(text.codePointAt(0) ?? 0) === 0) {
      last.marks.push({ at, length: text.length });
      return;
    }
    const cell = { at, text, marks: [], isMasked: false };
    this.#edited.splice(this.#cursor++, 0, cell);
    this.#typed.push(cell);
  }

  /** @param key a control, or a whole sequence */
  edit(key: string): void {
    const line = this.#edited;
    const cursor = this.#cursor;
    switch (KEYS.get(key)) {
      case 'left':
        this.#cursor = Math.max(0, cursor - 1);
        return;
      case 'right':
        this.#cursor = Math.min(line.length, cursor + 1);
        return;
      case 'home':
        this.#cursor = 0;
        return;
      case 'end':
        this.#cursor = line.length;
        return;
      case 'erase':
        return this.#remove(Math.max(0, cursor - 1), cursor);
      case 'delete':
        return this.#remove(cursor, cursor + 1);
      case 'kill':
        return this.#remove(cursor, line.length);
      case 'discard':
        return this.#remove(0, cursor);
      case 'word': {
        const before = line.slice(0, cursor).map(({ text }) => text);
        const end = before.findLastIndex((text) => text !== ' ') + 1;
        return this.#remove(before.slice(0, end).lastIndexOf(' ') + 1, cursor);
      }
      case undefined:
    }
  }

  /** Drops what was typed before this place. */
  forget(place: number): void {
    const isKept = ({ at }: TypedCell): boolean => at >= place;
    this.#cursor = this.#edited.slice(0, this.#cursor).filter(isKept).length;
    this.#edited = this.#edited.filter(isKept);
    this.#typed = this.#typed.filter(isKept);
  }

  #remove(start: number, end: number): void {
    this.#edited.splice(start, end - start);
    this.#cursor = start;
  }
}

type Edit = 'left' | 'right' | 'home' | 'end' | 'erase' | 'delete' | 'kill' | 'discard' | 'word';

const ERASE: ReadonlySet<Edit | undefined> = new Set(['erase', 'delete', 'kill', 'discard', 'word']);

/** Whether the key takes characters away. */
export function erases(key: string): boolean {
  return ERASE.has(KEYS.get(key));
}

/** Cursor keys in both of their modes, and the controls of readline's emacs mode. */
const KEYS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ['\x1b[D', 'left'],
  ['\x1bOD', 'left'],
  ['\x02', 'left'],
  ['\x1b[C', 'right'],
  ['\x1bOC', 'right'],
  ['\x06', 'right'],
  ['\x1b[H', 'home'],
  ['\x1bOH', 'home'],
  ['\x1b[1~', 'home'],
  ['\x01', 'home'],
  ['\x1b[F', 'end'],
  ['\x1bOF', 'end'],
  ['\x1b[4~', 'end'],
  ['\x05', 'end'],
  ['\x08', 'erase'],
  ['\x7f', 'erase'],
  ['\x1b[3~', 'delete'],
  ['\x04', 'delete'],
  ['\x0b', 'kill'],
  ['\x15', 'discard'],
  ['\x17', 'word'],
]);
