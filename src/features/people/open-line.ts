/**
 * Whether the input of the holder is in the middle of something: a line without its Enter, or a bracketed paste without
 * its end. Text of the line is not kept.
 */
import { leavesText } from '../../terminal/input/typed-input.js';

const PASTE_EDGE = /\x1b\[20[01]~/; // oxlint-disable-line no-control-regex
const BEGIN = '\x1b[200~';

/** The longest beginning of an edge that may still become one. */
const MAX_CARRY = BEGIN.length - 1;

export interface FrozenLine {
  readonly inPaste: boolean;
  readonly hasText: boolean;
  readonly carry: string;
}

export class OpenLine {
  #inPaste = false;
  #hasText = false;
  /** The end of the last input, if an edge of a paste may have begun in it. */
  #carry = '';

  get isInPaste(): boolean {
    return this.#inPaste;
  }

  get isUnfinished(): boolean {
    return this.#inPaste || this.#hasText;
  }

  freeze(): FrozenLine {
    return { inPaste: this.#inPaste, hasText: this.#hasText, carry: this.#carry };
  }

  restore({ inPaste, hasText, carry }: FrozenLine): void {
    this.#inPaste = inPaste;
    this.#hasText = hasText;
    this.#carry = carry;
  }

  feed(bytes: Uint8Array): void {
    let rest = this.#carry + Buffer.from(bytes).toString('latin1');
    for (let edge = PASTE_EDGE.exec(rest); edge !== null; edge = PASTE_EDGE.exec(rest)) {
      this.#read(rest.slice(0, edge.index));
      this.#inPaste = edge[0] === BEGIN;
      rest = rest.slice(edge.index + edge[0].length);
    }
    this.#carry = edgeBegunIn(rest);
    this.#read(rest);
  }

  /** What is read twice, since it was carried, changes nothing. */
  #read(text: string): void {
    if (text === '') return;
    this.#hasText = this.#inPaste || leavesText(text, this.#hasText);
  }
}

function edgeBegunIn(text: string): string {
  for (let length = Math.min(MAX_CARRY, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (BEGIN.startsWith(end) || '\x1b[201~'.startsWith(end)) return end;
  }
  return '';
}
