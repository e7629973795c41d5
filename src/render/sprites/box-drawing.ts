import { drawArms, drawDashes, type Arms } from './arms.js';
import { drawArc } from './arc.js';
import type { Family } from './family.js';

// U+2500-257F except the three diagonals. https://www.unicode.org/charts/PDF/U2500.pdf

/** Arms up, right, down, left; 0 none, 1 light, 2 heavy, 3 double. Sixteen to a row; `....` is drawn another way. */
const ARMS =
  '0101 0202 1010 2020 0101 0202 1010 2020 0101 0202 1010 2020 0110 0210 0120 0220 ' +
  '0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120 ' +
  '2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212 ' +
  '0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212 ' +
  '2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 0101 0202 1010 2020 ' +
  '0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130 ' +
  '3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 .... .... .... ' +
  '.... .... .... .... 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010';

/** Lines drawn as this many dashes; their arms are those of the table. */
const DASHES: Readonly<Record<number, number>> = {
  0x2504: 3,
  0x2505: 3,
  0x2506: 3,
  0x2507: 3,
  0x2508: 4,
  0x2509: 4,
  0x250a: 4,
  0x250b: 4,
  0x254c: 2,
  0x254d: 2,
  0x254e: 2,
  0x254f: 2,
};

const FIRST = 0x2500;
const LAST = 0x257f;
const FIRST_ARC = 0x256d;
/** The two edges that each arc joins, from U+256D on. */
const ARCS = ['DR', 'DL', 'UL', 'UR'] as const;
const FIRST_DIAGONAL = 0x2571;
const LAST_DIAGONAL = 0x2573;

export const boxDrawing: Family = {
  has: (codePoint) =>
    codePoint >= FIRST && codePoint <= LAST && (codePoint < FIRST_DIAGONAL || codePoint > LAST_DIAGONAL),
  draw(codePoint, cell) {
    const arc = ARCS[codePoint - FIRST_ARC];
    if (arc !== undefined) return drawArc(arc, cell);
    const dashes = DASHES[codePoint];
    const arms = armsOf(codePoint);
    return dashes === undefined ? drawArms(arms, cell) : drawDashes(arms, dashes, cell);
  },
};

/** The arms of a box-drawing character that is made of straight lines. */
function armsOf(codePoint: number): Arms {
  const at = (codePoint - FIRST) * 5;
  const weight = (arm: number) => Number(ARMS[at + arm]);
  return { up: weight(0), right: weight(1), down: weight(2), left: weight(3) };
}
