/**
 * One prompt to one program: ready, written, seen, shown, Enter, proof. Enter belongs to a box that was looked at: it is written only
 * while that box stands, shows the text, and nothing is asked. What cannot be known is no success.
 *
 * A question that the program draws between the last look and its read of Enter cannot be seen by anybody outside of it.
 */
import type { DeliveryOutcome } from '../../protocol/delivery.js';
import { isT4aError, type T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import { encodePaste } from '../../vt/paste.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import type { InputSender } from '../../terminal/input/input-gate.js';
import { encodeTyped } from '../../terminal/input/keyboard.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import type { Terminal } from '../../terminal/terminal.js';
import { waitsForKeys } from '../../terminal/system/proc/sleeping-readers.js';
import { until } from '../../terminal/until.js';
import { enterKey } from '../acting/submit.js';
import type { RulesFeature } from '../rules/feature.js';
import { BoxReading, DRAWN_MS } from './box-reading.js';
import { EnteredPrompt, type Proof } from './entered-prompt.js';
import { hintFor } from './hints.js';
import type { DeliveryLine } from './line.js';
import { type PromptLook, PromptLooks, type Question, textIn } from './prompt-look.js';
import type { PromptText } from './prompt-text.js';
import { ProgramRest } from './program-rest.js';
import { type Hindrance, Readiness } from './readiness.js';
import type { Receipt } from './receipts.js';
import { WrittenPrompt } from './written-prompt.js';

/** Between two looks. */
const LOOK_MS = 20;
/** What waits for longer, for a person, looks less often: prompts may wait for a day. */
const EAGER_MS = 5000;
const PATIENT_LOOK_MS = 250;
/** A key of a person waits for so long. */
const OTHERS_WAIT_MS = 2000;
/** After Enter, or twice the time that the text took to be shown. */
const PROOF_MS = 600;
/** Enter is pressed again only then: a program that says nothing so far may be about to ask, and that Enter would answer. */
const AGAIN_MS = 3000;
/** A program that does not read keys has so long. */
const BUSY_MS = 10_000;
const MAX_TRIES = 3;
/** A flood may take longer. */
const LAST_LINES_MS = 5000;

export interface DeliveryOptions {
  readonly terminal: Terminal;
  readonly rules: RulesFeature;
  readonly line: DeliveryLine;
  readonly text: PromptText;
  readonly params: Params<'deliver'>;
  readonly sender: InputSender;
  readonly signal: AbortSignal;
}

export class Delivery {
  readonly #terminal: Terminal;
  readonly #looks: PromptLooks;
  readonly #box: BoxReading;
  readonly #readiness: Readiness;
  readonly #line: DeliveryLine;
  readonly #text: PromptText;
  readonly #params: Params<'deliver'>;
  readonly #sender: InputSender;
  readonly #signal: AbortSignal;
  readonly #generation: number;
  readonly #startMs: number;
  #question: Question | undefined;
  #isShell = false;
  #removed = 0;
  #whileWorking: boolean | null = null;
  #tries = 0;
  #proof: Proof | null = null;
  #submittedMs: number | null = null;
  #prompt: WrittenPrompt | undefined;
  /** Before the next Enter, since the text is shown. */
  #rest: ProgramRest | undefined;
  /** `inputs` with that of the text. */
  #ownInputs = 0;
  /** A foreign input is known to have come after the text. */
  #othersCame = false;
  #isBegun = false;

  constructor({ terminal, rules, line, text, params, sender, signal }: DeliveryOptions) {
    this.#terminal = terminal;
    this.#looks = new PromptLooks(terminal, rules);
    this.#box = new BoxReading(terminal);
    this.#readiness = new Readiness({
      terminal,
      looks: this.#looks,
      box: this.#box,
      sender,
      ifInputs: params.if_inputs,
    });
    this.#line = line;
    this.#text = text;
    this.#params = params;
    this.#sender = sender;
    this.#signal = signal;
    this.#generation = terminal.generation;
    this.#startMs = this.#nowMs();
  }

  /** Something of it may be in the box: it is not begun anew. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** @throws T4aError control_held, input_blocked, invalid_field, the signal's reason */
  async run(): Promise<Receipt> {
    const outcome = await this.#outcome();
    // The receipt has the last lines of what has ended: they are drawn first.
    if (outcome === 'exited') await this.#terminal.screen.settle(LAST_LINES_MS);
    return this.#receipt(outcome);
  }

  async #outcome(): Promise<DeliveryOutcome> {
    try {
      const entered = await this.#written();
      return typeof entered === 'string' ? entered : await this.#proven(entered);
    } catch (error) {
      if (!isT4aError(error)) throw error;
      const outcome = this.#outcomeOf(error);
      if (outcome === undefined) throw error;
      return outcome;
    }
  }

  #outcomeOf({ code }: T4aError): DeliveryOutcome | undefined {
    if (this.#hasEnded) return 'exited';
    if (code === 'terminal_exited') return 'exited';
    if (code === 'input_interrupted' || code === 'others_typed' || code === 'not_holder') return 'others_typed';
    if (this.#prompt === undefined) return undefined;
    if (code === 'control_held') return 'others_typed';
    return code === 'input_blocked' ? 'not_seen' : undefined;
  }

  /** Up to the first Enter. @returns an outcome if it was not pressed */
  async #written(): Promise<DeliveryOutcome | EnteredPrompt> {
    for (;;) {
      const ended = await this.#readied();
      if (ended !== undefined) return ended;
      const done = await this.#terminal.input.take(
        this.#text.text.length,
        async (writer) => {
          // Others may have typed while it waited for its turn.
          const hindrance = await this.#hindrance(await this.#looks.settled());
          if (hindrance !== undefined || this.#terminal.isHeld) return { again: true } as const;
          this.#isBegun = true;
          return { outcome: await this.#writeAndEnter(writer) };
        },
        this.#sender,
      );
      if (!('again' in done)) return done.outcome;
    }
  }

  /** Step 1. @returns the outcome of what could not be written in time */
  async #readied(): Promise<DeliveryOutcome | undefined> {
    const { on_question: onQuestion, on_draft: onDraft } = this.#params;
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.#hasEnded) return 'exited';
      const isFirst = this.#line.isFirst(this);
      const hindrance = isFirst ? await this.#hindrance(await this.#looks.settled()) : this.#hindranceInLine();
      if (this.#hasEnded) return 'exited';
      if (isFirst) this.#line.hindrance = hindrance?.why === 'held' ? undefined : hindrance;
      if (isFirst && hindrance === undefined && !this.#terminal.isHeld) {
        return this.#text.hasLineBreaks && !inputModes(this.#terminal).bracketedPaste ? 'no_paste' : undefined;
      }
      this.#isShell = hindrance?.isShell === true;
      const why = hindrance?.why;
      if (why === 'question' && onQuestion === 'fail') return 'question';
      if (why === 'draft' && onDraft === 'fail') return 'draft';
      if (this.#leftMs() <= 0) {
        if (hindrance?.error !== undefined) throw hindrance.error;
        return why === 'question' || why === 'draft' ? why : 'not_ready';
      }
      await this.#pause(this.#nowMs() - this.#startMs < EAGER_MS ? LOOK_MS : PATIENT_LOOK_MS);
    }
  }

  /** Behind others: what the first has found, without a look. */
  #hindranceInLine(): Hindrance | undefined {
    const hindrance = this.#readiness.admission() ?? this.#line.hindrance;
    this.#question = hindrance?.question;
    return hindrance;
  }

  async #hindrance(look: PromptLook): Promise<Hindrance | undefined> {
    this.#see(look);
    const hindrance = await this.#readiness.hindrance(look);
    if (hindrance?.question !== undefined) this.#question = hindrance.question;
    return hindrance;
  }

  /** Steps 2 to 6, within the input queue. @returns the outcome if Enter was not pressed */
  async #writeAndEnter(writer: InputWriter): Promise<DeliveryOutcome | EnteredPrompt> {
    const prompt = await this.#write(writer);
    return this.#shownAndEntered(writer, prompt);
  }

  async #shownAndEntered(writer: InputWriter, prompt: WrittenPrompt): Promise<DeliveryOutcome | EnteredPrompt> {
    const unshown = await this.#untilShown(writer, prompt);
    return unshown ?? this.#enter(writer, prompt);
  }

  async #write(writer: InputWriter): Promise<WrittenPrompt> {
    const terminal = this.#terminal;
    const modes = inputModes(terminal);
    const { open, body, close, removed } = encodePaste(this.#looks.writable(this.#text.text), modes);
    const bytes = Buffer.from(open === '' ? encodeTyped(body, modes) : open + body + close, 'utf8');
    await assertLinesFit(terminal, bytes, 'text');
    this.#removed = removed;
    const { isCanonical } = this.#readiness;
    const prefix = isCanonical ? (textIn(this.#looks.now()) ?? '') : '';
    const { length: byteCount } = bytes;
    const prompt = new WrittenPrompt({ terminal, text: this.#text, byteCount, isCanonical, prefix, box: this.#box });
    this.#prompt = prompt;
    await writer.write(bytes, { openBytes: Buffer.byteLength(open), closeBytes: Buffer.byteLength(close) });
    this.#ownInputs = writer.inputs();
    return prompt;
  }

  /** Steps 3 to 5. */
  async #untilShown(writer: InputWriter, prompt: WrittenPrompt): Promise<DeliveryOutcome | undefined> {
    const start = this.#nowMs();
    let othersSinceMs: number | undefined;
    for (;;) {
      await this.#pauseIn(writer);
      if (this.#hasEnded) return 'exited';
      const now = this.#nowMs();
      othersSinceMs = this.#terminal.input.waiting > 1 ? (othersSinceMs ?? now) : undefined;
      if (othersSinceMs !== undefined && now - othersSinceMs >= OTHERS_WAIT_MS) return 'others_typed';
      if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed';
      const look = await this.#looks.settled();
      this.#see(look);
      if (look.question !== undefined) return 'question';
      const progress = prompt.progress(look, start);
      if (progress === 'shown' && (!this.#params.submit || this.#hasRested())) return undefined;
      if (this.#leftMs() <= 0 && progress !== 'shown') return progress === 'seen' ? 'no_echo' : 'not_seen';
    }
  }

  #hasRested(): boolean {
    this.#rest ??= new ProgramRest(this.#terminal);
    return this.#rest.isReached();
  }

  /** Step 6. The look and the write are one step: no byte of the program is read in between. */
  async #enter(writer: InputWriter, prompt: WrittenPrompt): Promise<DeliveryOutcome | EnteredPrompt> {
    if (!this.#params.submit) return 'shown';
    const before = this.#box.text;
    const look = await this.#looks.settled();
    this.#see(look);
    if (this.#hasEnded) return 'exited';
    if (look.question !== undefined) return 'question';
    if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed';
    // The box has changed at the last instant, or the program has begun to compute: it may be about to ask.
    const isSame = textIn(look) === before && prompt.shownIn(look) !== undefined;
    if (!isSame || this.#rest?.lasts !== true) return this.#shownAndEntered(writer, prompt);
    this.#rest = undefined;
    const entered = new EnteredPrompt({ terminal: this.#terminal, looks: this.#looks, text: this.#text, prompt });
    this.#whileWorking = look.isWorking;
    this.#tries++;
    this.#submittedMs ??= prompt.sinceMs;
    await writer.write(enterKey(this.#terminal));
    this.#ownInputs = writer.inputs();
    return entered;
  }

  /** Step 7, and Enter again while the box holds the text. */
  async #proven(first: EnteredPrompt): Promise<DeliveryOutcome> {
    const { prompt } = first;
    let entered = first;
    for (;;) {
      this.#proof = (await this.#untilProof(entered)) ?? null;
      if (this.#proof !== null) return 'submitted';
      if (this.#hasEnded) return 'exited';
      if (this.#question !== undefined) return 'question';
      if (this.#othersCame) return 'others_typed';
      if (this.#tries === MAX_TRIES || !this.#mayEnterAgain(prompt, this.#looks.now())) return 'not_submitted';
      const again = await this.#terminal.input.take(
        1,
        async (writer) => {
          if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed' as const;
          return this.#enterAgain(writer, prompt);
        },
        this.#sender,
      );
      if (again === 'others_typed') this.#othersCame = true;
      if (again instanceof EnteredPrompt) entered = again;
      else if (again !== 'again') return again;
    }
  }

  /** Enter that was swallowed. `again`: there is nothing to press it for any more. */
  async #enterAgain(writer: InputWriter, prompt: WrittenPrompt): Promise<DeliveryOutcome | 'again' | EnteredPrompt> {
    for (;;) {
      const look = await this.#looks.settled();
      this.#see(look);
      if (look.question !== undefined) return 'question';
      if (!this.#mayEnterAgain(prompt, look)) return 'again';
      if (this.#hasRested()) return this.#enter(writer, prompt);
      await this.#pauseIn(writer);
    }
  }

  /** The program waits for keys, works at nothing, and its box holds the text. */
  #mayEnterAgain(prompt: WrittenPrompt, look: PromptLook): boolean {
    const isIdle = this.#whileWorking !== true && !look.isWorking;
    return this.#looks.knowsBox && isIdle && prompt.shownIn(look) !== undefined && waitsForKeys(this.#terminal);
  }

  async #untilProof(entered: EnteredPrompt): Promise<Proof | undefined> {
    const proofMs = Math.max(PROOF_MS, 2 * entered.prompt.echoMs);
    let readAtMs: number | undefined;
    let goneSinceMs: number | undefined;
    const start = this.#nowMs();
    for (;;) {
      await this.#pause();
      if (this.#terminal.input.inputs !== this.#ownInputs) this.#othersCame = true;
      const look = await this.#looks.settled();
      const now = this.#nowMs();
      this.#see(look);
      if (this.#hasEnded) return undefined;
      const { proofByProgram } = entered;
      if (proofByProgram !== undefined) return proofByProgram;
      if (entered.isRead) readAtMs ??= now;
      const proof = entered.proofIn(look, this.#othersCame);
      if (proof === undefined) goneSinceMs = undefined;
      else if (now - (goneSinceMs ??= now) >= DRAWN_MS) return proof;
      // A program that has not read Enter needs no other one.
      const since = readAtMs ?? (now - start > OTHERS_WAIT_MS ? start : now);
      const isLeft = this.#looks.knowsBox && entered.prompt.shownIn(look) !== undefined;
      const waitMs = isLeft ? (waitsForKeys(this.#terminal) ? AGAIN_MS : BUSY_MS) : proofMs;
      if (now - since >= Math.max(waitMs, proofMs) && goneSinceMs === undefined) return undefined;
    }
  }

  #see(look: PromptLook): void {
    this.#question = look.question;
    this.#box.follow(look);
  }

  get #hasEnded(): boolean {
    return !this.#terminal.alive || this.#terminal.generation !== this.#generation;
  }

  async #pause(ms = LOOK_MS): Promise<void> {
    const { clock } = this.#terminal;
    await until<void>(this.#signal, ({ resolve }, scope) => {
      scope.add(clock.after(ms, () => resolve()));
    });
  }

  /** The same, ended by an interrupt. */
  async #pauseIn(writer: InputWriter): Promise<void> {
    await writer.pause(LOOK_MS / 2);
    this.#signal.throwIfAborted();
  }

  #nowMs(): number {
    return this.#terminal.clock.now();
  }

  #leftMs(): number {
    return this.#startMs + this.#params.timeout_ms - this.#nowMs();
  }

  #receipt(outcome: DeliveryOutcome): Receipt {
    const isEntered = this.#submittedMs !== null;
    const isWritten = this.#prompt !== undefined;
    const entry = this.#question?.entry;
    const { knowsBox } = this.#looks;
    const { id } = this.#terminal;
    const mayBeCommand = this.#proof === 'box' && this.#text.text.startsWith('/');
    const hint = hintFor({ id, outcome, isEntered, isWritten, entry, knowsBox, isShell: this.#isShell, mayBeCommand });
    return {
      outcome,
      delivered: {
        seen_ms: this.#prompt?.seenMs ?? null,
        shown_ms: this.#prompt?.shownMs ?? null,
        submitted_ms: this.#submittedMs,
        proof: this.#proof,
        tries: this.#tries,
      },
      written: isWritten,
      box: knowsBox ? 'known' : 'guessed',
      while_working: this.#whileWorking,
      ...(this.#question === undefined || outcome === 'submitted' ? {} : { question: this.#question }),
      inputs: this.#terminal.input.inputs,
      elapsed_ms: Math.round(this.#nowMs() - this.#startMs),
      ...(this.#removed > 0 ? { removed: this.#removed } : {}),
      tail: outcome === 'submitted' ? [] : [...this.#looks.tail()],
      ...(hint === undefined ? {} : { hint }),
    };
  }
}
