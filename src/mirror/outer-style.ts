/**
 * Parameters of SGR as a person's terminal gets them: colors that the program has set are written out, since the
 * palette of the person stays as it is, and colors are in the old form with semicolons, which every terminal reads.
 */
import type { MirrorState } from './mirror.js';

export type ProgramColors = Pick<MirrorState, 'colors'> & { readonly reverseScreen: boolean };

const INVERSE = '7';

/** Parameters of one run, without the 0 that resets; empty for the terminal's own default style. */
export class OuterStyles {
  readonly #colors: ProgramColors;
  readonly #made = new Map<string, string>();

  constructor(colors: ProgramColors) {
    this.#colors = colors;
  }

  of(sgr: string): string {
    let style = this.#made.get(sgr);
    if (style === undefined) {
      // Bounded by the styles of a screen; colors of a picture in half blocks are many.
      if (this.#made.size > 4096) this.#made.clear();
      this.#made.set(sgr, (style = this.#make(sgr)));
    }
    return style;
  }

  #make(sgr: string): string {
    const given = /^[0-9:;]*$/.test(sgr) ? sgr.split(';').filter((one) => one !== '') : [];
    const { colors, reverseScreen } = this.#colors;
    const parameters = given.map((one) => this.#color(one));
    if (colors.foreground !== undefined && !given.some(isForeground)) parameters.push(rgb(38, colors.foreground));
    if (colors.background !== undefined && !given.some(isBackground)) parameters.push(rgb(48, colors.background));
    if (!reverseScreen) return parameters.join(';');
    const others = parameters.filter((one) => one !== INVERSE);
    return (others.length < parameters.length ? others : [...parameters, INVERSE]).join(';');
  }

  #color(parameter: string): string {
    const [target, kind, ...values] = parameter.split(':');
    if (kind === undefined) return this.#named(parameter);
    // Terminals that color underlines read colons.
    if (target !== '38' && target !== '48') return parameter;
    if (kind === '5') return this.#indexed(Number(target), values[0] ?? '') ?? `${target};5;${values[0]}`;
    return `${target};2;${values.slice(-3).join(';')}`;
  }

  /** The first 16 colors have parameters of their own. */
  #named(parameter: string): string {
    const value = Number(parameter);
    for (const [first, target, index] of NAMED_COLORS) {
      if (value >= first && value < first + 8) {
        return this.#indexed(target, String(value - first + index)) ?? parameter;
      }
    }
    return parameter;
  }

  #indexed(target: number, index: string): string | undefined {
    const color = this.#colors.colors.palette?.[index];
    return color === undefined ? undefined : rgb(target, color);
  }
}

const NAMED_COLORS: readonly (readonly [first: number, target: number, index: number])[] = [
  [30, 38, 0],
  [40, 48, 0],
  [90, 38, 8],
  [100, 48, 8],
];

function isForeground(parameter: string): boolean {
  return /^(3[0-7]|9[0-7]|38:.*)$/.test(parameter);
}

function isBackground(parameter: string): boolean {
  return /^(4[0-7]|10[0-7]|48:.*)$/.test(parameter);
}

/** @param color "#rrggbb" */
function rgb(target: number, color: string): string {
  const value = Number.parseInt(color.slice(1), 16) || 0;
  return `${target};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
}
