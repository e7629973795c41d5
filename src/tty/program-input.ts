/**
 * What a person types on its way to the program of one terminal: keys, pastes, the mouse and the focus, in their order. A
 * first key takes control; what is refused is dropped with all that waits behind it, and never sent later.
 */
import type { DaemonConnection } from '../client/connection.js';
import type { Hold } from '../mirror/hold.js';
import { isHeld, withinMs } from './hold.js';
import { InputLine } from './input-line.js';
import type { MouseFields } from './mouse-report.js';

export interface ProgramInputOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  readonly hold: Hold;
  /** Takes control, if that is needed. @throws T4aError control_held */
  take(): Promise<void>;
  /** Another name has control: keys were dropped. */
  onHeld(): void;
  onError(error: unknown): void;
}

type Act = { readonly mouse: MouseFields } | { readonly focused: boolean };

/** Longest wait for what is on its way, when the person leaves. */
const DONE_MS = 500;

const FOCUS_REPORT = /^\x1b\[([IO])$/; // oxlint-disable-line no-control-regex

export class ProgramInput {
  readonly #options: ProgramInputOptions;
  readonly #line: InputLine<Act>;
  /** The rest of a paste whose beginning was refused is refused, too. */
  #paste: 'none' | 'sent' | 'refused' = 'none';

  constructor(options: ProgramInputOptions) {
    this.#options = options;
    this.#line = new InputLine({
      send: async (bytes) => {
        await options.take();
        await this.#send(bytes);
      },
      // What is stuck may be another's input, which a take waits for.
      interrupt: (bytes) => this.#send(bytes),
      act: (act) => this.#act(act),
      onError: (error) => (isHeld(error) ? this.#held() : options.onError(error)),
    });
  }

  /** @returns false if too much waits already: nothing of it is sent */
  type(bytes: string): boolean {
    return this.#paste === 'refused' || this.#line.push(bytes);
  }

  /** @param mark as the terminal sent it; undefined if the program has not asked for marks */
  beginPaste(mark: string | undefined): boolean {
    this.#paste = 'sent';
    return mark === undefined || this.#line.push(mark);
  }

  endPaste(mark: string | undefined): boolean {
    const isSent = this.#paste === 'sent';
    this.#paste = 'none';
    return !isSent || mark === undefined || this.#line.push(mark);
  }

  /** A mouse that only moves takes nothing. */
  mouse(fields: MouseFields): void {
    if (!isIdle(fields) || !this.#options.hold.isOthers) this.#line.pushAct({ mouse: fields });
  }

  /** @param report as the terminal sends it @returns false if it is none */
  focus(report: string): boolean {
    const direction = FOCUS_REPORT.exec(report)?.[1];
    if (direction !== undefined && !this.#options.hold.isOthers) this.#line.pushAct({ focused: direction === 'I' });
    return direction !== undefined;
  }

  /** Drops what waits. */
  clear(): void {
    this.#line.clear();
    if (this.#paste === 'sent') this.#paste = 'refused';
  }

  /** Resolves once the terminal has what is on its way, unless its program does not read. */
  done(): Promise<void> {
    return withinMs(DONE_MS, this.#line.done());
  }

  async #send(bytes: Buffer): Promise<void> {
    const { connection, id } = this.#options;
    await connection.call('send', { id, input_base64: bytes.toString('base64') });
  }

  async #act(act: Act): Promise<void> {
    const { connection, id, hold } = this.#options;
    const isQuiet = 'focused' in act || isIdle(act.mouse);
    if (isQuiet && hold.isOthers) return;
    if (!isQuiet) await this.#options.take();
    await ('focused' in act
      ? connection.call('focus', { id, focused: act.focused })
      : connection.call('mouse', { id, ...act.mouse }));
  }

  #held(): void {
    this.clear();
    this.#options.onHeld();
  }
}

function isIdle({ action, button }: MouseFields): boolean {
  return action === 'move' && button === undefined;
}
