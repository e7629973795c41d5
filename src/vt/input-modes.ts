/**
 * Modes of the keyboard, the mouse and pastes that the program has set: the argument of every input encoder.
 *
 * A plain value, so that an encoder can be tested without a terminal. The screen fills it in; the numbers of the modes
 * are beside the fields.
 */

export type MouseTracking = 'none' | 'x10' | 'normal' | 'button' | 'any';
export type MouseEncoding = 'default' | 'utf8' | 'sgr' | 'sgr-pixels' | 'urxvt';

export interface InputModes {
  /** DECCKM, `CSI ? 1 h`: cursor keys send SS3. */
  readonly applicationCursor: boolean;
  /** DECKPAM `ESC =`, DECKPNM `ESC >`, DECNKM `CSI ? 66 h`: keypad keys send SS3. */
  readonly applicationKeypad: boolean;
  /** XTMODKEYS `CSI > 4 ; n m`. No effect while {@link kittyFlags} is not 0. */
  readonly modifyOtherKeys: 0 | 1 | 2;
  /** Kitty keyboard protocol, 0..31, sum of the `KITTY_…` flags in keys/kitty-stack.ts. */
  readonly kittyFlags: number;
  /** `CSI ? 2004 h`. */
  readonly bracketedPaste: boolean;
  /** `CSI ? 9 h`, 1000, 1002, 1003. Highlight tracking (1001) needs a program's answer and counts as 'none'. */
  readonly mouseTracking: MouseTracking;
  /** `CSI ? 1005 h`, 1006, 1016, 1015. */
  readonly mouseEncoding: MouseEncoding;
  /** `CSI ? 1004 h`. */
  readonly focusReporting: boolean;
  /** DECBKM, `CSI ? 67 h`: Backspace sends BS and Ctrl+Backspace DEL, instead of the other way round. */
  readonly backarrow: boolean;
}

/** Modes after a reset, and those that the terminfo entry xterm-256color assumes before its `smkx`. */
export const DEFAULT_INPUT_MODES: InputModes = {
  applicationCursor: false,
  applicationKeypad: false,
  modifyOtherKeys: 0,
  kittyFlags: 0,
  bracketedPaste: false,
  mouseTracking: 'none',
  mouseEncoding: 'default',
  focusReporting: false,
  backarrow: false,
};

export interface ScreenModes extends InputModes {
  readonly altScreen: boolean;
  /** DECSCNM, `CSI ? 5 h`. */
  readonly reverseScreen: boolean;
  /** DECTCEM, `CSI ? 25 h`. */
  readonly cursorVisible: boolean;
  /** DECOM, `CSI ? 6 h`. */
  readonly origin: boolean;
  /** DECAWM, `CSI ? 7 h`. */
  readonly wraparound: boolean;
  /** `CSI ? 45 h`. */
  readonly reverseWraparound: boolean;
  /** IRM, `CSI 4 h`. */
  readonly insert: boolean;
  /** `CSI ? 2026 h`. */
  readonly synchronizedOutput: boolean;
}

/** Modes that decide the encoding of input, beside the encoding of mouse reports. */
export type InputModeName = Exclude<keyof InputModes, 'mouseEncoding'>;

/** Counts of settings and resets of each, to whatever value: they tell a mode that was set again from one that still is. */
export type ModeChanges = Readonly<Record<InputModeName, number>>;

/** The modes at an instant within a parse. */
export interface ModesMoment {
  readonly modes: ScreenModes;
  readonly changes: ModeChanges;
}
