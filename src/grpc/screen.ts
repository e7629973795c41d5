/** A screen as vtr's cells: each with its colours in RGB, under a theme and the colours that the program has set. */
import type { MirrorRow, MirrorState, Mirror } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { paletteOf, type Theme } from '../render/theme.js';
import type { ScreenMessage, ScreenCell } from './messages.js';

/** Attributes by the parameter of SGR. */
const ATTRIBUTES: Readonly<Record<string, number>> = {
  1: 0x01, // bold
  3: 0x02, // italic
  4: 0x04, // underline
  21: 0x04,
  2: 0x08, // faint
  5: 0x10, // blink
  6: 0x10,
  7: 0x20, // inverse
  8: 0x40, // hidden
  9: 0x80, // struck through
  53: 0x100, // overline
};

type Style = Omit<ScreenCell, 'char'>;

export function screenMessageOf(name: string, { rows, cursor, state }: Mirror, theme: Theme): ScreenMessage {
  const styles = new Styles(theme, state.colors);
  return {
    name,
    cols: state.cols,
    rows: rows.length,
    cursor_x: cursor.col,
    cursor_y: cursor.row,
    screen_rows: rows.map((row) => ({ cells: cellsOf(row, state.cols, styles) })),
  };
}

/** The right half of a wide character has no text of its own. */
function cellsOf({ runs }: MirrorRow, cols: number, styles: Styles): ScreenCell[] {
  const cells: ScreenCell[] = [];
  for (const run of runs) {
    const style = styles.of(run[1] ?? '');
    for (const { text, width } of runCells(run)) {
      cells.push({ char: text, ...style });
      for (let i = 1; i < width; i++) cells.push({ char: '', ...style });
    }
  }
  const blank = { char: ' ', ...styles.of('') };
  while (cells.length < cols) cells.push(blank);
  return cells.slice(0, cols);
}

class Styles {
  readonly #theme: Theme;
  readonly #colors: MirrorState['colors'];
  readonly #palette: Uint32Array;
  readonly #made = new Map<string, Style>();

  constructor(theme: Theme, colors: MirrorState['colors']) {
    this.#theme = theme;
    this.#colors = colors;
    this.#palette = paletteOf(theme);
  }

  of(sgr: string): Style {
    let style = this.#made.get(sgr);
    if (style === undefined) this.#made.set(sgr, (style = this.#make(sgr)));
    return style;
  }

  #make(sgr: string): Style {
    let foreground = this.#own(this.#colors.foreground) ?? this.#theme.foreground;
    let background = this.#own(this.#colors.background) ?? this.#theme.background;
    let attributes = 0;
    for (const parameter of sgr.split(';')) {
      const [target = '', kind, ...values] = parameter.split(':');
      const code = Number(target);
      if (target === '38' || target === '48') {
        const color = kind === '5' ? this.#indexed(Number(values[0])) : rgb(values.slice(-3));
        if (target === '38') foreground = color;
        else background = color;
      } else if (code >= 30 && code <= 37) foreground = this.#indexed(code - 30);
      else if (code >= 90 && code <= 97) foreground = this.#indexed(code - 90 + 8);
      else if (code >= 40 && code <= 47) background = this.#indexed(code - 40);
      else if (code >= 100 && code <= 107) background = this.#indexed(code - 100 + 8);
      else attributes |= ATTRIBUTES[target] ?? 0;
    }
    return { fg_color: foreground, bg_color: background, attributes };
  }

  #indexed(index: number): number {
    return this.#own(this.#colors.palette?.[String(index)]) ?? this.#palette[index] ?? 0;
  }

  #own(color: string | undefined): number | undefined {
    return color === undefined ? undefined : Number.parseInt(color.slice(1), 16);
  }
}

function rgb([red = '0', green = '0', blue = '0']: readonly string[]): number {
  return (Number(red) << 16) | (Number(green) << 8) | Number(blue);
}
