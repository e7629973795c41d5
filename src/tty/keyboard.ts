/**
 * What comes from a person's terminal, cut into what it is: input for the program, keys after the leader, pastes, and
 * the terminal's own answers. Pure. Bytes are characters of latin1 here.
 *
 * Input is passed on byte for byte. A sequence that is cut by the end of a read is held until the rest comes, or
 * {@link Keyboard.flush}; a lone Escape never is, unless an answer of the terminal is expected.
 */

export type KeyboardToken =
  | { readonly kind: 'input'; readonly bytes: string }
  /** The leader was pressed: the next key is a command. */
  | { readonly kind: 'leader' }
  /** The key after the leader: a character, or a whole sequence. */
  | { readonly kind: 'command'; readonly key: string }
  /** The mark before or after a paste, as the terminal sent it. */
  | { readonly kind: 'paste'; readonly bytes: string; readonly begins: boolean }
  /** A report of the mouse. */
  | { readonly kind: 'mouse'; readonly bytes: string }
  /** An answer of the terminal. */
  | { readonly kind: 'reply'; readonly bytes: string };

/** Leader of attach: Ctrl+B. */
export const LEADER = '\x02';

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/* oxlint-disable no-control-regex -- sequences begin with Escape */
/** Key of the kitty protocol and of modifyOtherKeys. */
const CODED_KEY = /^\x1b\[(?:(\d+)(?::\d*)*(?:;(\d*)(?::(\d+))?)?(?:;[\d:]*)?u|27;(\d+);(\d+)~)$/;
/** DA1, the flags of the kitty protocol, reports of modes. */
const REPLY = /^\x1b\[\?[\d;]*(?:[cu]|\$y)$/;
const MOUSE = /^\x1b\[<[\d;]+[Mm]$/;
/** A whole sequence: CSI, SS3, or Escape before another character. */
const SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[0-?]*[ -~]|[^[O])/s;
const CUT_SEQUENCE = /^\x1b(?:\[[0-?]+[ -/]*)$/;
const CUT_ESCAPE = /^\x1b[[O]?$/;
/** One character of UTF-8. */
const CHARACTER = /^(?:[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[^])/;
/* oxlint-enable no-control-regex */

/** Caps Lock and Num Lock among the modifiers. */
const LOCKS = 64 | 128;
const CTRL = 4;
const SHIFT = 1;
const RELEASE = '3';
/** Codes of the modifiers as keys of their own. */
const FIRST_MODIFIER_KEY = 57_441;
const LAST_MODIFIER_KEY = 57_454;

export class Keyboard {
  /** Whether an answer of the terminal is expected, which may come in pieces. */
  expectsReply = false;
  #held = '';
  #isAfterLeader = false;
  #isInPaste = false;
  #leader: string;

  /** @param leader a control character */
  constructor(leader = LEADER) {
    this.#leader = leader;
  }

  /**
   * Takes another leader from the next bytes on; a key that was to follow the one before is input. @param leader a control
   * character
   */
  useLeader(leader: string): void {
    this.#leader = leader;
    this.#isAfterLeader = false;
  }

  /** Whether bytes are held. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  push(bytes: string): KeyboardToken[] {
    let rest = this.#held + bytes;
    this.#held = '';
    const tokens = new Tokens();
    while (rest !== '') {
      const length = this.#isInPaste ? this.#takePaste(rest, tokens) : this.#takeKey(rest, tokens);
      if (length === 0) {
        this.#held = rest;
        break;
      }
      rest = rest.slice(length);
    }
    return tokens.all;
  }

  /** Gives what was held as it is: its rest has not come. */
  flush(): KeyboardToken[] {
    const bytes = this.#held;
    this.#held = '';
    if (bytes === '') return [];
    const isCommand = this.#isAfterLeader && !this.#isInPaste;
    this.#isAfterLeader &&= !isCommand;
    return [isCommand ? { kind: 'command', key: bytes } : { kind: 'input', bytes }];
  }

  /** @returns the number of bytes taken; 0 to hold them all */
  #takePaste(rest: string, tokens: Tokens): number {
    const end = rest.indexOf(PASTE_END);
    if (end === 0) {
      this.#isInPaste = false;
      tokens.add({ kind: 'paste', bytes: PASTE_END, begins: false });
      return PASTE_END.length;
    }
    const length = end < 0 ? rest.length - lengthOfCutEnd(rest) : end;
    if (length > 0) tokens.input(rest.slice(0, length));
    return length;
  }

  #takeKey(rest: string, tokens: Tokens): number {
    const plain = this.#isAfterLeader ? 0 : lengthOfPlain(rest, this.#leader);
    if (plain > 0) {
      tokens.input(rest.slice(0, plain));
      return plain;
    }
    if (CUT_SEQUENCE.test(rest) || (this.expectsReply && CUT_ESCAPE.test(rest))) return 0;
    const taken = SEQUENCE.exec(rest)?.[0] ?? CHARACTER.exec(rest)?.[0] ?? rest;
    if (MOUSE.test(taken)) tokens.add({ kind: 'mouse', bytes: taken });
    else if (REPLY.test(taken)) tokens.add({ kind: 'reply', bytes: taken });
    else if (taken === PASTE_BEGIN) {
      this.#isInPaste = true;
      this.#isAfterLeader = false;
      tokens.add({ kind: 'paste', bytes: taken, begins: true });
    } else this.#take(taken, tokens);
    return taken.length;
  }

  #take(taken: string, tokens: Tokens): void {
    const coded = codedKey(taken);
    const key = coded?.key ?? taken;
    if (coded !== undefined && key === this.#leader && coded.isRelease) return;
    if (!this.#isAfterLeader) {
      this.#isAfterLeader = key === this.#leader;
      if (this.#isAfterLeader) tokens.add({ kind: 'leader' });
      else tokens.input(taken);
    } else if (coded?.isModifier !== true && coded?.isRelease !== true) {
      this.#isAfterLeader = false;
      tokens.add({ kind: 'command', key });
    }
  }
}

/** Characters and sequences, one by one. */
export function keysOf(bytes: string): string[] {
  const keys: string[] = [];
  for (let rest = bytes; rest !== '';) {
    const key = SEQUENCE.exec(rest)?.[0] ?? CHARACTER.exec(rest)?.[0] ?? rest;
    keys.push(key);
    rest = rest.slice(key.length);
  }
  return keys;
}

class Tokens {
  readonly all: KeyboardToken[] = [];

  add(token: KeyboardToken): void {
    this.all.push(token);
  }

  /** Joined to the input before it. */
  input(bytes: string): void {
    const last = this.all.at(-1);
    if (last?.kind === 'input') this.all[this.all.length - 1] = { kind: 'input', bytes: last.bytes + bytes };
    else this.all.push({ kind: 'input', bytes });
  }
}

function lengthOfPlain(text: string, leader: string): number {
  const places = [text.indexOf('\x1b'), text.indexOf(leader)].filter((at) => at >= 0);
  return Math.min(text.length, ...places);
}

/** The length of the longest end of the text that is the beginning of the mark. */
function lengthOfCutEnd(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (PASTE_END.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

interface CodedKey {
  /** Key as a terminal without these protocols sends it, if it can. */
  readonly key: string;
  readonly isRelease: boolean;
  readonly isModifier: boolean;
}

function codedKey(sequence: string): CodedKey | undefined {
  const match = CODED_KEY.exec(sequence);
  if (match === null) return undefined;
  const [, kittyCode, kittyModifiers, event, otherModifiers, otherCode] = match;
  const code = Number(kittyCode ?? otherCode);
  const modifiers = (Math.max(1, Number(kittyModifiers || otherModifiers || 1)) - 1) & ~LOCKS;
  const isModifier = code >= FIRST_MODIFIER_KEY && code <= LAST_MODIFIER_KEY;
  return { key: plainKey(code, modifiers) ?? sequence, isRelease: event === RELEASE, isModifier };
}

function plainKey(code: number, modifiers: number): string | undefined {
  if (code > 0x7e) return undefined;
  const character = String.fromCharCode(code);
  if (modifiers === 0) return character;
  if (modifiers === SHIFT) return character === '/' ? '?' : character.toUpperCase();
  if (modifiers === CTRL && /[a-z]/.test(character)) return String.fromCharCode(code & 0x1f);
  return undefined;
}
