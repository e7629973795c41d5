/** Colours as options and formats name them. Pure. */
import { COLOUR_TABLE } from './colour-table.js';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** Colours of a terminal that has not been given others. */
const FIRST = '000000 800000 008000 808000 000080 800080 008080 c0c0c0'.split(' ');
const BRIGHT = '808080 ff0000 00ff00 ffff00 0000ff ff00ff 00ffff ffffff'.split(' ');
const LEVELS = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/** Six digits; empty for the colour of the terminal, undefined for no colour. */
export function colourIn(given: string): string | undefined {
  const text = given.toLowerCase();
  if (/^(default|terminal|none)$/.test(text)) return '';
  if (/^#[0-9a-f]{6}$/.test(text)) return text.slice(1);
  const bright = /^(?:bright(\D+)|9([0-7]))$/.exec(text);
  if (bright !== null) return BRIGHT[bright[1] === undefined ? Number(bright[2]) : NAMES.indexOf(bright[1])];
  const indexed = /^colou?r(\d{1,3})$/.exec(text);
  if (indexed !== null) return ofPalette(Number(indexed[1]));
  const grey = /^gr[ae]y(\d{1,3})$/.exec(text);
  if (grey !== null) return greyOf(Number(grey[1]));
  return FIRST[/^[0-7]$/.test(text) ? Number(text) : NAMES.indexOf(text)] ?? named(text);
}

function greyOf(percent: number): string | undefined {
  return percent > 100
    ? undefined
    : Math.round(2.55 * percent)
        .toString(16)
        .padStart(2, '0')
        .repeat(3);
}

let table: ReadonlyMap<string, string> | undefined;

/** Colour by its name in X11. */
function named(text: string): string | undefined {
  table ??= new Map(
    COLOUR_TABLE.trim()
      .split(/\s+/)
      .flatMap((line) => {
        const [name = '', values = ''] = line.split(':');
        return values.split(',').map((value, at): [string, string] => [at === 0 ? name : `${name}${at}`, value]);
      }),
  );
  return table.get(text);
}

function ofPalette(index: number): string | undefined {
  if (index > 255) return undefined;
  if (index < 16) return [...FIRST, ...BRIGHT][index];
  const cube = index - 16;
  const levels =
    index < 232
      ? [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => LEVELS[at] ?? 0)
      : [0, 0, 0].fill(8 + 10 * (index - 232));
  return levels.map((level) => level.toString(16).padStart(2, '0')).join('');
}
