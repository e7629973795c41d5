/** A prompt, as it can be found in a box: boxes wrap it, cut it, and put a marker in the place of a long paste. Pure. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_DELIVERED_BYTES } from '../../protocol/delivery.js';

/** `whole`: nothing else stands in the box. `part`: its begin, its end or a marker does, and nothing that does not belong to it. */
export type Shown = 'whole' | 'part';

/** Characters of its begin, and of its end, that are looked for. */
const PART_LENGTH = 24;
/** As `[Pasted text #1 +39 lines]`, `[Pasted Content 20000 chars]`, `[paste #2 +29 lines]`, without their blanks. */
const MARKER = /\[paste(?:d|#)[^\]]{0,60}\]/giu;
/** Blanks, what is not shown, signs for line breaks, and the lines around boxes. */
const UNSEEN = /[\s\p{C}\u21b5\u23ce\u2424\u2500-\u259f]/gu;

export class PromptText {
  /** Without line breaks at its end: Enter follows. */
  readonly text: string;
  readonly #whole: string;
  readonly #begin: string;
  readonly #end: string;

  /** @throws T4aError invalid_field */
  constructor(given: string) {
    this.text = given.replace(/[\r\n]+$/u, '');
    this.#whole = seen(this.text);
    const bytes = Buffer.byteLength(given, 'utf8');
    if (bytes > MAX_DELIVERED_BYTES) {
      throw new T4aError('invalid_field', `"text" has ${bytes} bytes; at most ${MAX_DELIVERED_BYTES} go at once.`, {
        field: 'text',
        hint: 'Write a file, and name it in the prompt.',
      });
    }
    if (this.#whole === '') {
      throw new T4aError('invalid_field', '"text" has no character that a box could show, so nothing could prove it.', {
        field: 'text',
        hint: 'Give a text with words; for a key alone: t4a press.',
      });
    }
    const points = Array.from(this.#whole);
    this.#begin = points.slice(0, PART_LENGTH).join('');
    this.#end = points.slice(-PART_LENGTH).join('');
  }

  get hasLineBreaks(): boolean {
    return /[\r\n]/u.test(this.text);
  }

  /** What of it these lines show, if they show nothing else. */
  shownIn(lines: readonly string[]): Shown | undefined {
    const box = seen(lines.join(''));
    if (box === this.#whole) return 'whole';
    const rest = box.replaceAll(MARKER, '');
    if (rest.length < box.length) return rest === '' ? 'whole' : this.#isPart(rest) ? 'part' : undefined;
    return box.length < this.#whole.length && this.#isPart(box) ? 'part' : undefined;
  }

  /** Whether any of it is left there. */
  isLeftIn(lines: readonly string[]): boolean {
    const box = seen(lines.join(''));
    return box !== '' && (box.includes(this.#begin) || box.includes(this.#end) || this.shownIn(lines) !== undefined);
  }

  /** Whether it is this text that a program shows as a message. */
  isMessage(text: string): boolean {
    return seen(text).startsWith(this.#begin) || MESSAGE_MARKER.test(seen(text));
  }

  #isPart(box: string): boolean {
    return box.startsWith(this.#begin) || box.endsWith(this.#end);
  }
}

const MESSAGE_MARKER = /^\[paste(?:d|#)[^\]]{0,60}\]/iu;

function seen(text: string): string {
  return text.normalize('NFC').replaceAll(UNSEEN, '');
}
