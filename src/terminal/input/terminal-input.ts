/**
 * All input of a terminal's clients: the queue of requests, their writes, interrupts that overtake them, who sent it, and
 * the one place that refuses it while another name has control.
 */
import type { Clock } from '../../base/clock.js';
import { T4aError } from '../../protocol/errors.js';
import { checkInputs, checkNoHold, type InputGate, type InputSender } from './input-gate.js';
import { InputQueue } from './queue.js';
import type { Interrupt } from './interrupts.js';
import { discardKernelInput } from './kernel.js';
import { countBytes, type SentInput, SentInputs } from './sent-inputs.js';
import { UnendedLine } from './unended-line.js';
import { type Abandonable, InputBlockedError, InputInterruptedError } from '../pty/writer.js';
import { sendSignal } from '../system/processes.js';
import type { PtyPart } from '../pty/pty.js';
import type { Stty } from '../system/stty.js';
import { readTermios } from '../system/termios.js';

/** The part of a terminal that its input needs. */
export interface InputOwner {
  readonly id: string;
  readonly alive: boolean;
  readonly foregroundGroup: number;
  exitedError(): T4aError;
  /** Learns of the bytes before they are written. */
  readonly feed: { input(bytes: Uint8Array, isSecret?: boolean): void };
}

const NO_BYTES = new Uint8Array();
const NOT_A_PASTE: Abandonable = { openBytes: 0, closeBytes: 0 };

/** The inputs of clients so far, for another process. */
export interface FrozenInput {
  readonly count: number;
  /** The latest, oldest first. */
  readonly sent: readonly SentInput[];
}

export class TerminalInput {
  readonly #owner: InputOwner;
  readonly #pty: PtyPart;
  readonly #stty: Stty;
  readonly #queue: InputQueue;
  /** Waited for before each write that is no secret: see recording/shown-input.ts. */
  beforeWrite: (() => Promise<void>) | undefined;
  readonly #sent: SentInputs;
  readonly #writes: Writes = {
    before: () => this.beforeWrite?.(),
    begin: (sender) => {
      // Counted are inputs that a program may have read.
      if (!this.#owner.alive) throw this.#owner.exitedError();
      return this.#keep(sender);
    },
    write: (sender, bytes, abandonable, signal) => {
      if (sender !== undefined) this.gate?.onWrite(sender, bytes);
      return this.#write(bytes, sender?.secret === true, abandonable, signal);
    },
    pause: (ms, signal) => this.#queue.pause(ms, signal),
    inputs: () => this.#inputs,
  };
  #inputs = 0;
  readonly #line = new UnendedLine();
  /** Set with the first request for control. */
  gate: InputGate | undefined;

  constructor(owner: InputOwner, pty: PtyPart, { clock, stty }: { readonly clock: Clock; readonly stty: Stty }) {
    this.#owner = owner;
    this.#pty = pty;
    this.#stty = stty;
    this.#sent = new SentInputs(clock);
    this.#queue = new InputQueue(clock);
  }

  /** Written, and not yet taken by the kernel. */
  get pendingBytes(): number {
    return this.#pty.pendingInputBytes;
  }

  /** Bytes of the line that was begun and not ended. */
  get unendedBytes(): number {
    return this.#line.bytes;
  }

  /** The latest inputs of clients, oldest first. */
  get sent(): { readonly inputs: readonly SentInput[]; readonly dropped: number } {
    return this.#sent.shown;
  }

  /** Input requests of everybody so far, a change of the size included. */
  get inputs(): number {
    return this.#inputs;
  }

