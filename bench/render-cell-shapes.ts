/** What stands in a cell, apart from where and in which colours. */
import { ATTR_BOLD, ATTR_DIM, ATTR_ITALIC, ATTR_OVERLINE, ATTR_STRIKETHROUGH } from '../src/vt/snapshot.js';
import { type Pen, rgb } from '../test/render/support/screen.js';

export interface Shape {
  readonly text: string;
  /** Without inverse, which is a matter of colours. */
  readonly pen: Pen;
  /** Cells. */
  readonly width: number;
}

export const STYLES: readonly (readonly [name: string, attr: number])[] = [
  ['bold', ATTR_BOLD],
  ['dim', ATTR_DIM],
  ['italic', ATTR_ITALIC],
  ['struck through', ATTR_STRIKETHROUGH],
  ['overline', ATTR_OVERLINE],
];
/** SGR 4:n. */
export const UNDERLINES = [1, 2, 3, 4, 5];
/** Attributes that are seen on blank cells, too. */
export const LINES = ATTR_STRIKETHROUGH | ATTR_OVERLINE;
/** Letters by which styles are told apart. */
export const SAMPLES = ['a', 'e', 'g', 'k', 'R', 'W'];
/** By width: code points of private use, or of none, that no font has. */
export const MISSING: readonly (readonly string[])[] = [
  [],
  ['\u{10fff0}', '\u{10ff0f}', '\u{10f0ff}', '\u{10abcd}'],
  ['\u{3fff0}', '\u{3ff0f}', '\u{3f0ff}', '\u{3abcd}'],
];

/** Variation selectors are no marks. */
const MARK = /^[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff]$/u;

/** Shapes that others are judged by: letters in each style, characters that are missing. */
export function referenceShapes(): Shape[] {
  const pens: readonly Pen[] = [
    {},
    ...STYLES.map(([, attrs]) => ({ attrs })),
    ...UNDERLINES.flatMap((underline) => [{ underline }, { underline, underlineColor: rgb(0xff3030) }]),
  ];
  return [
    ...pens.flatMap((pen) => SAMPLES.map((text) => ({ text, pen, width: 1 }))),
    ...MISSING.flatMap((texts, width) => texts.map((text) => ({ text, pen: {}, width }))),
  ];
}

/** What a cluster must not look like: itself without one of its marks; its first character alone, if it has none. */
export function poorerThan({ text, width }: Shape): Shape[] {
  const characters = Array.from(text);
  if (characters.length === 1) return [];
  const without = characters
    .map((character, at) => (at > 0 && MARK.test(character) ? characters.toSpliced(at, 1).join('') : ''))
    .filter((poorer) => poorer !== '');
  return (without.length === 0 ? [characters[0] ?? ''] : without).map((poorer) => ({ text: poorer, pen: {}, width }));
}

export function keyOf({ text, pen, width }: Shape): string {
  return `${text} ${pen.attrs ?? 0} ${pen.underline ?? 0} ${pen.underlineColor ?? ''} ${width}`;
}
