/** Colours that the program sets, asks for and resets: OSC 4, 10, 11, 12 and 104, 110, 111, 112. */
import { formatColorSpec, parseColorSpec } from './color-spec.js';
import type { Emulator } from '../xterm/emulator.js';
import type { DynamicColors, ReportedColors } from '../snapshot.js';

type Special = 'foreground' | 'background' | 'cursor';

/** Slots of one sequence: further ones are ignored, or a short question could have endless answers. */
const MAX_SLOTS = 256;

/** `OSC 10 ; a ; b` sets the foreground and the next special colours. */
const SPECIAL: readonly Special[] = ['foreground', 'background', 'cursor'];
const FIRST_SPECIAL_CODE = 10;
const FIRST_SPECIAL_RESET_CODE = 110;

export const NO_COLORS: DynamicColors = {
  palette: new Map(),
  foreground: undefined,
  background: undefined,
  cursor: undefined,
};

export class ProgramColors {
  #colors: DynamicColors = NO_COLORS;
  readonly #theme: ReportedColors;
  readonly #reply: (bytes: string) => void;

  constructor(emulator: Emulator, theme: ReportedColors, reply: (bytes: string) => void) {
    this.#theme = theme;
    this.#reply = reply;
    emulator.onOsc(4, (payload) => this.#setOrAskPalette(payload.split(';')));
    emulator.onOsc(104, (payload) => this.#resetPalette(payload));
    for (const [index, name] of SPECIAL.entries()) {
      emulator.onOsc(FIRST_SPECIAL_CODE + index, (payload) => this.#setOrAskSpecial(index, payload.split(';')));
      emulator.onOsc(FIRST_SPECIAL_RESET_CODE + index, () => this.#set({ [name]: undefined }));
    }
    emulator.onEsc({ final: 'c' }, () => !this.#set(NO_COLORS));
  }

  /** A value that is replaced, never changed. */
  get current(): DynamicColors {
    return this.#colors;
  }

  restore(colors: DynamicColors): void {
    this.#colors = colors;
  }

  #setOrAskPalette(slots: readonly string[]): boolean {
    const changes = new Map<number, number>();
    for (let i = 0; i + 1 < Math.min(slots.length, 2 * MAX_SLOTS); i += 2) {
      const index = paletteIndex(slots[i]);
      const spec = slots[i + 1] ?? '';
      if (index === undefined) continue;
      const color = parseColorSpec(spec);
      if (color !== undefined) changes.set(index, color);
      if (spec !== '?') continue;
      const known = changes.get(index) ?? this.#colors.palette.get(index) ?? this.#theme.palette[index];
      if (known !== undefined) this.#answer(`4;${index}`, known);
    }
    return changes.size === 0 || this.#set({ palette: new Map([...this.#colors.palette, ...changes]) });
  }

  #resetPalette(payload: string): boolean {
    if (payload === '') return this.#set({ palette: NO_COLORS.palette });
    const palette = new Map(this.#colors.palette);
    for (const slot of payload.split(';')) palette.delete(paletteIndex(slot) ?? -1);
    return this.#set({ palette });
  }

  #setOrAskSpecial(first: number, slots: readonly string[]): boolean {
    for (const [offset, spec] of slots.entries()) {
      const name = SPECIAL[first + offset];
      if (name === undefined) break;
      const color = parseColorSpec(spec);
      if (color !== undefined) this.#set({ [name]: color });
      const code = FIRST_SPECIAL_CODE + first + offset;
      if (spec === '?') this.#answer(`${code}`, this.#colors[name] ?? this.#theme[name]);
    }
    return true;
  }

  #set(changes: Partial<DynamicColors>): true {
    this.#colors = { ...this.#colors, ...changes };
    return true;
  }

  #answer(subject: string, color: number): void {
    this.#reply(`\x1b]${subject};${formatColorSpec(color)}\x1b\\`);
  }
}

function paletteIndex(text = ''): number | undefined {
  const index = /^\d{1,3}$/.test(text) ? Number(text) : 256;
  return index < 256 ? index : undefined;
}

export function sameColors(a: DynamicColors, b: DynamicColors): boolean {
  if (a === b) return true;
  if (a.foreground !== b.foreground || a.background !== b.background || a.cursor !== b.cursor) return false;
  if (a.palette.size !== b.palette.size) return false;
  for (const [index, color] of a.palette) if (b.palette.get(index) !== color) return false;
  return true;
}