  /** The inputs that were written. */
  freeze(): FrozenInput {
    return { count: this.#inputs, sent: this.sent.inputs };
  }

  restore({ count, sent }: FrozenInput): void {
    this.#inputs = count;
    this.#sent.restore(sent);
  }

  /** Whether input of a client is being written, or waits for its turn. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  /** Inputs of requests that are being written, or wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Checked when a request comes. @param sender undefined: t4a itself @throws T4aError control_held, not_holder */
  admit(sender: InputSender | undefined): void {
    if (sender === undefined) return;
    sender.assertRight?.();
    if (this.gate === undefined) checkNoHold(this.#owner.id, sender);
    else this.gate.admit(sender);
  }

  /** Checked again when its turn has come: earlier ones count by then. @throws T4aError also others_typed */
  #admitNow(sender: InputSender | undefined): void {
    this.admit(sender);
    if (sender !== undefined && sender.isRest !== true) checkInputs(this.#owner.id, sender, this.#inputs);
  }

  /**
   * An input that is no bytes: a change of the size.
   * @returns `inputs` with it @throws T4aError control_held, not_holder, others_typed
   */
  countOther(sender: InputSender): number {
    this.#admitNow(sender);
    this.gate?.onWrite(sender, NO_BYTES);
    return ++this.#inputs;
  }

  /**
   * Runs `act` after all earlier input. @param bytes estimate of the memory that it holds while it waits
   * @throws T4aError control_held, not_holder at once; also later, as a rejection, as are others_typed and the errors of `act`
   */
  take<T>(bytes: number, act: (writer: InputWriter) => Promise<T>, sender?: InputSender): Promise<T> {
    this.admit(sender);
    const write = async (own: AbortSignal): Promise<T> => {
      const { gone } = sender ?? {};
      gone?.throwIfAborted();
      this.#admitNow(sender);
      return gone === undefined
        ? act(new RequestWriter(this.#writes, own, sender))
        : this.#whileThere(gone, new RequestWriter(this.#writes, AbortSignal.any([own, gone]), sender), act);
    };
    return this.#queue.take(bytes, write, sender?.connection);
  }

  /** Input of a client that came by a door ends with that client. */
  async #whileThere<T>(gone: AbortSignal, writer: RequestWriter, act: (writer: InputWriter) => Promise<T>): Promise<T> {
    const abandon = (): void => this.#pty.abandonInput();
    gone.addEventListener('abort', abandon);
    try {
      return await act(writer);
    } catch (error) {
      throw writer.isCut(error) ? withProgress(error, writer.progress) : error;
    } finally {
      gone.removeEventListener('abort', abandon);
    }
  }

  /** Resolves once no request is between its first and its last write. */
  betweenRequests(): Promise<void> {
    return this.#queue.between();
  }

  /** The request that is being written fails with `reason`, as do those that wait; a begun paste is closed. */
  cutShort(reason: T4aError): void {
    this.#queue.interrupt(reason);
    this.#pty.abandonInput();
  }

  /** Overtakes all other input. @param bytes encoding of the key @returns `inputs` with it */
  async interrupt(bytes: Uint8Array, key: Interrupt, sender?: InputSender): Promise<number> {
    if (!this.#owner.alive) throw this.#owner.exitedError();
    this.#admitNow(sender);
    countBytes(this.#keep(sender), bytes);
    const inputs = this.#inputs;
    if (sender !== undefined) this.gate?.onWrite(sender, bytes);
    await this.#overtake(bytes, key);
    return inputs;
  }

  async #overtake(bytes: Uint8Array, key: Interrupt): Promise<void> {
    this.#queue.interrupt(this.#interrupted());
    this.#owner.feed.input(bytes);
    this.#line.drop();
    const wasBehind = this.#pty.pendingInputBytes > 0;
    const written = this.#pty.interrupt(bytes);
    // Before the first await: acting for the kernel abandons the write, whose rejection would have no handler by then.
    const settled = written.catch(() => {});
    // A full kernel buffer holds the key back, so that the kernel cannot act on it.
    if (this.#pty.pendingInputBytes > 0 && (await this.#actForKernel(key))) return settled;
    await this.#explained(written, bytes.length);
    // Taken, but perhaps into the first of the kernel's buffers while the next one is full: the kernel acts on the key
    // in the next one.
    if (wasBehind && (await this.#dropsInput(key))) await discardKernelInput(this.#pty.device);
  }

  #keep(sender: InputSender | undefined): SentInput | undefined {
    if (sender === undefined) return undefined;
    if (sender.isRest !== true) this.#inputs++;
    return this.#sent.keep(sender);
  }

  async #dropsInput({ character, byte }: Interrupt): Promise<boolean> {
    const termios = await readTermios(this.#stty, this.#pty.device);
    const isActedOn = termios?.flags['isig'] === true && termios.characters[character]?.byte === byte;
    return isActedOn && termios.flags['noflsh'] !== true && this.#owner.alive;
  }

  /** Does what the kernel does with the key in cooked mode: drops the input before it, and sends the signal. */
  async #actForKernel({ character, byte, signal }: Interrupt): Promise<boolean> {
    const termios = await readTermios(this.#stty, this.#pty.device);
    if (termios?.flags['isig'] !== true || termios.characters[character]?.byte !== byte) return false;
    if (!this.#owner.alive || this.#pty.pendingInputBytes === 0) return false;
    // Drops the key itself first: it would act a second time.
    this.#pty.abandonInput();
    if (termios.flags['noflsh'] !== true) await discardKernelInput(this.#pty.device);
    sendSignal(-this.#owner.foregroundGroup, signal);
    return true;
  }

  async #write(
    bytes: Uint8Array,
    isSecret: boolean,
    abandonable: Abandonable = NOT_A_PASTE,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.#owner.alive) throw this.#owner.exitedError();
    this.#owner.feed.input(bytes, isSecret);
    this.#line.add(bytes);
    await this.#explained(this.#pty.write(bytes, abandonable), bytes.length, signal);
  }

  async #explained(writing: Promise<void>, length: number, signal?: AbortSignal): Promise<void> {
    const { id } = this.#owner;
    try {
      await writing;
    } catch (error) {
      const reason: unknown = signal?.reason;
      if (reason instanceof T4aError && reason.code === 'control_held') throw reason;
      if (error instanceof InputInterruptedError) throw this.#interrupted(error.written, length);
      if (!(error instanceof InputBlockedError)) throw error;
      if (!this.#owner.alive) throw this.#owner.exitedError();
      throw new T4aError(
        'input_blocked',
        `Terminal "${id}" took ${error.written} of ${length} bytes; its program does not read.`,
        { hint: `t4a screenshot ${id}` },
      );
    }
  }

  #interrupted(written?: number, length?: number): T4aError {
    const { id } = this.#owner;
    const sent = written === undefined ? 'no more of it was sent' : `${written} of ${length} bytes were sent`;
    return new T4aError('input_interrupted', `An interrupt overtook the input to terminal "${id}": ${sent}.`, {
      hint: `t4a screenshot ${id}`,
    });
  }
}

/** The error with the amount that was typed. */
function withProgress(error: T4aError, progress: string | undefined): T4aError {
  return progress === undefined
    ? error
    : new T4aError(error.code, `${error.message} Typed before: ${progress}.`, error.details);
}

export interface InputWriter {
  /** @throws T4aError terminal_exited, input_blocked, input_interrupted */
  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void>;
  /** @throws T4aError input_interrupted */
  pause(ms: number): Promise<void>;
  /** `inputs` of the terminal after the first write of this request; before it, as it is. */
  inputs(): number;
}

/** What a request does by its writer, the same for all requests of a terminal. */
interface Writes {
  /** To be waited for before a write that is no secret; undefined: nothing. */
  before(): Promise<void> | undefined;
  /** Before the first write. */
  begin(sender: InputSender | undefined): SentInput | undefined;
  write(
    sender: InputSender | undefined,
    bytes: Uint8Array,
    abandonable: Abandonable | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  pause(ms: number, signal: AbortSignal): Promise<void>;
  inputs(): number;
}

/** One object a request, and nothing else while no name has control. */
class RequestWriter implements InputWriter {
  readonly #writes: Writes;
  readonly #signal: AbortSignal;
  readonly #sender: InputSender | undefined;
  #sent: SentInput | undefined;
  /** Set with the first write. */
  #inputs: number | undefined;
  #bytes = 0;
  #over: unknown;

  constructor(writes: Writes, signal: AbortSignal, sender: InputSender | undefined) {
    this.#writes = writes;
    this.#signal = signal;
    this.#sender = sender;
  }

  async write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void> {
    this.#signal.throwIfAborted();
    // A secret is written in the step in which it was found to be hidden.
    const before = this.#sender?.secret === true ? undefined : this.#writes.before();
    if (before !== undefined) {
      await before;
      this.#signal.throwIfAborted();
    }
    // Order: in the same step as the write.
    this.#assertRight();
    if (this.#inputs === undefined) {
      this.#sent = this.#writes.begin(this.#sender);
      this.#inputs = this.#writes.inputs();
    }
    countBytes(this.#sent, bytes);
    await this.#writes.write(this.#sender, bytes, abandonable, this.#signal);
    this.#bytes += bytes.length;
  }

  /** Errors that end an input before all of it is typed: the client has gone, or has no right any more. */
  isCut(error: unknown): error is T4aError {
    return error instanceof T4aError && (error === this.#over || error === this.#signal.reason);
  }

  /** Amount that was typed; undefined for nothing. */
  get progress(): string | undefined {
    return this.#bytes === 0 ? undefined : (this.#sender?.progress?.() ?? `${this.#bytes} bytes`);
  }

  #assertRight(): void {
    try {
      this.#sender?.assertRight?.();
    } catch (error) {
      this.#over = error;
      throw error;
    }
  }

  pause(ms: number): Promise<void> {
    return this.#writes.pause(ms, this.#signal);
  }

  inputs(): number {
    return this.#inputs ?? this.#writes.inputs();
  }
}
