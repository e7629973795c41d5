/**
 * Modes that the program has set: the library's own, and those that the library ignores but input or pictures depend on
 * (DECSCNM, DECBKM, UTF-8 and urxvt mouse reports, XTMODKEYS, the kitty keyboard stack).
 */
import type { Emulator } from './xterm/emulator.js';
import type { SequenceParams } from './xterm/patch-target.js';
import type {
  InputModeName,
  ModeChanges,
  ModesMoment,
  MouseEncoding,
  MouseTracking,
  ScreenModes,
} from './input-modes.js';
import { type FrozenKittyStacks, KittyKeyboardStack } from './keys/kitty-stack.js';
import { modifyOtherKeysLevel } from './keys/modify-other-keys.js';

export interface FrozenModes {
  readonly changes: ModeChanges;
  readonly kitty: FrozenKittyStacks;
  readonly mouseEncoding: MouseEncoding;
  readonly modifyOtherKeys: 0 | 1 | 2;
  readonly backarrow: boolean;
  readonly reverseScreen: boolean;
}

const MOUSE_TRACKING: Readonly<Record<string, MouseTracking>> = {
  x10: 'x10',
  vt200: 'normal',
  drag: 'button',
  any: 'any',
};
const MOUSE_ENCODING: Readonly<Record<number, MouseEncoding>> = {
  1005: 'utf8',
  1006: 'sgr',
  1015: 'urxvt',
  1016: 'sgr-pixels',
};
const CHANGED_BY: Readonly<Record<number, InputModeName>> = {
  1: 'applicationCursor',
  9: 'mouseTracking',
  66: 'applicationKeypad',
  67: 'backarrow',
  1000: 'mouseTracking',
  1002: 'mouseTracking',
  1003: 'mouseTracking',
  1004: 'focusReporting',
  2004: 'bracketedPaste',
};
const NO_CHANGES: ModeChanges = {
  applicationCursor: 0,
  applicationKeypad: 0,
  modifyOtherKeys: 0,
  kittyFlags: 0,
  bracketedPaste: 0,
  mouseTracking: 0,
  focusReporting: 0,
  backarrow: 0,
};
const DECSCNM = 5;
const DECBKM = 67;
const MODE_SET = 1;
const MODE_RESET = 2;
/** Characters of several code points are one grapheme, always: https://github.com/contour-terminal/terminal-unicode-core */
const GRAPHEME_CLUSTERING = 2027;
const MODE_PERMANENTLY_SET = 3;

export class ProgramModes {
  readonly #emulator: Emulator;
  readonly #reply: (bytes: string) => void;
  readonly #kitty = new KittyKeyboardStack();
  #mouseEncoding: MouseEncoding = 'default';
  #modifyOtherKeys: 0 | 1 | 2 = 0;
  #backarrow = false;
  #reverseScreen = false;
  readonly #changes: Record<InputModeName, number> = { ...NO_CHANGES };

