/**
 * The modes of a person's terminal: those that the program has set in its own, as far as the bytes of keys depend on
 * them. Pure.
 */
import type { MirrorCursor, MirrorState } from '../mirror/mirror.js';
import { cursorShape, kittyFlags, OUTER, OUTER_WITH_VALUE } from '../mirror/outer-sequences.js';

type Modes = MirrorState['modes'];

const {
  alternateScreen,
  bracketedPaste,
  hiddenCursor,
  kittyKeys,
  mouseSgr,
  noAutowrap,
  resetStyle,
  synchronizedUpdate,
} = OUTER;

/** Switches by the names of modes on the wire. */
const SWITCHES = {
  application_cursor: OUTER.applicationCursor,
  application_keypad: OUTER.applicationKeypad,
  backarrow: OUTER.backarrow,
  focus_reporting: OUTER.focusReporting,
} as const;

/** Modes by the value of `mouse_tracking`; x10 is not known to all terminals. */
const MICE = {
  x10: OUTER.mouseNormal,
  normal: OUTER.mouseNormal,
  button: OUTER.mouseButton,
  any: OUTER.mouseAny,
} as const;
type Mouse = (typeof MICE)[keyof typeof MICE];

/** The alternate screen without wrapping; pastes always have marks, so that a leader in one is not taken for a key. */
const ENTER = [alternateScreen, noAutowrap, bracketedPaste, hiddenCursor].map(({ on }) => on).join('');

/** Everything that an attached terminal may have, switched off; the cursor gets its default shape. */
const LEAVE = [
  synchronizedUpdate.off,
  resetStyle.on,
  ...Object.values(SWITCHES).map(({ off }) => off),
  ...[OUTER.mouseNormal, OUTER.mouseButton, OUTER.mouseAny, mouseSgr, bracketedPaste].map(({ off }) => off),
  OUTER_WITH_VALUE.cursorShape.off,
  noAutowrap.off,
  hiddenCursor.off,
].join('');

/** Flags of the kitty protocol, and the answer that every terminal has (DA1), after which no other is to be expected. */
export const QUESTIONS = `${OUTER.askKittyKeys.on}${OUTER.askAttributes.on}`;
/** DA1: its answer comes after all that was sent before. */
export const FENCE = OUTER.askAttributes.on;

const SHAPES: Readonly<Record<MirrorCursor['shape'], number>> = { block: 2, underline: 4, bar: 6 };

export class OuterModes {
  readonly #on = new Set<string>();
  #shape = '';
  #hasKitty = false;
  #kittyFlags = 0;
  #mouse: Mouse | undefined;

  /** Bytes for a terminal that is entered, for the first time or again. */
  enter(): string {
    this.#on.clear();
    this.#shape = '';
    this.#kittyFlags = 0;
    this.#mouse = undefined;
    return `${ENTER}${this.#hasKitty ? kittyKeys.on : ''}`;
  }

  /** The terminal has answered the question for the kitty protocol. */
  useKitty(): string {
    if (this.#hasKitty) return '';
    this.#hasKitty = true;
    return kittyKeys.on;
  }

  leave(): string {
    // Before the screen is left: each screen has a stack of its own.
    return `${this.#hasKitty ? kittyKeys.off : ''}${LEAVE}${alternateScreen.off}`;
  }

  /** Bytes that make the terminal's modes those of the program. @param modes empty while the keyboard is attach's own */
  follow(modes: Modes, cursor: Pick<MirrorCursor, 'shape' | 'blink'>): string {
    let changes = '';
    for (const [mode, { on, off }] of Object.entries(SWITCHES)) {
      const isOn = modes[mode] === true;
      if (isOn === this.#on.has(mode)) continue;
      changes += isOn ? on : off;
      if (isOn) this.#on.add(mode);
      else this.#on.delete(mode);
    }
    const shape = cursorShape(SHAPES[cursor.shape] - (cursor.blink ? 1 : 0));
    if (shape !== this.#shape) changes += this.#shape = shape;
    const tracking = String(modes['mouse_tracking']);
    const mouse = Object.hasOwn(MICE, tracking) ? MICE[tracking as keyof typeof MICE] : undefined;
    if (mouse !== this.#mouse) {
      if (this.#mouse !== undefined) changes += this.#mouse.off;
      changes += mouse === undefined ? mouseSgr.off : `${mouse.on}${mouseSgr.on}`;
      this.#mouse = mouse;
    }
    const flags = Number(modes['kitty_flags'] ?? 0);
    if (this.#hasKitty && flags !== this.#kittyFlags) {
      this.#kittyFlags = flags;
      changes += kittyFlags(flags);
    }
    return changes;
  }
}
