/**
 * A screen whose lines are read as they are printed: above the viewport they are final. What erases its scrollback for others
 * (CSI 3 J) leaves it here, and before a reset its owner reads what there is.
 */
import { PastScreen } from './past-screen.js';
import type { Emulator } from './xterm/emulator.js';

export class PrintedScreen extends PastScreen {
  /** Called before a reset (RIS), in the middle of a parse. */
  onReset: () => void = () => {};

  constructor(size: { readonly cols: number; readonly rows: number }, scrollback: number) {
    super(size, scrollback);
    const emulator: Emulator = this.emulator;
    emulator.onCsi({ final: 'J' }, ([part]) => part === ERASE_SCROLLBACK);
    emulator.onEsc({ final: 'c' }, () => {
      this.onReset();
      return false;
    });
  }

  /** Lasting number of the line of the cursor, and whether there is something before it in its row. */
  get cursor(): { readonly line: number; readonly isWithin: boolean } {
    const { x, y } = this.emulator.buffer;
    return { line: this.lineNumbers.shownNumberOf(y), isWithin: x > 0 };
  }
}

const ERASE_SCROLLBACK = 3;