  constructor(emulator: Emulator, reply: (bytes: string) => void) {
    this.#emulator = emulator;
    this.#reply = reply;
    emulator.onCsi({ prefix: '?', final: 'h' }, (modes) => this.#set(modes, true));
    emulator.onCsi({ prefix: '?', final: 'l' }, (modes) => this.#set(modes, false));
    emulator.onCsi({ prefix: '?', intermediates: '$', final: 'p' }, ([mode]) => this.#report(mode));
    emulator.onCsi({ prefix: '>', final: 'm' }, (params) => this.#setKeyModifiers(params, 'm'));
    emulator.onCsi({ prefix: '>', final: 'n' }, (params) => this.#setKeyModifiers(params, 'n'));
    emulator.onEsc({ final: 'c' }, () => this.#reset());
    for (const final of ['=', '>']) emulator.onEsc({ final }, () => this.#noteChange('applicationKeypad'));
    emulator.terminal.buffer.onBufferChange(() => this.#kitty.useScreen(emulator.altScreen ? 'alternate' : 'main'));
    this.#registerKittyKeyboard();
  }

  get synchronizedOutput(): boolean {
    return this.#emulator.terminal.modes.synchronizedOutputMode;
  }

  get reverseScreen(): boolean {
    return this.#reverseScreen;
  }

  moment(): ModesMoment {
    return { modes: this.current(), changes: { ...this.#changes } };
  }

  current(): ScreenModes {
    const modes = this.#emulator.terminal.modes;
    return {
      applicationCursor: modes.applicationCursorKeysMode,
      applicationKeypad: modes.applicationKeypadMode,
      modifyOtherKeys: this.#modifyOtherKeys,
      kittyFlags: this.#kitty.current,
      bracketedPaste: modes.bracketedPasteMode,
      mouseTracking: MOUSE_TRACKING[modes.mouseTrackingMode] ?? 'none',
      mouseEncoding: this.#mouseEncoding,
      focusReporting: modes.sendFocusMode,
      backarrow: this.#backarrow,
      altScreen: this.#emulator.altScreen,
      reverseScreen: this.#reverseScreen,
      cursorVisible: !this.#emulator.internals.coreService.isCursorHidden,
      origin: modes.originMode,
      wraparound: modes.wraparoundMode,
      reverseWraparound: modes.reverseWraparoundMode,
      insert: modes.insertMode,
      synchronizedOutput: modes.synchronizedOutputMode,
    };
  }

  /** The modes that the library does not have. */
  freeze(): FrozenModes {
    return {
      changes: { ...this.#changes },
      kitty: this.#kitty.freeze(),
      mouseEncoding: this.#mouseEncoding,
      modifyOtherKeys: this.#modifyOtherKeys,
      backarrow: this.#backarrow,
      reverseScreen: this.#reverseScreen,
    };
  }

  restore(frozen: FrozenModes): void {
    Object.assign(this.#changes, frozen.changes);
    this.#kitty.restore(frozen.kitty);
    this.#mouseEncoding = frozen.mouseEncoding;
    this.#modifyOtherKeys = frozen.modifyOtherKeys;
    this.#backarrow = frozen.backarrow;
    this.#reverseScreen = frozen.reverseScreen;
  }

  /** Returns false: the library sets its own modes from the same sequence. */
  #set(modes: SequenceParams, on: boolean): boolean {
    for (const mode of modes) {
      if (typeof mode !== 'number') continue;
      if (mode === DECSCNM) this.#reverseScreen = on;
      if (mode === DECBKM) this.#backarrow = on;
      const changed = CHANGED_BY[mode];
      if (changed !== undefined) this.#changes[changed]++;
      const encoding = MOUSE_ENCODING[mode];
      if (encoding !== undefined) this.#mouseEncoding = on ? encoding : 'default';
    }
    return false;
  }

  /** Returns false: the library acts on the sequence as well. */
  #noteChange(name: InputModeName): false {
    this.#changes[name]++;
    return false;
  }

  #report(mode: SequenceParams[number] | undefined): boolean {
    if (typeof mode !== 'number') return false;
    if (mode === GRAPHEME_CLUSTERING) {
      this.#reply(`\x1b[?${mode};${MODE_PERMANENTLY_SET}$y`);
      return true;
    }
    const encoding = MOUSE_ENCODING[mode];
    let on: boolean;
    if (mode === DECSCNM) on = this.#reverseScreen;
    else if (mode === DECBKM) on = this.#backarrow;
    else if (encoding !== undefined) on = this.#mouseEncoding === encoding;
    else return false;
    this.#reply(`\x1b[?${mode};${on ? MODE_SET : MODE_RESET}$y`);
    return true;
  }

  /** XTMODKEYS; of its resources only modifyOtherKeys (4) changes key encodings here. */
  #setKeyModifiers(params: SequenceParams, final: 'm' | 'n'): boolean {
    // A single 0 means no parameters.
    const given = params.length === 1 && params[0] === 0 ? [] : params.map((param) => plainNumber(param) ?? 0);
    this.#changes.modifyOtherKeys++;
    this.#modifyOtherKeys = modifyOtherKeysLevel(this.#modifyOtherKeys, given, final);
    return true;
  }

  #registerKittyKeyboard(): void {
    const act = (prefix: string, action: (first?: number, second?: number) => void) => {
      this.#emulator.onCsi({ prefix, final: 'u' }, ([first, second]) => {
        if (prefix !== '?') this.#changes.kittyFlags++;
        action(plainNumber(first), plainNumber(second));
        return true;
      });
    };
    act('>', (flags) => this.#kitty.push(flags));
    act('<', (count) => this.#kitty.pop(count));
    act('=', (flags, mode) => this.#kitty.set(flags, mode || 1));
    act('?', () => this.#reply(this.#kitty.report()));
  }

  /** RIS. The library does not restore the cursor's visibility and blinking. */
  #reset(): boolean {
    this.#kitty.reset();
    this.#mouseEncoding = 'default';
    this.#modifyOtherKeys = 0;
    this.#backarrow = false;
    this.#reverseScreen = false;
    this.#emulator.internals.coreService.isCursorHidden = false;
    this.#emulator.terminal.options.cursorBlink = false;
    return false;
  }
}

function plainNumber(param: SequenceParams[number] | undefined): number | undefined {
  return typeof param === 'number' ? param : undefined;
}
