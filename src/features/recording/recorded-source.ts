/** Stands for the pseudoterminal of an opened recording: its output comes from a file, and no process is behind it. */
import { Emitter } from '../../base/emitter.js';
import type { PtyExit, PtyPart } from '../../terminal/pty/pty.js';

export class RecordedSource implements PtyPart {
  /** No process: the system refuses a signal to it, and has no entry for it. */
  readonly pid = Number.NaN;
  readonly device = '';
  readonly onData = new Emitter<Uint8Array>();
  readonly onExit = new Emitter<PtyExit>();
  readonly closed = true;
  readonly pendingInputBytes = 0;
  paused = false;

  acknowledge(): void {}

  holdBack(): void {}

  async catchUp(): Promise<void> {}

  /** Answers to the queries of the recorded program. */
  async write(): Promise<void> {}

  async interrupt(): Promise<void> {}

  abandonInput(): void {}

  resize(): void {}

  hangUp(): void {}
}
