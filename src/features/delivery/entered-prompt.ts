/** A prompt whose Enter was pressed, against what was known right before: which proof there is that the program took it. */
import type { DELIVERY_PROOFS } from '../../protocol/delivery.js';
import { reportedBy } from '../../terminal/program-status.js';
import { ReadCounts } from '../../terminal/system/proc/read-counts.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { PromptLook, PromptLooks } from './prompt-look.js';
import type { PromptText } from './prompt-text.js';
import type { WrittenPrompt } from './written-prompt.js';

export type Proof = (typeof DELIVERY_PROOFS)[number];

export interface EnteredPromptOptions {
  readonly terminal: Terminal;
  readonly looks: PromptLooks;
  readonly text: PromptText;
  readonly prompt: WrittenPrompt;
}

export class EnteredPrompt {
  readonly prompt: WrittenPrompt;
  readonly #terminal: Terminal;
  readonly #looks: PromptLooks;
  readonly #text: PromptText;
  readonly #messagesBefore: ReadonlyMap<string, unknown>;
  readonly #stateBefore: string | undefined;
  readonly #wallMs: number;
  readonly #counts: ReadCounts;

  /** Right before Enter. */
  constructor({ terminal, looks, text, prompt }: EnteredPromptOptions) {
    this.#terminal = terminal;
    this.#looks = looks;
    this.#text = text;
    this.prompt = prompt;
    this.#messagesBefore = looks.messages();
    this.#stateBefore = reportedBy(terminal)?.state;
    this.#wallMs = terminal.clock.wallNow();
    this.#counts = new ReadCounts(terminal.pid, terminal.device);
  }

  /** The program has read since, or that cannot be counted. */
  get isRead(): boolean {
    const counted = this.#counts.bytes;
    return counted === undefined || counted > 0;
  }

  /** A proof that does not need to stand: the program has said so, or has read the line whole. */
  get proofByProgram(): Proof | undefined {
    if (this.#isReportedWork()) return 'report';
    const counted = this.#counts.bytes;
    return this.prompt.isCanonical && counted !== undefined && counted > this.prompt.byteCount ? 'read' : undefined;
  }

  /**
   * The box is empty. Others may have removed the text, and what stands in the place of a box is no proof by itself; other words in
   * it may be what the program has made of the text.
   */
  proofIn({ box, question }: PromptLook, othersCame: boolean): Proof | undefined {
    if (!this.#looks.knowsBox || (box !== undefined && this.#text.isLeftIn(box.lines))) return undefined;
    if (this.#hasNewMessage()) return 'message';
    const isEmpty = box?.lines.every((line) => line.trim() === '') === true;
    return isEmpty && question === undefined && !othersCame ? 'box' : undefined;
  }

  #isReportedWork(): boolean {
    if (this.#stateBefore !== 'idle' && this.#stateBefore !== 'done') return false;
    const reported = reportedBy(this.#terminal);
    return reported?.state === 'working' && reported.since >= this.#wallMs;
  }

  #hasNewMessage(): boolean {
    return [...this.#looks.messages()].some(([id, { data }]) => {
      return !this.#messagesBefore.has(id) && typeof data['text'] === 'string' && this.#text.isMessage(data['text']);
    });
  }
}
