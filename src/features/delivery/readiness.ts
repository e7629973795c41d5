/** Whether a prompt may be written now: a box or a line that is empty, reads, and asks nothing. */
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import type { InputSender } from '../../terminal/input/input-gate.js';
import { reportedBy } from '../../terminal/program-status.js';
import { readStat } from '../../terminal/system/processes.js';
import { isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { BoxReading } from './box-reading.js';
import { type PromptLook, type PromptLooks, type Question, textIn } from './prompt-look.js';

/** A screen that stood for so long is not being drawn. */
const STANDS_MS = 150;
/** A program that starts draws its box before it asks for pastes in brackets: until then letters of the text may be keys. */
const UNASKED_STANDS_MS = 2000;
/** Of a program whose box no rule knows. */
const GUESSED_STANDS_MS = 1000;
/** Keys of others that have ended no line: they are on the screen by then, if they are text. */
const KEYS_SHOWN_MS = 1000;
/** By a signal, or a debugger. */
const STOPPED = /^[Tt]$/;

/** Why nothing is written yet. */
export interface Hindrance {
  readonly why: 'not_ready' | 'draft' | 'question' | 'held';
  readonly error?: T4aError;
  readonly question?: Question;
  /** A shell reads: it takes commands, no prompts. */
  readonly isShell?: boolean;
}

export interface ReadinessOptions {
  readonly terminal: Terminal;
  readonly looks: PromptLooks;
  readonly box: BoxReading;
  readonly sender: InputSender;
  readonly ifInputs: number | undefined;
}

export class Readiness {
  readonly #terminal: Terminal;
  readonly #looks: PromptLooks;
  readonly #box: BoxReading;
  readonly #sender: InputSender;
  readonly #ifInputs: number | undefined;
  #isCanonical = false;

  constructor({ terminal, looks, box, sender, ifInputs }: ReadinessOptions) {
    this.#terminal = terminal;
    this.#looks = looks;
    this.#box = box;
    this.#sender = sender;
    this.#ifInputs = ifInputs;
  }

  /** The kernel edits the line. */
  get isCanonical(): boolean {
    return this.#isCanonical;
  }

  /** What needs no look. @throws T4aError input_blocked, others_typed */
  admission(): Hindrance | undefined {
    const { input, id } = this.#terminal;
    try {
      input.admit(this.#sender);
    } catch (error) {
      if (isT4aError(error) && error.code === 'control_held') return { why: 'held', error };
      throw error;
    }
    if (this.#ifInputs !== undefined && input.inputs !== this.#ifInputs) {
      throw new T4aError('others_typed', `Terminal "${id}" has had ${input.inputs} inputs.`);
    }
    return undefined;
  }

  /** @throws T4aError input_blocked, others_typed */
  async hindrance(look: PromptLook): Promise<Hindrance | undefined> {
    const held = this.admission();
    if (held !== undefined) return held;
    if (look.question !== undefined) return { why: 'question', question: look.question };
    if (look.box === undefined) return { why: 'not_ready' };
    return this.#looks.knowsBox ? this.#ofKnownBox(look) : this.#ofGuessedBox(look);
  }

  /** Of a box that a rule has found. */
  async #ofKnownBox(look: PromptLook): Promise<Hindrance | undefined> {
    if (textIn(look) !== '') return { why: 'draft' };
    const standsMs = inputModes(this.#terminal).bracketedPaste ? STANDS_MS : UNASKED_STANDS_MS;
    if (this.#box.text !== '' || !this.#box.stands(standsMs)) return { why: 'not_ready' };
    if (this.#terminal.input.unendedBytes === 0) return undefined;
    // An empty box, and keys that have ended no line: they were none of text, or are not read yet.
    const isShown = this.#sinceInputMs() >= KEYS_SHOWN_MS && (await this.#hasReadAll());
    return isShown ? undefined : { why: 'draft' };
  }

  async #ofGuessedBox(look: PromptLook): Promise<Hindrance | undefined> {
    const reader = await this.#reader();
    this.#isCanonical = reader?.certain === true && reader.kind === 'line';
    if (reader?.certain === true && reader.kind === 'password') {
      return { why: 'question', question: { entry: null, text: 'It reads a password.' } };
    }
    if (reader !== undefined && isInteractiveShell(reader.pid)) return { why: 'not_ready', isShell: true };
    if (!this.#isGuessedReady(reader, look)) return { why: 'not_ready' };
    if (this.#terminal.input.unendedBytes > 0) return { why: 'draft' };
    // What stands before the cursor of such a line is the question.
    return this.#isCanonical || this.#box.text === '' ? undefined : { why: 'draft' };
  }

  #isGuessedReady(reader: AwaitingInput | undefined, { isBlank, hasCursor }: PromptLook): boolean {
    const state = reportedBy(this.#terminal)?.state;
    if (state === 'idle' || state === 'done' || state === 'working') return true;
    if (reader?.certain === true) return true;
    const isReading = reader !== undefined || !this.#terminal.detectors.tellsAwaitingInput;
    // Who hides the cursor shows where text goes by other means, or takes none: a menu, a question.
    const looksLikeBox = !isBlank && hasCursor && inputModes(this.#terminal).bracketedPaste;
    return isReading && looksLikeBox && this.#box.stands(GUESSED_STANDS_MS);
  }

  async #reader(): Promise<AwaitingInput | undefined> {
    const { detectors } = this.#terminal;
    return detectors.tellsAwaitingInput ? detectors.probeInput() : undefined;
  }

  /** A program that waits for input has none: unless it is stopped, which looks the same. */
  async #hasReadAll(): Promise<boolean> {
    if (!this.#terminal.detectors.tellsAwaitingInput) return true;
    const reader = await this.#reader();
    return reader !== undefined && !STOPPED.test(readStat(reader.pid)?.state ?? '');
  }

  #sinceInputMs(): number {
    const last = this.#terminal.input.sent.inputs.at(-1);
    return last === undefined ? Infinity : this.#terminal.clock.wallNow() - last.ts;
  }
}
