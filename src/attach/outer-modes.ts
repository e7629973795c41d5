/**
 * The modes of a person's terminal: those that the program has set in its own, as far as the bytes of keys depend on
 * them. Pure.
 */
import type { MirrorCursor, MirrorState } from '../mirror/mirror.js';

type Modes = MirrorState['modes'];

/** The alternate screen without wrapping; pastes always have marks, so that a leader in one is not taken for a key. */
const ENTER = '\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[?25l';

/** Everything that an attached terminal may have, switched off; the cursor gets its default shape. */
const LEAVE = `\x1b[?2026l\x1b[0m\x1b[?1l\x1b>\x1b[?67l\x1b[?1004l\x1b[?2004l\x1b[0 q\x1b[?7h\x1b[?25h`;
const LEAVE_SCREEN = '\x1b[?1049l';

const KITTY_PUSH = '\x1b[>0u';
const KITTY_POP = '\x1b[<u';

/** Flags of the kitty protocol, and the answer that every terminal has (DA1), after which no other is to be expected. */
export const QUESTIONS = '\x1b[?u\x1b[c';
/** DA1: its answer comes after all that was sent before. */
export const FENCE = '\x1b[c';

const SWITCHES: readonly (readonly [mode: string, on: string, off: string])[] = [
  ['application_cursor', '\x1b[?1h', '\x1b[?1l'],
  ['application_keypad', '\x1b=', '\x1b>'],
  ['backarrow', '\x1b[?67h', '\x1b[?67l'],
  ['focus_reporting', '\x1b[?1004h', '\x1b[?1004l'],
];

const SHAPES: Readonly<Record<MirrorCursor['shape'], number>> = { block: 2, underline: 4, bar: 6 };

export class OuterModes {
  readonly #on = new Set<string>();
  #shape = '';
  #hasKitty = false;
  #kittyFlags = 0;

  /** Of a terminal that is entered, for the first time or again. */
  enter(): string {
    this.#on.clear();
    this.#shape = '';
    this.#kittyFlags = 0;
    return `${ENTER}${this.#hasKitty ? KITTY_PUSH : ''}`;
  }

  /** The terminal has answered the question for the kitty protocol. */
  useKitty(): string {
    if (this.#hasKitty) return '';
    this.#hasKitty = true;
    return KITTY_PUSH;
  }

  leave(): string {
    // Before the screen is left: each screen has a stack of its own.
    return `${this.#hasKitty ? KITTY_POP : ''}${LEAVE}${LEAVE_SCREEN}`;
  }

  /** What makes the terminal's modes those of the program. @param modes empty while the keyboard is attach's own */
  follow(modes: Modes, cursor: Pick<MirrorCursor, 'shape' | 'blink'>): string {
    let changes = '';
    for (const [mode, on, off] of SWITCHES) {
      const isOn = modes[mode] === true;
      if (isOn === this.#on.has(mode)) continue;
      changes += isOn ? on : off;
      if (isOn) this.#on.add(mode);
      else this.#on.delete(mode);
    }
    const shape = `\x1b[${SHAPES[cursor.shape] - (cursor.blink ? 1 : 0)} q`;
    if (shape !== this.#shape) changes += this.#shape = shape;
    const flags = Number(modes['kitty_flags'] ?? 0);
    if (this.#hasKitty && flags !== this.#kittyFlags) {
      this.#kittyFlags = flags;
      changes += `\x1b[=${flags};1u`;
    }
    return changes;
  }
}
