/**
 * Blocks and the straight lines of boxes as rectangles: glyphs of a font leave gaps between cells at some sizes, since
 * their edges are blended. Pure. The drawn rectangles end on pixels.
 */

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 1 for solid. */
  readonly alpha: number;
}

interface Cell {
  readonly width: number;
  readonly height: number;
}

const FIRST_LINE = 0x2500;
const FIRST_BLOCK = 0x2580;
const LAST = 0x259f;

/** Whether the character is drawn by {@link rectanglesOf}. */
export function isDrawn(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= FIRST_BLOCK && code <= LAST) || ARMS[code - FIRST_LINE] !== undefined;
}

/** @param cell in pixels, whole numbers */
export function rectanglesOf(character: string, cell: Cell): Rectangle[] {
  const code = character.codePointAt(0) ?? 0;
  return code >= FIRST_BLOCK ? blockOf(code, cell) : linesOf(ARMS[code - FIRST_LINE] ?? '', cell);
}

/** Shares of the cell in eighths: [left, top, right, bottom]. */
type Eighths = readonly [number, number, number, number];

const QUADRANTS: readonly Eighths[] = [
  [0, 0, 4, 4],
  [4, 0, 8, 4],
  [0, 4, 4, 8],
  [4, 4, 8, 8],
];

/** Of U+2596 to U+259F: bits of upper left, upper right, lower left, lower right. */
const QUADRANTS_OF = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];

function blockOf(code: number, cell: Cell): Rectangle[] {
  const n = code - FIRST_BLOCK;
  if (n === 0) return [share([0, 0, 8, 4], cell)];
  if (n <= 8) return [share([0, 8 - n, 8, 8], cell)];
  if (n <= 15) return [share([0, 0, 16 - n, 8], cell)];
  if (n === 16) return [share([4, 0, 8, 8], cell)];
  if (n <= 19) return [share([0, 0, 8, 8], cell, (n - 16) / 4)];
  if (n === 20) return [share([0, 0, 8, 1], cell)];
  if (n === 21) return [share([7, 0, 8, 8], cell)];
  const bits = QUADRANTS_OF[n - 22] ?? 0;
  return QUADRANTS.flatMap((quadrant, i) => ((bits & (1 << i)) === 0 ? [] : [share(quadrant, cell)]));
}

function share([left, top, right, bottom]: Eighths, { width, height }: Cell, alpha = 1): Rectangle {
  const [x, y] = [Math.round((left * width) / 8), Math.round((top * height) / 8)];
  return { x, y, width: Math.round((right * width) / 8) - x, height: Math.round((bottom * height) / 8) - y, alpha };
}

/** Left, right, up, down: '.' none, '-' light, '=' heavy, ':' double. */
const ARMS: Readonly<Record<number, string>> = {
  ...arms(0x00, '--.. ==.. ..-- ..=='),
  ...arms(0x0c, '.-.- .=.- .-.= .=.= -..- =..- -..= =..= .--. .=-. .-=. .==. -.-. =.-. -.=. =.=.'),
  ...arms(0x1c, '.--- .=-- .-=- .--= .-== .==- .=-= .=== -.-- =.-- -.=- -.-= -.== =.=- =.-= =.=='),
  ...arms(0x2c, '--.- =-.- -=.- ==.- --.= =-.= -=.= ==.= ---. =--. -=-. ==-. --=. =-=. -==. ===.'),
  ...arms(0x3c, '---- =--- -=-- ==-- --=- ---= --== =-=- -==- =--= -=-= ===- ==-= =-== -=== ===='),
  ...arms(0x50, '::.. ..:: .:.- .-.: .:.: :..- -..: :..: .:-. .-:. .::. :.-. -.:. :.:.'),
  ...arms(0x5e, '.:-- .-:: .::: :.-- -.:: :.:: ::.- --.: ::.: ::-. --:. :::. ::-- --:: ::::'),
  ...arms(0x74, '-... ..-. .-.. ...- =... ..=. .=.. ...= -=.. ..-= =-.. ..=-'),
};

function arms(first: number, words: string): Record<number, string> {
  return Object.fromEntries(words.split(' ').map((word, i) => [first + i, word]));
}

function linesOf(word: string, { width, height }: Cell): Rectangle[] {
  const light = Math.max(1, Math.round(width / 8));
  const stroke = (kind: string | undefined): number => (kind === '=' ? 2 * light : kind === ':' ? 3 * light : light);
  const [left = '.', right = '.', up = '.', down = '.'] = word;
  // Arms meet in the middle: each ends where the widest line across it does.
  const across = Math.max(...[up, down].map((kind) => (kind === '.' ? light : stroke(kind))));
  const along = Math.max(...[left, right].map((kind) => (kind === '.' ? light : stroke(kind))));
  const [x0, y0] = [middle(width, across), middle(height, along)];
  const rectangles: Rectangle[] = [];
  const add = (kind: string, isFlat: boolean, from: number, to: number): void => {
    if (kind === '.') return;
    const thick = stroke(kind);
    const start = middle(isFlat ? height : width, thick);
    for (const offset of kind === ':' ? [0, 2 * light] : [0]) {
      const size = kind === ':' ? light : thick;
      rectangles.push(
        isFlat
          ? { x: from, y: start + offset, width: to - from, height: size, alpha: 1 }
          : { x: start + offset, y: from, width: size, height: to - from, alpha: 1 },
      );
    }
  };
  add(left, true, 0, x0 + across);
  add(right, true, x0, width);
  add(up, false, 0, y0 + along);
  add(down, false, y0, height);
  return rectangles;
}

function middle(size: number, thick: number): number {
  return Math.floor((size - thick) / 2);
}
