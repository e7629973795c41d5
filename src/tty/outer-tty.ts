/**
 * The terminal of the person: raw mode, size, signals, and how it is left. The only file of the room that has the
 * process's streams. It is restored whatever ends the process, except SIGKILL.
 */
import { once } from 'node:events';
import { constants } from 'node:os';
import { FENCE, OuterModes, QUESTIONS } from './outer-modes.js';

export interface OuterListener {
  /** Bytes as characters of latin1. */
  onInput(bytes: string): void;
  /** After a change of the size, and after a stop: all has to be drawn again. */
  onRedraw(): void;
  /** The terminal has to be left. @param status exit status */
  onEnd(status: number): void;
  /** The terminal is left by then. */
  onCrash(error: unknown): void;
}

const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const;

/** Longest wait for the answer to the fence. */
const FENCE_MS = 200;
/** After this time without an answer the terminal has none. */
const SILENT_MS = 2000;

export class OuterTty {
  readonly modes = new OuterModes();
  readonly #listener: OuterListener;
  readonly #undo: (() => void)[] = [];
  #isEntered = false;
  /** Answers to DA1 that are still to come. */
  #unanswered = 0;
  #onAnswered: (() => void) | undefined;
  #enteredAt = 0;

  constructor(listener: OuterListener) {
    this.#listener = listener;
  }

  get cols(): number {
    return Math.max(1, process.stdout.columns || 80);
  }

  get rows(): number {
    return Math.max(1, process.stdout.rows || 24);
  }

  enter(): void {
    this.#listen();
    this.#enteredAt = performance.now();
    this.#unanswered = 1;
    this.#enter(QUESTIONS);
  }

  /** Resolves once the terminal takes more. */
  async write(text: string): Promise<void> {
    if (text === '' || !this.#isEntered || process.stdout.write(text)) return;
    await once(process.stdout, 'drain').catch(() => {
      // The 'error' listener ends the session.
    });
  }

  /** An answer to DA1 has come. */
  answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (this.#unanswered === 0) this.#onAnswered?.();
  }

  /** Leaves, and swallows what the terminal still sends for the modes that it had. */
  async leave(): Promise<void> {
    if (!this.#isEntered) return this.#stopListening();
    // A terminal that has never answered is not waited for.
    if (this.#unanswered === 0 || performance.now() - this.#enteredAt < SILENT_MS) {
      const answered = new Promise<void>((resolve) => {
        this.#onAnswered = resolve;
        setTimeout(resolve, FENCE_MS);
      });
      this.#unanswered++;
      process.stdout.write(`${this.modes.leave()}${FENCE}`);
      this.#isEntered = false;
      await answered;
    }
    this.leaveAtOnce();
  }

  /** Leaves in one step, for the end of the process. */
  leaveAtOnce(): void {
    this.#restore();
    this.#stopListening();
  }

  #enter(more: string): void {
    this.#isEntered = true;
    const { stdin, stdout } = process;
    // After a stop the shell has set modes of its own, and Node holds the raw mode for set: off and on sets it.
    stdin.setRawMode(false).setRawMode(true).resume();
    stdout.write(`${this.modes.enter()}${more}`);
  }

  #restore(): void {
    try {
      if (this.#isEntered) process.stdout.write(this.modes.leave());
      this.#isEntered = false;
      if (process.stdin.isTTY) process.stdin.setRawMode(false);
    } catch {
      // The terminal has gone: there is nothing to restore.
    }
  }

  #listen(): void {
    const { stdin, stdout } = process;
    const onInput = (chunk: Buffer): void => this.#listener.onInput(chunk.toString('latin1'));
    const onGone = (): void => {
      this.leaveAtOnce();
      this.#listener.onEnd(128 + constants.signals.SIGHUP);
    };
    const onResize = (): void => this.#listener.onRedraw();
    const onStop = (): void => {
      this.#restore();
      process.kill(process.pid, 'SIGSTOP');
    };
    const onContinue = (): void => {
      // Stopped by SIGSTOP, without a chance to leave.
      this.#restore();
      this.#enter('');
      this.#listener.onRedraw();
    };
    const onExit = (): void => this.#restore();
    const onError = (error: unknown): void => {
      this.leaveAtOnce();
      this.#listener.onCrash(error);
    };
    stdin.on('data', onInput).on('end', onGone).on('error', onGone);
    stdout.on('resize', onResize).on('error', onGone);
    process.on('SIGHUP', onGone).on('SIGTSTP', onStop).on('SIGCONT', onContinue).on('exit', onExit);
    process.on('uncaughtException', onError).on('unhandledRejection', onError);
    this.#undo.push(() => {
      stdin.off('data', onInput).off('end', onGone).pause();
      stdout.off('resize', onResize);
      process.off('SIGHUP', onGone).off('SIGTSTP', onStop).off('SIGCONT', onContinue).off('exit', onExit);
      process.off('uncaughtException', onError).off('unhandledRejection', onError);
    });
    for (const signal of ENDING_SIGNALS) {
      const onSignal = (): void => this.#listener.onEnd(128 + constants.signals[signal]);
      process.on(signal, onSignal);
      this.#undo.push(() => process.off(signal, onSignal));
    }
  }

  #stopListening(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
