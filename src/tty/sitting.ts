/** A person sits at their terminal, from its first frame until it is as it was. */
import { realpathSync } from 'node:fs';
import type { DaemonConnection } from '../client/connection.js';
import { OuterTty } from './outer-tty.js';

/** Application that the person has before them. */
export interface SeatedApp {
  /** @param bytes characters of latin1 */
  keys(bytes: string): void;
  /** All has to be drawn again. */
  redraw(): void;
  /** The terminal has to be left. @param status exit status */
  left(status: number): void;
  /** Once the terminal is entered. */
  start(): void;
  /** Once it is left. */
  dispose(): Promise<void>;
}

export interface Sitting<End> {
  readonly tty: OuterTty;
  /** Called once. */
  readonly end: (end: End) => void;
  readonly fail: (error: unknown) => void;
}

/** Resolves once the person's terminal is as it was. @throws the error that the seat failed with */
export async function sitAt<End>(seatOf: (sitting: Sitting<End>) => SeatedApp): Promise<End> {
  let seat: SeatedApp | undefined;
  let tty: OuterTty | undefined;
  try {
    return await new Promise<End>((resolve, reject) => {
      tty = new OuterTty({
        onInput: (bytes) => seat?.keys(bytes),
        onRedraw: () => seat?.redraw(),
        onEnd: (status) => seat?.left(status),
        onCrash: reject,
      });
      seat = seatOf({ tty, end: resolve, fail: reject });
      tty.enter();
      seat.start();
    });
  } finally {
    // Answers still come through the keyboard of the seat.
    await tty?.leave();
    await seat?.dispose();
  }
}

/** The terminal that this runs in, if a daemon of this machine made it. */
export interface Within {
  readonly terminal: string;
  readonly socketPath: string | undefined;
}

/** @returns the terminal that this runs in, if it is one of that daemon */
export function ownTerminalOf(within: Within | undefined, { socketPath }: DaemonConnection): string | undefined {
  const isSame = within?.socketPath === undefined || realPath(within.socketPath) === realPath(socketPath);
  return isSame ? within?.terminal : undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
