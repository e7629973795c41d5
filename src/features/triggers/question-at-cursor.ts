/**
 * Whether the texts and patterns of a trigger stand in the line of the cursor, and do so anew: a line of a log that has the
 * words of a question asks nothing, and an answer is given once.
 */
import { cursorLine } from '../../search/cursor-line.js';
import { Regex } from '../../search/regex.js';
import { finish } from '../../search/work.js';
import type { WaitSubject } from '../../events/waits/subject.js';
import type { IsMet } from '../../events/waits/typed-text.js';
import { quote } from '../../protocol/errors.js';
import type { TriggerCondition } from '../../protocol/triggers.js';
import type { Appearance } from './appearance.js';

type Asked = Pick<WaitSubject, 'screen' | 'typed'>;

interface Asking {
  /** Text that matched. */
  readonly text: string | null;
  /** Number of its line. */
  readonly line: number | undefined;
  /** Of the firings of the trigger. */
  readonly count: number;
  /** Set if the program has begun to wait for input anew. */
  readonly found: object | undefined;
}

interface Answered {
  /** Number of the line. */
  readonly line: number;
  /** Firings of the trigger until then. */
  readonly fired: number;
}

export interface FrozenQuestion {
  readonly answered: Answered | undefined;
  readonly fired: number;
}

export class QuestionAtCursor {
  readonly #tests: readonly IsMet[];
  #answered: Answered | undefined;
  #fired = 0;

  /** @throws T4aError bad_regex */
  constructor(when: readonly TriggerCondition[]) {
    this.#tests = when.flatMap(({ text, regex: pattern }) => {
      if (text !== undefined) return [(line: string) => line.includes(text)];
      if (pattern === undefined) return [];
      const regex = new Regex({ text: pattern, field: 'regex' });
      return [(line: string) => finish(regex.test(line))];
    });
  }

  freeze(): FrozenQuestion {
    return { answered: this.#answered, fired: this.#fired };
  }

  restore({ answered, fired }: FrozenQuestion): void {
    this.#answered = answered;
    this.#fired = fired;
  }

  find({ screen, typed }: Asked): Appearance | undefined {
    const { number, text } = cursorLine(screen);
    for (const test of this.#tests) {
      // An answer that was typed, by whomever, is no question.
      if (test(typed?.without({ number, text }, test) ?? text)) return { text, line: number };
    }
    return undefined;
  }

  /** A firing has appeared, whether or not it is acted on. */
  onFired(count: number): void {
    this.#fired = count;
  }

  /** Why nothing may be sent for this firing; undefined if it may, and then counts as answered. */
  hindrance(terminal: Asked, { text, line, count, found }: Asking): string | undefined {
    const asked = this.find(terminal);
    if (asked?.line === undefined) return `${quote(text ?? '')} does not stand in the line of the cursor`;
    const last = this.#answered;
    // With `reading` it has asked once more: the program has read since, and waits again.
    const isNew = found !== undefined || asked.line !== last?.line || (line === asked.line && count > last.fired);
    if (!isNew) return `${quote(text ?? '')} was answered in the line of the cursor before`;
    this.#answered = { line: asked.line, fired: this.#fired };
    return undefined;
  }
}
