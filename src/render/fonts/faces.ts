/** The faces in fonts/, in the order in which a grapheme tries them. Which characters each has is in fonts/coverage.txt. */
export interface Face {
  /** Name of the file in fonts/, without its ending. */
  readonly name: string;
  /**
   * `text` faces are drawn on the baseline; `symbol` faces are fitted into the cell; `color` faces too, and bring their
   * own colours; `bitmap` faces are pixels, drawn without the canvas.
   */
  readonly kind: 'text' | 'symbol' | 'color' | 'bitmap';
  /** Advance of a cell in ems: the em is chosen so that one advance is one cell. */
  readonly advanceEm: number;
  readonly bold?: string;
  readonly italic?: string;
  readonly boldItalic?: string;
}

/**
 * The primary face, and so the baseline of every row, from its hhea and hmtx tables. DejaVu Sans Mono was chosen by
 * measurement: of 168 hex ids, paths and error words tesseract reads more than with JetBrains Mono at 7x14, 8x16 and 10x20
 * (bench/render-ocr.ts).
 */
export const PRIMARY_ADVANCE_EM = 0.602;
export const PRIMARY_ASCENT_EM = 0.928;
export const PRIMARY_DESCENT_EM = 0.236;

/** Symbols and scripts without fixed pitch are drawn at this em, the line height of the primary face, then fitted. */
const PROPORTIONAL_EM = 0.6;

const JETBRAINS_MONO: Face = {
  name: 'jetbrains-mono-regular',
  kind: 'text',
  advanceEm: 0.6,
  bold: 'jetbrains-mono-bold',
  italic: 'jetbrains-mono-italic',
  boldItalic: 'jetbrains-mono-bold-italic',
};

/** Emoji in one colour: of new ones, and of what no other face has. */
const NOTO_EMOJI: Face = { name: 'noto-emoji', kind: 'symbol', advanceEm: PROPORTIONAL_EM };

export const FACES: readonly Face[] = [
  {
    name: 'dejavu-sans-mono',
    kind: 'text',
    advanceEm: PRIMARY_ADVANCE_EM,
    bold: 'dejavu-sans-mono-bold',
    italic: 'dejavu-sans-mono-oblique',
    boldItalic: 'dejavu-sans-mono-bold-oblique',
  },
  JETBRAINS_MONO,
  { name: 'symbols-nerd-font-mono', kind: 'symbol', advanceEm: 0.5 },
  { name: 'noto-sans-symbols-2', kind: 'symbol', advanceEm: PROPORTIONAL_EM },
  { name: 'noto-sans-symbols', kind: 'symbol', advanceEm: PROPORTIONAL_EM },
  NOTO_EMOJI,
  { name: 'noto-sans-hebrew', kind: 'text', advanceEm: PROPORTIONAL_EM },
  { name: 'noto-naskh-arabic', kind: 'text', advanceEm: PROPORTIONAL_EM },
  { name: 'noto-sans-thai', kind: 'text', advanceEm: PROPORTIONAL_EM },
  { name: 'noto-sans-devanagari', kind: 'text', advanceEm: PROPORTIONAL_EM },
  { name: 'unifont', kind: 'bitmap', advanceEm: PROPORTIONAL_EM },
];

/**
 * Faces for what is text by itself: an emoji in one colour is a box with a hole in the shape of the sign, which 8 pixels cannot
 * show.
 */
export const TEXT_FACES: readonly Face[] = [...FACES.filter((face) => face !== NOTO_EMOJI), NOTO_EMOJI];

/** Before all others for emoji, after all others for text. */
export const COLOR_FACE: Face = { name: 'twemoji', kind: 'color', advanceEm: 0.5 };

interface ClearerFace {
  readonly order: readonly Face[];
  /** Widths of cells in which it is clearer; in others the primary face is. */
  readonly from: number;
  readonly to: number;
}

const JETBRAINS_FIRST: readonly Face[] = [JETBRAINS_MONO, ...FACES];

/**
 * Digits that are told from letters by JetBrains Mono rather than by the primary face: its 1 has a flag aslant and a foot, where
 * the other is an l but for the hook, and at 7x14 the dot of the other's 0 fills it, so that it is read as @. Of words with
 * hex ids a sixth fewer are misread at 8x16, a third at 10x20, more than a half at 7x14 (bench/render-peers.bench.ts).
 */
export const CLEARER_FACES: ReadonlyMap<number, ClearerFace> = new Map([
  [0x30, { order: JETBRAINS_FIRST, from: 7, to: 7 }],
  [0x31, { order: JETBRAINS_FIRST, from: 0, to: Infinity }],
  // Ideographs in circles: cut out of a disc they are clearer than within a ring of pixels.
  [0x3297, { order: FACES, from: 0, to: Infinity }],
  [0x3299, { order: FACES, from: 0, to: Infinity }],
]);

/** Signs that are letters, drawn as the bold ones of the text face. */
export const LETTER_SIGNS: ReadonlyMap<number, string> = new Map([[0x2139, 'i']]);
