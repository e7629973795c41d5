/** The attributes that text is written with now, as parameters of SGR. */
import type { RawAttributes } from './internals.js';
import { backgroundFlags, colorWord, foregroundFlags, underlineStyle } from './row-builder.js';
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  COLOR_DEFAULT,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_VALUE_MASK,
} from './snapshot.js';

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

/** Starts with the 0 that resets, as xterm's answer does. */
export function sgrParameters({ fg, bg, extended }: RawAttributes): string {
  const parameters = ['0'];
  const flags = foregroundFlags(fg) | backgroundFlags(bg);
  for (const [flag, parameter] of PARAMETER_OF_FLAG) if ((flags & flag) !== 0) parameters.push(`${parameter}`);
  if ((fg & RAW_FG_UNDERLINE) !== 0) {
    const style = underlineStyle(bg, extended);
    parameters.push(style === 1 ? '4' : `4:${style}`);
  }
  parameters.push(...colorParameters(38, colorWord(fg)), ...colorParameters(48, colorWord(bg)));
  parameters.push(...colorParameters(58, colorWord(extended._ext)));
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
