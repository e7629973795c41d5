/**
 * Answers that the library does not give, or gives wrong: XTVERSION, sizes in pixels, DECSCNM's state, and the settings
 * that DECRQSS asks for (the library always says `0m`).
 *
 * Not answered, on purpose: the title (CSI 21 t) and the clipboard (OSC 52 ?), since they would type what a program put
 * there; XTGETTCAP; the kitty keyboard query (CSI ? u), until its keys are encoded.
 */
import type { Emulator } from './emulator.js';
import { sgrParameters } from './sgr.js';

export interface ReportedSizes {
  readonly cellWidth: number;
  readonly cellHeight: number;
}

const CURSOR_STYLE = { block: 2, underline: 4, bar: 6 } as const;

export class Reports {
  readonly #emulator: Emulator;
  readonly #reply: (bytes: string) => void;

  constructor(emulator: Emulator, version: string, sizes: ReportedSizes, reply: (bytes: string) => void) {
    this.#emulator = emulator;
    this.#reply = reply;
    emulator.onCsi({ prefix: '>', final: 'q' }, ([kind]) => {
      if (kind === 0 || kind === undefined) reply(`\x1bP>|t4a ${version}\x1b\\`);
      return true;
    });
    emulator.onCsi({ final: 't' }, ([operation, detail]) => this.#reportSize(sizes, operation, detail));
    emulator.onDcs({ intermediates: '$', final: 'q' }, (setting) => this.#reportSetting(setting));
  }

  #reportSize({ cellWidth, cellHeight }: ReportedSizes, operation: unknown, detail: unknown): boolean {
    const { cols, rows } = this.#emulator.terminal;
    // 14;2 asks for the window, which has no frame here: the same pixels.
    if (operation === 14 && (detail === undefined || detail === 0 || detail === 2)) {
      this.#reply(`\x1b[4;${rows * cellHeight};${cols * cellWidth}t`);
      return true;
    }
    if (operation !== 16) return false;
    this.#reply(`\x1b[6;${cellHeight};${cellWidth}t`);
    return true;
  }

  #reportSetting(setting: string): boolean {
    const { coreService, _inputHandler } = this.#emulator.internals;
    if (setting === 'm') {
      this.#reply(`\x1bP1$r${sgrParameters(_inputHandler._curAttrData)}m\x1b\\`);
      return true;
    }
    if (setting !== ' q') return false;
    const { cursorStyle, cursorBlink } = coreService.decPrivateModes;
    const blink = cursorBlink ?? this.#emulator.terminal.options.cursorBlink ?? false;
    this.#reply(`\x1bP1$r${CURSOR_STYLE[cursorStyle ?? 'block'] - (blink ? 1 : 0)} q\x1b\\`);
    return true;
  }
}
