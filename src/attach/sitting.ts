/** A person sits at their terminal, from its first frame until it is as it was. */
import { OuterTty } from './outer-tty.js';

/** What the person has before them. */
export interface Seat {
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
export async function sitAt<End>(seatOf: (sitting: Sitting<End>) => Seat): Promise<End> {
  let seat: Seat | undefined;
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
