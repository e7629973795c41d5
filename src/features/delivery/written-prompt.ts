/** A prompt that was written to a program, until it is shown: read, then drawn, then standing. */
import { ReadCounts } from '../../terminal/system/proc/read-counts.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { BoxReading } from './box-reading.js';
import type { PromptLook } from './prompt-look.js';
import type { PromptText } from './prompt-text.js';

/** Programs take Enter right behind a text for a line break. */
const ENTER_GAP_MS = 150;
/** In place of the count of what was read. */
const UNCOUNTED_GAP_MS = 300;
/** A part of the text may be on its way: it counts if no more has come for so long. */
const PART_STANDS_MS = 600;

export interface WrittenPromptOptions {
  readonly terminal: Terminal;
  readonly text: PromptText;
  readonly byteCount: number;
  /** The kernel edits the line. */
  readonly isCanonical: boolean;
  /** Of such a line, what stood there before. */
  readonly prefix: string;
  readonly box: BoxReading;
}

export class WrittenPrompt {
  readonly byteCount: number;
  readonly isCanonical: boolean;
  readonly #text: PromptText;
  readonly #prefix: string;
  readonly #box: BoxReading;
  readonly #terminal: Terminal;
  readonly #counts: ReadCounts;
  readonly #writtenAtMs: number;
  #seenMs: number | null = null;
  #shownMs: number | null = null;

  /** Right before the bytes go. */
  constructor({ terminal, text, byteCount, isCanonical, prefix, box }: WrittenPromptOptions) {
    this.#terminal = terminal;
    this.#text = text;
    this.byteCount = byteCount;
    this.isCanonical = isCanonical;
    this.#prefix = prefix;
    this.#box = box;
    this.#counts = new ReadCounts(terminal.pid, terminal.device);
    this.#writtenAtMs = this.#nowMs();
  }

  get sinceMs(): number {
    return Math.round(this.#nowMs() - this.#writtenAtMs);
  }

  /** When the program had read the text, in milliseconds since it was written; null: not so far, or not known. */
  get seenMs(): number | null {
    return this.#seenMs;
  }

  get shownMs(): number | null {
    return this.#shownMs;
  }

  /** A program shows so late what it has read. */
  get echoMs(): number {
    return this.#shownMs === null ? 0 : this.#shownMs - (this.#seenMs ?? 0);
  }

  /** @param startMs since when its screen is looked at for the text */
  progress(look: PromptLook, startMs: number): 'unseen' | 'seen' | 'shown' {
    const counted = this.#counts.bytes;
    if (this.#seenMs === null && counted !== undefined && counted >= this.byteCount) this.#seenMs = this.sinceMs;
    const isSeen = this.isCanonical || counted === undefined || this.#seenMs !== null;
    const shown = this.shownIn(look);
    if (shown !== undefined) this.#shownMs ??= this.sinceMs;
    else if (this.#box.isSame(look)) this.#shownMs = null;
    if (!isSeen) return 'unseen';
    const seenAt = this.#seenMs === null ? startMs + UNCOUNTED_GAP_MS - ENTER_GAP_MS : startMs + this.#seenMs;
    const gap = shown === 'part' ? PART_STANDS_MS : ENTER_GAP_MS;
    const hasStood = this.#box.isSame(look) && this.#box.stands(gap) && this.#nowMs() - seenAt >= ENTER_GAP_MS;
    return shown !== undefined && hasStood ? 'shown' : 'seen';
  }

  shownIn(look: PromptLook): ReturnType<PromptText['shownIn']> {
    return look.box === undefined ? undefined : this.#text.shownIn(this.#linesOf(look));
  }

  /** Without the question of a line that the kernel edits. */
  #linesOf({ box }: PromptLook): readonly string[] {
    const lines = box?.lines ?? [];
    const [first = '', ...rest] = lines;
    return this.#prefix !== '' && first.startsWith(this.#prefix) ? [first.slice(this.#prefix.length), ...rest] : lines;
  }

  #nowMs(): number {
    return this.#terminal.clock.now();
  }
}
