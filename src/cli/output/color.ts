/** Whether and how what t4a itself prints is coloured. What a program printed keeps its colours, or has none, as asked for. */
import { style } from '../../mirror/outer-sequences.js';
import { settingOf } from '../settings.js';
import type { Host } from '../host.js';

/** Select Graphic Rendition, https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ 8.3.117 */
const SGR = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', blue: '34', 'bold red': '1;31' } as const;

export type Color = keyof typeof SGR;

/** Colours the text, or leaves it as it is. */
export type Paint = (color: Color, text: string) => string;

const plain: Paint = (_color, text) => text;

const colored: Paint = (color, text) => (text === '' ? '' : `${style(SGR[color])}${text}${style('')}`);

/** @param flag value of --color */
export function paintOf(flag: unknown, host: Host): Paint {
  const { value = 'auto' } = settingOf('color', flag, host);
  if (value !== 'auto') return value === 'always' ? colored : plain;
  return host.stdoutIsTerminal && host.env['TERM'] !== 'dumb' ? colored : plain;
}
