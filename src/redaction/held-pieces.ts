/** Pieces of a stream that are held back, and edits of their characters. All places are counted from the beginning of the stream. */
import type { OutputEdit } from './control-string.js';

interface Held<Tag> {
  readonly text: string;
  readonly tag: Tag;
}

export class HeldPieces<Tag> {
  readonly #release: (text: string, tag: Tag) => void;
  #held: Held<Tag>[] = [];
  #edits: OutputEdit[] = [];
  #start = 0;
  #end = 0;

  /** @param release gets all pieces in their order; one may come in parts */
  constructor(release: (text: string, tag: Tag) => void) {
    this.#release = release;
  }

  /** Start of what is held. All before it is released. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  push(text: string, tag: Tag): void {
    this.#held.push({ text, tag });
    this.#end += text.length;
  }

  /** Edits what is held; what is released already stays. */
  edit(start: number, end: number, text: string): void {
    if (start >= this.#start) this.#edits.push({ start, end, text });
  }

  /** Lets go of what stands before `end`. */
  release(end: number): void {
    const isDue = ({ start }: OutputEdit): boolean => start < end;
    const edits = this.#edits.filter(isDue).toSorted((a, b) => a.start - b.start);
    this.#edits = edits.length === 0 ? this.#edits : this.#edits.filter((edit) => !isDue(edit));
    let next = 0;
    let at = this.#start;
    let done = 0;
    for (const held of this.#held) {
      const stop = Math.min(at + held.text.length, end);
      if (at > end || (at === end && held.text !== '')) break;
      const first = at;
      let text = '';
      while (at < stop) {
        while ((edits[next]?.end ?? Infinity) <= at) next++;
        const edit = edits[next];
        if (edit === undefined || edit.start >= stop) {
          text += held.text.slice(at - first, stop - first);
          at = stop;
          break;
        }
        if (edit.start >= at) text += held.text.slice(at - first, edit.start - first) + edit.text;
        at = Math.min(edit.end, stop);
      }
      const isWhole = stop - first === held.text.length;
      if (isWhole || text !== '') this.#release(text, held.tag);
      if (isWhole) done++;
      else this.#held[done] = { text: held.text.slice(stop - first), tag: held.tag };
    }
    this.#held.splice(0, done);
    this.#start = end;
  }
}
