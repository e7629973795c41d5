/** All input of a terminal's clients: the queue of requests, their writes, interrupts that overtake them, and who sent it. */
import type { Clock } from '../../base/clock.js';
import { Ring } from '../../base/ring.js';
import { T4aError } from '../../protocol/errors.js';
import { InputQueue } from './queue.js';
import type { Interrupt } from './interrupts.js';
import { discardKernelInput } from './kernel.js';
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

/** Who sends input, and by which command. */
export interface InputSender {
  readonly cmd: string;
  readonly as?: string | undefined;
  /** Of a secret not even the length is kept. */
  readonly secret?: boolean;
}

/** What is kept of one input; never its content. */
export interface SentInput {
  readonly as: string | null;
  readonly cmd: string;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  bytes: number | null;
}

/** Inputs that are kept of a terminal. */
const MAX_SENT = 200;

export class TerminalInput {
  readonly #owner: InputOwner;
  readonly #pty: PtyPart;
  readonly #stty: Stty;
  readonly #queue: InputQueue;
  readonly #clock: Clock;
  /** Waited for before each write that is no secret: see recording/shown-input.ts. */
  beforeWrite: (() => Promise<void>) | undefined;
  readonly #sent = new Ring<SentInput>(MAX_SENT);

  constructor(owner: InputOwner, pty: PtyPart, { clock, stty }: { readonly clock: Clock; readonly stty: Stty }) {
    this.#owner = owner;
    this.#pty = pty;
    this.#stty = stty;
    this.#clock = clock;
    this.#queue = new InputQueue(clock);
  }

  /** Written, and not yet taken by the kernel. */
  get pendingBytes(): number {
    return this.#pty.pendingInputBytes;
  }

  /** The latest inputs of clients, oldest first. */
  get sent(): { readonly inputs: readonly SentInput[]; readonly dropped: number } {
    return { inputs: [...this.#sent], dropped: this.#sent.dropped };
  }

  /** Runs `act` after all earlier input. @param bytes estimate of the memory that it holds while it waits */
  take<T>(bytes: number, act: (writer: InputWriter) => Promise<T>, sender?: InputSender): Promise<T> {
    let sent: SentInput | undefined;
    return this.#queue.take(bytes, (signal) =>
      act({
        write: async (written, abandonable) => {
          signal.throwIfAborted();
          const isSecret = sender?.secret === true;
          // A secret is written in the step in which it was found to be hidden.
          if (!isSecret && this.beforeWrite !== undefined) await this.beforeWrite();
          signal.throwIfAborted();
          sent ??= this.#keep(sender);
          count(sent, written);
          return this.#write(written, isSecret, abandonable);
        },
        pause: (ms) => this.#queue.pause(ms, signal),
      }),
    );
  }

  /** Overtakes all other input. @param bytes encoding of the key */
  async interrupt(bytes: Uint8Array, key: Interrupt, sender?: InputSender): Promise<void> {
    if (!this.#owner.alive) throw this.#owner.exitedError();
    count(this.#keep(sender), bytes);
    this.#queue.interrupt(this.#interrupted());
    this.#owner.feed.input(bytes);
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
    const { as = null, cmd, secret = false } = sender;
    const sent: SentInput = { as, cmd, ts: this.#clock.wallNow(), bytes: secret ? null : 0 };
    this.#sent.push(sent);
    return sent;
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
    abandonable: Abandonable = { openBytes: 0, closeBytes: 0 },
  ): Promise<void> {
    if (!this.#owner.alive) throw this.#owner.exitedError();
    this.#owner.feed.input(bytes, isSecret);
    await this.#explained(this.#pty.write(bytes, abandonable), bytes.length);
  }

  async #explained(writing: Promise<void>, length: number): Promise<void> {
    const { id } = this.#owner;
    try {
      await writing;
    } catch (error) {
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

function count(sent: SentInput | undefined, { length }: Uint8Array): void {
  if (sent !== undefined && sent.bytes !== null) sent.bytes += length;
}

export interface InputWriter {
  /** @throws T4aError terminal_exited, input_blocked, input_interrupted */
  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void>;
  /** @throws T4aError input_interrupted */
  pause(ms: number): Promise<void>;
}
