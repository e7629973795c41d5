/** Chooses the face that draws a grapheme, by our own lookup: nothing is ever taken from the host's fonts. */
import { isSeenMark } from './combining-marks.js';
import { type Coverage, readCoverage } from './coverage.js';
import { EmojiSequences } from './emoji-sequences.js';
import { CLEARER_FACES, COLOR_FACE, type Face, FACES, LETTER_SIGNS, TEXT_FACES } from './faces.js';

export const VARIATION_TEXT = 0xfe0e;
export const VARIATION_EMOJI = 0xfe0f;

export interface FaceChoice {
  readonly face: Face;
  /** The file to draw with: the face itself or one of its bold and italic siblings. */
  readonly file: string;
  /** The face has no slanted sibling: slant it while drawing. */
  readonly slant: boolean;
  /** Text to draw: the grapheme without variation selectors, as far as the face has it. */
  readonly text: string;
  /** Marks at its end that the face does not have. */
  readonly rest: readonly number[];
}

export class FontChain {
  readonly #coverage: ReadonlyMap<string, Coverage>;
  readonly #sequences: EmojiSequences;

  constructor(fontsDir: string) {
    this.#coverage = readCoverage(fontsDir);
    this.#sequences = new EmojiSequences(fontsDir, COLOR_FACE.name);
  }

  /** The first face that has all of the grapheme; failing that, the first that has as much as possible from its start. */
  choose(grapheme: string, bold: boolean, italic: boolean, cellWidth = Infinity): FaceChoice | undefined {
    const codePoints = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0);
    const drawn = codePoints.filter((codePoint) => !isVariation(codePoint));
    const sequence = drawn.length > 1 && !codePoints.includes(VARIATION_TEXT) ? this.#sequences.find(drawn) : undefined;
    if (sequence !== undefined) return { face: COLOR_FACE, file: COLOR_FACE.name, slant: false, text: sequence, rest: [] };
    const letter = codePoints.includes(VARIATION_EMOJI) ? undefined : LETTER_SIGNS.get(drawn[0] ?? 0);
    if (letter !== undefined) return this.choose(letter + String.fromCodePoint(...drawn.slice(1)), true, italic, cellWidth);
    const found = this.#longest(orderFor(codePoints, cellWidth), drawn, bold, italic);
    if (found === undefined) return undefined;
    const { face, file, length } = found;
    // A face that has joiners shapes by them; one that has none can do without.
    const covered = drawn.slice(0, length).filter((codePoint) => this.#has(file, codePoint));
    return {
      face,
      file,
      slant: italic && file !== face.italic && file !== face.boldItalic,
      text: String.fromCodePoint(...covered),
      rest: drawn.slice(length).filter(isSeenMark),
    };
  }

  coverageOf(face: string): Coverage | undefined {
    return this.#coverage.get(face);
  }

  /** The first file that has more of the code points, from the start, than all before it. */
  #longest(faces: readonly Face[], codePoints: readonly number[], bold: boolean, italic: boolean): CoverageRun | undefined {
    let longest: CoverageRun | undefined;
    for (const face of faces) {
      for (const file of filesOf(face, bold, italic)) {
        const end = codePoints.findIndex((codePoint, at) => !this.#has(file, codePoint) && (at === 0 || !isJoiner(codePoint)));
        if (end < 0) return { face, file, length: codePoints.length };
        if (end > (longest?.length ?? 0)) longest = { face, file, length: end };
      }
    }
    return longest;
  }

  #has(file: string, codePoint: number): boolean {
    return this.#coverage.get(file)?.has(codePoint) ?? false;
  }
}

interface CoverageRun {
  readonly face: Face;
  readonly file: string;
  readonly length: number;
}

function filesOf(face: Face, bold: boolean, italic: boolean): readonly string[] {
  const wanted = bold && italic ? (face.boldItalic ?? face.bold) : bold ? face.bold : italic ? face.italic : undefined;
  return wanted === undefined ? [face.name] : [wanted, face.name];
}

const TEXT_FIRST: readonly Face[] = [...FACES, COLOR_FACE];
const TEXT_ONLY: readonly Face[] = [...TEXT_FACES, COLOR_FACE];
const COLOR_FIRST: readonly Face[] = [COLOR_FACE, ...FACES];

/** Characters that Unicode presents as emoji by themselves, and anything followed by U+FE0F, are emoji; U+FE0E is text. */
function orderFor(codePoints: readonly number[], cellWidth: number): readonly Face[] {
  const clearer = codePoints.length === 1 ? CLEARER_FACES.get(codePoints[0] ?? 0) : undefined;
  if (clearer !== undefined && cellWidth >= clearer.from && cellWidth <= clearer.to) return clearer.order;
  if (codePoints.includes(VARIATION_TEXT)) return TEXT_ONLY;
  const emoji = codePoints.includes(VARIATION_EMOJI) || isEmojiPresentation(codePoints[0] ?? 0);
  if (emoji) return COLOR_FIRST;
  return isEmoji(codePoints[0] ?? 0) ? TEXT_ONLY : TEXT_FIRST;
}

function isEmoji(codePoint: number): boolean {
  return codePoint >= 0x203c && /^\p{Emoji}/u.test(String.fromCodePoint(codePoint));
}

function isEmojiPresentation(codePoint: number): boolean {
  return codePoint >= 0x231a && /^\p{Emoji_Presentation}/u.test(String.fromCodePoint(codePoint));
}

function isJoiner(codePoint: number): boolean {
  return codePoint === 0x200c || codePoint === 0x200d;
}

function isVariation(codePoint: number): boolean {
  return codePoint === VARIATION_TEXT || codePoint === VARIATION_EMOJI;
}
