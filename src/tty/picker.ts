/** A list, such as that of terminals, narrowed by what is typed. */
import { CANCELLING_KEYS, LineEditor } from './line-editor.js';
import type { Panel } from './panel.js';
import type { StatusLine } from './status-line.js';

export interface Choice {
  readonly id: string;
  /** Beside the name. */
  readonly about: string;
  /** Other words by which people look for it, which are not shown. */
  readonly words?: string;
}

const UP = new Set(['\x1b[A', '\x1bOA', '\x10']);
const DOWN = new Set(['\x1b[B', '\x1bOB', '\x0e', '\t']);

/** Words for what is chosen, and for what Enter does with it. */
export interface PickerWords {
  readonly label: string;
  readonly enter: string;
  readonly none: string;
}

const TERMINALS: PickerWords = { label: 'Terminal:', enter: 'show', none: 'no terminal of that name' };

export class Picker implements Panel {
  readonly #choices: readonly Choice[];
  readonly #onPick: (id: string) => void;
  readonly #words: PickerWords;
  readonly #line = new LineEditor();
  #selected = 0;

  constructor(choices: readonly Choice[], onPick: (id: string) => void, words = TERMINALS) {
    this.#choices = choices;
    this.#onPick = onPick;
    this.#words = words;
  }

  get status(): StatusLine {
    return {
      left: ` ${this.#words.label} ${this.#line.text}`,
      right: `Enter: ${this.#words.enter} │ Esc: cancel `,
      look: 'message',
    };
  }

  get cursorCol(): number {
    return this.#words.label.length + Array.from(this.#line.text).length + 2;
  }

  overlay(rows: number): readonly string[] {
    const found = this.#found();
    if (found.length === 0) return [` ${this.#words.none}`];
    const width = Math.max(...found.map(({ id }) => id.length));
    const first = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), found.length - rows));
    return found
      .slice(first, first + rows)
      .map(({ id, about }, i) => `${first + i === this.#selected ? '▸' : ' '} ${id.padEnd(width)}  ${about}`);
  }

  take(key: string): boolean {
    const last = this.#found().length - 1;
    if (UP.has(key)) this.#selected = Math.max(0, this.#selected - 1);
    else if (DOWN.has(key)) this.#selected = Math.max(0, Math.min(last, this.#selected + 1));
    else if (CANCELLING_KEYS.has(key)) return true;
    else {
      const before = this.#line.text;
      const outcome = this.#line.take(key);
      if (this.#line.text !== before) this.#selected = 0;
      if (outcome === 'done') this.#pick();
      return outcome !== undefined;
    }
    return false;
  }

  #pick(): void {
    const picked = this.#found()[this.#selected];
    if (picked !== undefined) this.#onPick(picked.id);
  }

  /** Choices whose names hold the typed letters in their order, the closest first; then those that are found by another word. */
  #found(): readonly Choice[] {
    const wanted = this.#line.text.toLowerCase();
    if (wanted === '') return this.#choices;
    return this.#choices
      .map((choice) => ({ choice, span: spanOf(choice.id.toLowerCase(), wanted) ?? placeIn(choice, wanted) }))
      .filter(({ span }) => span !== undefined)
      .toSorted((a, b) => (a.span ?? 0) - (b.span ?? 0))
      .map(({ choice }) => choice);
  }
}

/** Behind all names. Letters in their order are in nearly every longer text, so the words are there as they were typed. */
function placeIn({ about, words = '' }: Choice, wanted: string): number | undefined {
  if (about.toLowerCase().includes(wanted)) return BEHIND_NAMES;
  return words.includes(wanted) ? BEHIND_NAMES + 1 : undefined;
}

const BEHIND_NAMES = 1000;

/** Length of the part of the text that has the letters, plus its place; undefined if it has them not. */
export function spanOf(text: string, letters: string): number | undefined {
  let at = -1;
  let first: number | undefined;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    first ??= at;
  }
  return at - (first ?? 0) + (first ?? 0) / 100;
}
