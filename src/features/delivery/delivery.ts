/**
 * One prompt to one program: ready, written, seen, shown, Enter, proof. Enter belongs to a box that was looked at: it is written only
 * while that box stands, shows the text, and nothing is asked. What cannot be known is no success.
 *
 * A question that the program draws between the last look and its read of Enter cannot be seen by anybody outside of it.
 */
import type { AwaitingInput } from '../../events/awaiting-input.js';
import type { DELIVERY_PROOFS, DeliveryOutcome } from '../../protocol/delivery.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import { encodePaste } from '../../vt/paste.js';
import { rowText } from '../../vt/rows/row-text.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import type { InputSender } from '../../terminal/input/input-gate.js';
import { encodeTyped } from '../../terminal/input/keyboard.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { reportedBy } from '../../terminal/program-status.js';
import { ReadCounts } from '../../terminal/system/proc/read-counts.js';
import { readStat } from '../../terminal/system/processes.js';
import { isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';
import { enterKey } from '../acting/submit.js';
import type { RulesFeature } from '../rules/feature.js';
import { hintFor } from './hints.js';
import type { DeliveryLine } from './line.js';
import { type PromptLook, PromptLooks, type Question } from './prompt-look.js';
import type { PromptText } from './prompt-text.js';
import type { Receipt } from './receipts.js';

type Proof = (typeof DELIVERY_PROOFS)[number];

/** Between two looks. */
const LOOK_MS = 20;
/** A screen that stood for so long is not being drawn. */
const STANDS_MS = 150;
/** Of a program whose box no rule knows. */
const GUESSED_STANDS_MS = 1000;
/** Programs take Enter right behind a text for a line break. */
const ENTER_GAP_MS = 150;
/** In place of the count of what was read. */
const UNCOUNTED_GAP_MS = 300;
/** A part of the text may be on its way: it counts if no more has come for so long. */
const PART_STANDS_MS = 600;
/** A key of a person waits for so long. */
const OTHERS_WAIT_MS = 2000;
/** After Enter, or twice the time that the text took to be shown. */
const PROOF_MS = 600;
/** What a box shows for less may be the middle of a drawing: its text may be gone, and the whole box. */
const DRAWN_MS = 60;
const MAX_TRIES = 3;
/** Keys of others that have ended no line: they are on the screen by then, if they are text. */
const KEYS_SHOWN_MS = 1000;
/** By a signal, or a debugger. */
const STOPPED = /^[Tt]$/;
const TAIL_ROWS = 10;

export interface DeliveryOptions {
  readonly terminal: Terminal;
  readonly rules: RulesFeature;
  readonly line: DeliveryLine;
  readonly text: PromptText;
  readonly params: Params<'deliver'>;
  readonly sender: InputSender;
  readonly signal: AbortSignal;
}

/** Why nothing is written yet. */
type Hindrance = { readonly why: 'not_ready' | 'draft' | 'question' | 'held' | 'line'; readonly error?: T4aError };

/** Undefined: there is none. */
interface Reading {
  readonly text: string | undefined;
  readonly sinceMs: number;
}

export class Delivery {
  readonly #terminal: Terminal;
  readonly #looks: PromptLooks;
  readonly #line: DeliveryLine;
  readonly #text: PromptText;
  readonly #params: Params<'deliver'>;
  readonly #sender: InputSender;
  readonly #signal: AbortSignal;
  readonly #generation: number;
  readonly #startMs: number;
  /** How the box reads, and since when. A look in the middle of a drawing changes nothing. */
  #box: Reading | undefined;
  #next: Reading | undefined;
  #question: Question | undefined;
  #isShell = false;
  #removed = 0;
  #whileWorking: boolean | null = null;
  #tries = 0;
  #proof: Proof | null = null;
  #writtenAtMs: number | undefined;
  #seenMs: number | null = null;
  #shownMs: number | null = null;
  #submittedMs: number | null = null;
  #counts: ReadCounts | undefined;
  /** The kernel edits the line. */
  #isCanonical = false;
  /** Of such a line, what stood there before. */
  #prefix = '';
  #bytes = 0;
  /** `inputs` with that of the text. */
  #ownInputs = 0;
  /** A foreign input is known to have come after the text. */
  #othersCame = false;

  /** What was known right before Enter. */
  #atEnter:
    | {
        readonly messages: ReadonlyMap<string, unknown>;
        readonly state: string | undefined;
        readonly wallMs: number;
        readonly counts: ReadCounts;
      }
    | undefined;

  constructor({ terminal, rules, line, text, params, sender, signal }: DeliveryOptions) {
    this.#terminal = terminal;
    this.#looks = new PromptLooks(terminal, rules);
    this.#line = line;
    this.#text = text;
    this.#params = params;
    this.#sender = sender;
    this.#signal = signal;
    this.#generation = terminal.generation;
    this.#startMs = this.#nowMs();
  }

  /** @throws T4aError control_held, input_blocked, invalid_field, the signal's reason */
  async run(): Promise<Receipt> {
    return this.#receipt(await this.#outcome());
  }

  async #outcome(): Promise<DeliveryOutcome> {
    try {
      const early = await this.#written();
      if (early !== undefined) return early;
      return await this.#proven();
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
    if (this.#writtenAtMs === undefined) return undefined;
    if (code === 'control_held') return 'others_typed';
    return code === 'input_blocked' ? 'not_seen' : undefined;
  }

  /** Up to the first Enter. @returns an outcome that is no submission */
  async #written(): Promise<DeliveryOutcome | undefined> {
    for (;;) {
      const ended = await this.#readied();
      if (ended !== undefined) return ended;
      const done = await this.#terminal.input.take(
        this.#text.text.length,
        async (writer) => {
          // Others may have typed while it waited for its turn.
          const hindrance = await this.#hindrance(await this.#looks.settled());
          if (hindrance !== undefined) return { again: true } as const;
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
      const look = await this.#looks.settled();
      const hindrance = await this.#hindrance(look);
      if (this.#hasEnded) return 'exited';
      const ready = hindrance === undefined;
      if (ready && this.#text.hasLineBreaks && !inputModes(this.#terminal).bracketedPaste) return 'no_paste';
      if (ready && this.#line.isFirst(this)) return undefined;
      const why = hindrance?.why;
      if (why === 'question' && onQuestion === 'fail') return 'question';
      if (why === 'draft' && onDraft === 'fail') return 'draft';
      if (this.#leftMs() <= 0) {
        if (hindrance?.error !== undefined) throw hindrance.error;
        return why === 'question' || why === 'draft' ? why : 'not_ready';
      }
      await this.#pause();
    }
  }

  async #hindrance(look: PromptLook): Promise<Hindrance | undefined> {
    const terminal = this.#terminal;
    this.#question = look.question;
    this.#follow(look);
    try {
      terminal.input.admit(this.#sender);
    } catch (error) {
      if (isT4aError(error) && error.code === 'control_held') return { why: 'held', error };
      throw error;
    }
    const { if_inputs: ifInputs } = this.#params;
    if (ifInputs !== undefined && terminal.input.inputs !== ifInputs) {
      throw new T4aError('others_typed', `Terminal "${terminal.id}" has had ${terminal.input.inputs} inputs.`);
    }
    if (look.question !== undefined) return { why: 'question' };
    if (look.box === undefined) return { why: 'not_ready' };
    return this.#looks.knowsBox ? this.#boxHindrance(look) : this.#guessedHindrance(look);
  }

  /** Of a box that a rule has found. */
  async #boxHindrance(look: PromptLook): Promise<Hindrance | undefined> {
    if (textIn(look) !== '') return { why: 'draft' };
    if (this.#box?.text !== '' || !this.#stands(STANDS_MS)) return { why: 'not_ready' };
    if (this.#terminal.input.unendedBytes === 0) return undefined;
    // An empty box, and keys that have ended no line: they were none of text, or are not read yet.
    const isShown = this.#sinceInputMs() >= KEYS_SHOWN_MS && (await this.#hasReadAll());
    return isShown ? undefined : { why: 'draft' };
  }

  async #guessedHindrance(look: PromptLook): Promise<Hindrance | undefined> {
    const reader = await this.#reader();
    this.#isCanonical = reader?.certain === true && reader.kind === 'line';
    this.#isShell = reader !== undefined && isInteractiveShell(reader.pid);
    if (reader?.certain === true && reader.kind === 'password') {
      this.#question = { entry: null, text: 'It reads a password.' };
      return { why: 'question' };
    }
    if (this.#isShell) return { why: 'not_ready' };
    if (!this.#isGuessedReady(reader, look)) return { why: 'not_ready' };
    if (this.#terminal.input.unendedBytes > 0) return { why: 'draft' };
    // What stands before the cursor of such a line is the question.
    return this.#isCanonical || this.#box?.text === '' ? undefined : { why: 'draft' };
  }

  #isGuessedReady(reader: AwaitingInput | undefined, { isBlank }: PromptLook): boolean {
    const state = reportedBy(this.#terminal)?.state;
    if (state === 'idle' || state === 'done' || state === 'working') return true;
    if (reader?.certain === true) return true;
    const isReading = reader !== undefined || !this.#terminal.detectors.tellsAwaitingInput;
    return isReading && !isBlank && inputModes(this.#terminal).bracketedPaste && this.#stands(GUESSED_STANDS_MS);
  }

  /** Steps 2 to 6, within the input queue. @returns the outcome if Enter was not pressed */
  async #writeAndEnter(writer: InputWriter): Promise<DeliveryOutcome | undefined> {
    await this.#write(writer);
    const unshown = await this.#untilShown(writer);
    if (unshown !== undefined) return unshown;
    return this.#enter(writer);
  }

  async #write(writer: InputWriter): Promise<void> {
    const terminal = this.#terminal;
    const modes = inputModes(terminal);
    const { open, body, close, removed } = encodePaste(this.#text.text, modes);
    const bytes = Buffer.from(open === '' ? encodeTyped(body, modes) : open + body + close, 'utf8');
    await assertLinesFit(terminal, bytes, 'text');
    this.#removed = removed;
    this.#bytes = bytes.length;
    this.#prefix = this.#isCanonical ? (textIn(this.#looks.now()) ?? '') : '';
    this.#counts = new ReadCounts(terminal.pid, terminal.device);
    this.#writtenAtMs = this.#nowMs();
    await writer.write(bytes, { openBytes: Buffer.byteLength(open), closeBytes: Buffer.byteLength(close) });
    this.#ownInputs = writer.inputs();
  }

  /** Steps 3 to 5. */
  async #untilShown(writer: InputWriter): Promise<DeliveryOutcome | undefined> {
    const start = this.#nowMs();
    let othersSinceMs: number | undefined;
    for (;;) {
      await this.#pauseIn(writer);
      if (this.#hasEnded) return 'exited';
      const now = this.#nowMs();
      othersSinceMs = this.#terminal.input.waiting > 1 ? (othersSinceMs ?? now) : undefined;
      if (othersSinceMs !== undefined && now - othersSinceMs >= OTHERS_WAIT_MS) return 'others_typed';
      if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed';
      this.#countRead();
      const look = await this.#looks.settled();
      const outcome = this.#judgeShown(look, start);
      if (outcome !== 'wait') return outcome;
    }
  }

  #judgeShown(look: PromptLook, start: number): DeliveryOutcome | 'wait' | undefined {
    const now = this.#nowMs();
    this.#question = look.question;
    this.#follow(look);
    if (look.question !== undefined) return 'question';
    const counted = this.#counts?.bytes;
    const isSeen = this.#isCanonical || counted === undefined || this.#seenMs !== null;
    const shown = this.#shownIn(look);
    if (shown !== undefined) this.#shownMs ??= this.#sinceWritten();
    else if (this.#box?.text === textIn(look)) this.#shownMs = null;
    const seenAt = this.#seenMs === null ? start + UNCOUNTED_GAP_MS - ENTER_GAP_MS : start + this.#seenMs;
    const isSame = this.#box !== undefined && this.#box.text === textIn(look);
    const gap = shown === 'part' ? PART_STANDS_MS : ENTER_GAP_MS;
    if (shown !== undefined && isSeen && isSame && now - seenAt >= ENTER_GAP_MS && this.#stands(gap)) return undefined;
    if (this.#leftMs() > 0) return 'wait';
    return isSeen ? 'no_echo' : 'not_seen';
  }

  /** Step 6. The look and the write are one step: no byte of the program is read in between. */
  async #enter(writer: InputWriter): Promise<DeliveryOutcome | undefined> {
    if (!this.#params.submit) return 'shown';
    const before = this.#box?.text;
    const look = await this.#looks.settled();
    this.#question = look.question;
    this.#follow(look);
    if (this.#hasEnded) return 'exited';
    if (look.question !== undefined) return 'question';
    if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed';
    if (textIn(look) !== before || this.#shownIn(look) === undefined) return this.#againShown(writer);
    this.#atEnter = {
      messages: this.#looks.messages(),
      state: reportedBy(this.#terminal)?.state,
      wallMs: this.#terminal.parts.clock.wallNow(),
      counts: new ReadCounts(this.#terminal.pid, this.#terminal.device),
    };
    this.#whileWorking = look.isWorking;
    this.#tries++;
    this.#submittedMs ??= this.#sinceWritten();
    await writer.write(enterKey(this.#terminal));
    this.#ownInputs = writer.inputs();
    return undefined;
  }

  /** The box has changed at the last instant. */
  async #againShown(writer: InputWriter): Promise<DeliveryOutcome | undefined> {
    const unshown = await this.#untilShown(writer);
    return unshown ?? this.#enter(writer);
  }

  /** Step 7, and Enter again while the box holds the text. */
  async #proven(): Promise<DeliveryOutcome> {
    for (;;) {
      this.#proof = (await this.#untilProof()) ?? null;
      if (this.#proof !== null) return 'submitted';
      if (this.#hasEnded) return 'exited';
      if (this.#question !== undefined) return 'question';
      if (this.#othersCame) return 'others_typed';
      if (!this.#looks.knowsBox || this.#tries === MAX_TRIES || !this.#isStillShown()) return 'not_submitted';
      const outcome = await this.#terminal.input.take(
        1,
        async (writer) => {
          if (this.#terminal.input.inputs !== this.#ownInputs) return 'others_typed' as const;
          return this.#enterAgain(writer);
        },
        this.#sender,
      );
      if (outcome === 'others_typed') this.#othersCame = true;
      if (outcome !== undefined && outcome !== 'again') return outcome;
    }
  }

  /** Enter that was swallowed. `again`: there is nothing to press it for any more. */
  async #enterAgain(writer: InputWriter): Promise<DeliveryOutcome | 'again' | undefined> {
    const look = await this.#looks.settled();
    this.#question = look.question;
    this.#follow(look);
    if (look.question !== undefined) return 'question';
    if (this.#shownIn(look) === undefined) return 'again';
    return this.#enter(writer);
  }

  #isStillShown(): boolean {
    const look = this.#looks.now();
    return look.box !== undefined && this.#shownIn(look) !== undefined;
  }

  async #untilProof(): Promise<Proof | undefined> {
    const echoMs = this.#shownMs === null ? 0 : 2 * (this.#shownMs - (this.#seenMs ?? 0));
    const wait = Math.max(PROOF_MS, echoMs);
    let readAtMs: number | undefined;
    let goneSinceMs: number | undefined;
    const start = this.#nowMs();
    for (;;) {
      await this.#pause();
      if (this.#terminal.input.inputs !== this.#ownInputs) this.#othersCame = true;
      const look = await this.#looks.settled();
      const now = this.#nowMs();
      this.#question = look.question;
      this.#follow(look);
      if (this.#hasEnded) return undefined;
      if (this.#isReportedWork()) return 'report';
      const counted = this.#atEnter?.counts.bytes;
      if (counted === undefined || counted > 0) readAtMs ??= now;
      if (this.#isCanonical && counted !== undefined && counted > this.#bytes) return 'read';
      const proof = this.#proofIn(look);
      if (proof === undefined) goneSinceMs = undefined;
      else if (now - (goneSinceMs ??= now) >= DRAWN_MS) return proof;
      // A program that has not read Enter needs no other one.
      const since = readAtMs ?? (now - start > OTHERS_WAIT_MS ? start : now);
      if (now - since >= wait && goneSinceMs === undefined) return undefined;
    }
  }

  /** The text is in no box any more. Others may have removed it, and what stands in the place of a box is no proof by itself. */
  #proofIn({ box, question }: PromptLook): Proof | undefined {
    if (!this.#looks.knowsBox || (box !== undefined && this.#text.isLeftIn(box.lines))) return undefined;
    if (this.#hasNewMessage()) return 'message';
    return box !== undefined && question === undefined && !this.#othersCame ? 'box' : undefined;
  }

  #isReportedWork(): boolean {
    const before = this.#atEnter?.state;
    if (before !== 'idle' && before !== 'done') return false;
    const reported = reportedBy(this.#terminal);
    return reported?.state === 'working' && reported.since >= (this.#atEnter?.wallMs ?? Infinity);
  }

  #hasNewMessage(): boolean {
    const before = this.#atEnter?.messages;
    if (before === undefined) return false;
    return [...this.#looks.messages()].some(([id, { data }]) => {
      return !before.has(id) && typeof data['text'] === 'string' && this.#text.isMessage(data['text']);
    });
  }

  #shownIn(look: PromptLook): ReturnType<PromptText['shownIn']> {
    return look.box === undefined ? undefined : this.#text.shownIn(this.#linesOf(look));
  }

  /** Without the question of a line that the kernel edits. */
  #linesOf({ box }: PromptLook): readonly string[] {
    const lines = box?.lines ?? [];
    const [first = '', ...rest] = lines;
    return this.#prefix !== '' && first.startsWith(this.#prefix) ? [first.slice(this.#prefix.length), ...rest] : lines;
  }

  #follow(look: PromptLook): void {
    const text = textIn(look);
    const now = this.#nowMs();
    if (this.#box === undefined) {
      // A screen that has not changed for long showed the same before the first look.
      this.#box = { text, sinceMs: this.#terminal.detectors.lastBytesAtMs };
    } else if (text === this.#box.text) {
      this.#next = undefined;
    } else if (this.#next === undefined || this.#next.text !== text) {
      this.#next = { text, sinceMs: now };
    } else if (now - this.#next.sinceMs >= DRAWN_MS) {
      [this.#box, this.#next] = [this.#next, undefined];
    }
  }

  #stands(ms: number): boolean {
    return this.#box?.text !== undefined && this.#nowMs() - this.#box.sinceMs >= ms;
  }

  #countRead(): void {
    const bytes = this.#counts?.bytes;
    if (this.#seenMs === null && bytes !== undefined && bytes >= this.#bytes) this.#seenMs = this.#sinceWritten();
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
    return last === undefined ? Infinity : this.#terminal.parts.clock.wallNow() - last.ts;
  }

  get #hasEnded(): boolean {
    return !this.#terminal.alive || this.#terminal.generation !== this.#generation;
  }

  async #pause(): Promise<void> {
    const { clock } = this.#terminal.parts;
    await until<void>(this.#signal, ({ resolve }, scope) => {
      scope.add(clock.after(LOOK_MS, () => resolve()));
    });
  }

  /** The same, ended by an interrupt. */
  async #pauseIn(writer: InputWriter): Promise<void> {
    await writer.pause(LOOK_MS / 2);
    this.#signal.throwIfAborted();
  }

  #nowMs(): number {
    return this.#terminal.parts.clock.now();
  }

  #leftMs(): number {
    return this.#startMs + this.#params.timeout_ms - this.#nowMs();
  }

  #sinceWritten(): number {
    return Math.round(this.#nowMs() - (this.#writtenAtMs ?? this.#nowMs()));
  }

  #receipt(outcome: DeliveryOutcome): Receipt {
    const isEntered = this.#submittedMs !== null;
    const isWritten = this.#writtenAtMs !== undefined;
    const entry = this.#question?.entry;
    const { knowsBox } = this.#looks;
    const { id } = this.#terminal;
    const hint = hintFor({ id, outcome, isEntered, isWritten, entry, knowsBox, isShell: this.#isShell });
    return {
      outcome,
      delivered: {
        seen_ms: this.#seenMs,
        shown_ms: this.#shownMs,
        submitted_ms: this.#submittedMs,
        proof: this.#proof,
        tries: this.#tries,
      },
      written: isWritten,
      while_working: this.#whileWorking,
      ...(this.#question === undefined || outcome === 'submitted' ? {} : { question: this.#question }),
      inputs: this.#terminal.input.inputs,
      elapsed_ms: Math.round(this.#nowMs() - this.#startMs),
      ...(this.#removed > 0 ? { removed: this.#removed } : {}),
      tail: outcome === 'submitted' ? [] : this.#tail(),
      ...(hint === undefined ? {} : { hint }),
    };
  }

  #tail(): string[] {
    const rows = this.#terminal.snapshot().lines.map((row) => rowText(row).trimEnd());
    return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1).slice(-TAIL_ROWS);
  }
}

function textIn({ box }: PromptLook): string | undefined {
  return box?.lines.join('\n');
}
