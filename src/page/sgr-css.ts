/** Parameters of SGR, as `watch` has them, to declarations of CSS. Pure. */
import { hex, indexed, legible, mix, type Palette } from './palette.js';

/** WCAG's for text. Dim text is meant to be weak. */
const LEAST_CONTRAST = 4.5;
const LEAST_CONTRAST_OF_DIM = 3;

const UNDERLINES = ['none', 'solid', 'double', 'wavy', 'dotted', 'dashed'] as const;

export interface Look {
  readonly foreground: number | undefined;
  readonly background: number | undefined;
  readonly attributes: ReadonlySet<number>;
  /** Index of UNDERLINES. */
  readonly underline: number;
  readonly underlineColor: number | undefined;
}

export interface CssOptions {
  readonly palette: Palette;
  /** Light on dark for the whole screen (DECSCNM). */
  readonly reverseScreen: boolean;
  /** False for blocks and boxes: pictures made of them keep their colors. */
  readonly isText: boolean;
}

const DIM = 2;
const INVERSE = 7;
const INVISIBLE = 8;

/** Of double and curly ones: below the usual place, the row would cut them. */
const OFFSETS: Readonly<Record<number, string>> = {
  2: 'text-underline-offset:0.03em',
  3: 'text-underline-offset:-0.03em;text-decoration-skip-ink:none',
};

/** The browser's own stands above the ascenders, where the row ends. */
const OVERLINE = 'display:inline-block;vertical-align:top;box-shadow:inset 0 max(1px, 0.06em) currentColor';

export function cssOf(sgr: string, { palette, reverseScreen, isText }: CssOptions): string {
  const look = lookOf(sgr, palette);
  const has = (attribute: number): boolean => look.attributes.has(attribute);
  let foreground = look.foreground ?? palette.foreground;
  let background = look.background ?? palette.background;
  if (has(INVERSE) !== reverseScreen) [foreground, background] = [background, foreground];
  if (has(DIM)) foreground = mix(foreground, background, 0.4);
  // What a program hides by equal colors stays hidden.
  if (isText && foreground !== background)
    foreground = legible(foreground, background, has(DIM) ? LEAST_CONTRAST_OF_DIM : LEAST_CONTRAST);
  const lines = [
    ...(look.underline > 0 ? ['underline'] : []),
    ...(has(9) ? ['line-through'] : []),
    ...(has(53) ? ['overline'] : []),
  ];
  const isOnGround = background === (reverseScreen ? palette.foreground : palette.background);
  return [
    `color:${has(INVISIBLE) ? 'transparent' : hex(foreground)}`,
    ...(isOnGround ? [] : [`background-color:${hex(background)}`]),
    ...(has(1) ? ['font-weight:700'] : []),
    ...(has(3) ? ['font-style:italic'] : []),
    ...(has(5) ? ['animation:blink 1.2s step-end infinite'] : []),
    ...(lines.length === 0 ? [] : [`text-decoration:${lines.join(' ')} ${UNDERLINES[look.underline || 1] ?? 'solid'}`]),
    ...(OFFSETS[look.underline] === undefined ? [] : [OFFSETS[look.underline]]),
    ...(has(53) ? [OVERLINE] : []),
    ...(look.underlineColor === undefined ? [] : [`text-decoration-color:${hex(look.underlineColor)}`]),
  ].join(';');
}

export function lookOf(sgr: string, palette: Palette): Look {
  let foreground: number | undefined;
  let background: number | undefined;
  let underline = 0;
  let underlineColor: number | undefined;
  const attributes = new Set<number>();
  for (const parameter of sgr.split(';')) {
    const [code = 0, kind, ...rest] = parameter.split(':').map(Number);
    if (code === 38) foreground = extended(kind, rest, palette);
    else if (code === 48) background = extended(kind, rest, palette);
    else if (code === 58) underlineColor = extended(kind, rest, palette);
    else if (code === 4) underline = kind ?? 1;
    else if (code === 21) underline = 2;
    else {
      const named = namedColor(code);
      if (named === undefined) attributes.add(code);
      else if (named.isGround) background = indexed(palette, named.index);
      else foreground = indexed(palette, named.index);
    }
  }
  return { foreground, background, attributes, underline, underlineColor };
}

function namedColor(code: number): { readonly index: number; readonly isGround: boolean } | undefined {
  for (const [first, index, isGround] of NAMED) {
    if (code >= first && code < first + 8) return { index: code - first + index, isGround };
  }
  return undefined;
}

const NAMED = [
  [30, 0, false],
  [40, 0, true],
  [90, 8, false],
  [100, 8, true],
] as const;

function extended(kind: number | undefined, values: readonly number[], palette: Palette): number {
  if (kind === 5) return indexed(palette, values[0] ?? 0);
  const [red = 0, green = 0, blue = 0] = values.slice(-3);
  return (red << 16) | (green << 8) | blue;
}
