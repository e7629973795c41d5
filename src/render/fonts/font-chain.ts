/** Chooses the face that draws a grapheme, by our own lookup: nothing is ever taken from the host's fonts. */
import { type Coverage, readCoverage } from './coverage.js';
import { type Face, FACES } from './faces.js';

export const VARIATION_TEXT = 0xfe0e;
export const VARIATION_EMOJI = 0xfe0f;

export interface FaceChoice {
  readonly face: Face;
  /** The file to draw with: the face itself or one of its bold and italic siblings. */
  readonly file: string;
  /** The face has no slanted sibling: slant it while drawing. */
  readonly slant: boolean;
  /** What to draw: the grapheme without variation selectors. */
  readonly text: string;
}

export class FontChain {
  readonly #coverage: ReadonlyMap<string, Coverage>;

  constructor(fontsDir: string) {
    this.#coverage = readCoverage(fontsDir);
  }

  choose(grapheme: string, bold: boolean, italic: boolean): FaceChoice | undefined {
    const codePoints = Array.from(grapheme, (character) => character.codePointAt(0) ?? 0);
    const drawn = codePoints.filter((codePoint) => !isVariation(codePoint));
    const text = String.fromCodePoint(...drawn);
    for (const face of orderFor(codePoints)) {
      const file = this.#sibling(face, drawn, bold, italic);
      if (file !== undefined) return { face, file, slant: italic && file !== face.italic && file !== face.boldItalic, text };
    }
    return undefined;
  }

  #sibling(face: Face, codePoints: readonly number[], bold: boolean, italic: boolean): string | undefined {
    const wanted = bold && italic ? (face.boldItalic ?? face.bold) : bold ? face.bold : italic ? face.italic : face.name;
    return [wanted, face.name].find((file) => file !== undefined && this.#covers(file, codePoints));
  }

  #covers(file: string, codePoints: readonly number[]): boolean {
    const coverage = this.#coverage.get(file);
    return coverage !== undefined && codePoints.every((codePoint) => coverage.has(codePoint));
  }
}

const COLOR_FACES = FACES.filter((face) => face.kind === 'color');
const OTHER_FACES = FACES.filter((face) => face.kind !== 'color');
const COLOR_FIRST: readonly Face[] = [...COLOR_FACES, ...OTHER_FACES];
const TEXT_FIRST: readonly Face[] = [...OTHER_FACES, ...COLOR_FACES];

/** The colour face has no keycaps: its digits are empty, waiting for a mark that it draws as nothing. */
const KEYCAP = 0x20e3;

/** Characters that Unicode presents as emoji by themselves, and anything followed by U+FE0F, are emoji; U+FE0E is text. */
function orderFor(codePoints: readonly number[]): readonly Face[] {
  if (codePoints.includes(VARIATION_TEXT) || codePoints.includes(KEYCAP)) return TEXT_FIRST;
  const emoji = codePoints.includes(VARIATION_EMOJI) || isEmojiPresentation(codePoints[0] ?? 0);
  return emoji ? COLOR_FIRST : TEXT_FIRST;
}

function isEmojiPresentation(codePoint: number): boolean {
  return codePoint >= 0x231a && /^\p{Emoji_Presentation}/u.test(String.fromCodePoint(codePoint));
}

function isVariation(codePoint: number): boolean {
  return codePoint === VARIATION_TEXT || codePoint === VARIATION_EMOJI;
}
