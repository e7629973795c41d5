/** Styles as parameters of SGR: of a cell, or of the pen. */
import type { RawAttributes } from '../xterm/internals.js';
import { backgroundFlags, colorWord, foregroundFlags, underlineStyle } from '../xterm/row-builder.js';
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  COLOR_DEFAULT,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_VALUE_MASK,
} from '../snapshot.js';

const RAW_FG_UNDERLINE = 0x1000_0000;

const PARAMETER_OF_FLAG: readonly (readonly [flag: number, parameter: number])[] = [
  [ATTR_BOLD, 1],
  [ATTR_DIM, 2],
  [ATTR_ITALIC, 3],
  [ATTR_BLINK, 5],
  [ATTR_INVERSE, 7],
  [ATTR_INVISIBLE, 8],
  [ATTR_STRIKETHROUGH, 9],
  [ATTR_OVERLINE, 53],
];

/** The style of a cell, in the words of a snapshot. */
export interface Style {
  readonly fg: number;
  readonly bg: number;
  /** Flags and underline style, without the width of the cell. */
  readonly attributes: number;
  readonly underlineColor: number;
}

/** Starts with the 0 that resets, like xterm's answer. */
export function sgrParameters({ fg, bg, extended }: RawAttributes): string {
  const underline = (fg & RAW_FG_UNDERLINE) === 0 ? 0 : underlineStyle(bg, extended);
  return styleParameters({
    fg: colorWord(fg),
    bg: colorWord(bg),
    attributes: foregroundFlags(fg) | backgroundFlags(bg) | (underline << ATTR_UNDERLINE_SHIFT),
    underlineColor: colorWord(extended._ext),
  });
}

/** Parameters that set a style regardless of the style before. */
export function styleParameters({ fg, bg, attributes, underlineColor }: Style): string {
  const parameters = ['0'];
  for (const [flag, parameter] of PARAMETER_OF_FLAG) if ((attributes & flag) !== 0) parameters.push(`${parameter}`);
  const underline = (attributes & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT;
  if (underline !== 0) parameters.push(underline === 1 ? '4' : `4:${underline}`);
  parameters.push(...colorParameters(38, fg), ...colorParameters(48, bg), ...colorParameters(58, underlineColor));
  return parameters.join(';');
}

function colorParameters(target: 38 | 48 | 58, color: number): string[] {
  if (color === COLOR_DEFAULT) return [];
  const value = color & COLOR_VALUE_MASK;
  if ((color & COLOR_KIND_MASK) !== COLOR_PALETTE) {
    return [`${target}:2::${value >> 16}:${(value >> 8) & 0xff}:${value & 0xff}`];
  }
  if (target === 58 || value > 15) return [`${target}:5:${value}`];
  return [`${value + (target - 8) + (value > 7 ? 52 : 0)}`];
}
