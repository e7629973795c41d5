import { describe, expect, it } from 'vitest';
import { at, column, draw, edge, ODD_SIZES, pieces, row, SIZES, tiled, type EdgeName } from './mask-probes.js';

/** What the names in the Unicode character database say of each solid line character, edge by edge. */
const REACHES: Record<EdgeName, Record<'none' | 'light' | 'heavy' | 'double', string>> = {
  up: {
    none: '─━┌┍┎┏┐┑┒┓┬┭┮┯┰┱┲┳═╒╓╔╕╖╗╤╥╦╭╮╴╶╷╸╺╻╼╾',
    light: '│└┕┘┙├┝┟┢┤┥┧┪┴┵┶┷┼┽┾┿╁╅╆╈╘╛╞╡╧╪╯╰╵╽',
    heavy: '┃┖┗┚┛┞┠┡┣┦┨┩┫┸┹┺┻╀╂╃╄╇╉╊╋╹╿',
    double: '║╙╚╜╝╟╠╢╣╨╩╫╬',
  },
  right: {
    none: '│┃┐┑┒┓┘┙┚┛┤┥┦┧┨┩┪┫║╕╖╗╛╜╝╡╢╣╮╯╴╵╷╸╹╻╽╿',
    light: '─┌┎└┖├┞┟┠┬┭┰┱┴┵┸┹┼┽╀╁╂╃╅╉╓╙╟╥╨╫╭╰╶╾',
    heavy: '━┍┏┕┗┝┡┢┣┮┯┲┳┶┷┺┻┾┿╄╆╇╈╊╋╺╼',
    double: '═╒╔╘╚╞╠╤╦╧╩╪╬',
  },
  down: {
    none: '─━└┕┖┗┘┙┚┛┴┵┶┷┸┹┺┻═╘╙╚╛╜╝╧╨╩╯╰╴╵╶╸╹╺╼╾',
    light: '│┌┍┐┑├┝┞┡┤┥┦┩┬┭┮┯┼┽┾┿╀╃╄╇╒╕╞╡╤╪╭╮╷╿',
    heavy: '┃┎┏┒┓┟┠┢┣┧┨┪┫┰┱┲┳╁╂╅╆╈╉╊╋╻╽',
    double: '║╓╔╖╗╟╠╢╣╥╦╫╬',
  },
  left: {
    none: '│┃┌┍┎┏└┕┖┗├┝┞┟┠┡┢┣║╒╓╔╘╙╚╞╟╠╭╰╵╶╷╹╺╻╽╿',
    light: '─┐┒┘┚┤┦┧┨┬┮┰┲┴┶┸┺┼┾╀╁╂╄╆╊╖╜╢╥╨╫╮╯╴╼',
    heavy: '━┑┓┙┛┥┩┪┫┭┯┱┳┵┷┹┻┽┿╃╅╇╈╉╋╸╾',
    double: '═╕╗╛╝╡╣╤╦╧╩╪╬',
  },
};
const WEIGHTS = ['light', 'heavy', 'double'] as const;

const OPPOSITE = { up: 'down', right: 'left', down: 'up', left: 'right' } as const;
const EDGES = ['up', 'right', 'down', 'left'] as const;

/** The pixels of the upper edge as text. */
function across(character: string, width: number, height: number): string {
  const pixels = edge(draw(character, [width, height]), 'up');
  return pixels.map((ink) => (ink === 255 ? '#' : '.')).join('');
}

describe('box drawing', () => {
  it('touches each edge exactly where any mate of the same weight touches the opposite edge', () => {
    // In four pixels the double line, three thick, lies at an edge itself.
    for (const size of ODD_SIZES.filter((sides) => Math.min(...sides) > 4)) {
      for (const name of EDGES) {
        for (const weight of WEIGHTS) {
          const profiles = (of: EdgeName) =>
            Array.from(
              REACHES[of][weight],
              (character) => [character, edge(draw(character, size), of).join()] as const,
            );
          const mates = profiles(OPPOSITE[name]);
          const apart = profiles(name).flatMap(([character, profile]) =>
            mates.filter(([, mate]) => mate !== profile).map(([mate]) => character + mate),
          );
          expect(apart, `${weight} ${name} at ${size.join('x')}`).toEqual([]);
        }
      }
    }
  });

  it('does not touch the edges without an arm', () => {
    for (const size of SIZES) {
      for (const name of EDGES) {
        for (const character of REACHES[name].none) {
          const mask = draw(character, size);
          expect(Math.max(...edge(mask, name)), `${character} ${name} at ${size.join('x')}`).toBe(0);
        }
      }
    }
  });

  it('gives light lines one stroke, heavy ones two, double ones two with a gap of one between', () => {
    expect(across('│', 8, 16)).toBe('...#....');
    expect(across('┃', 8, 16)).toBe('...##...');
    expect(across('║', 8, 16)).toBe('..#.#...');
    expect(across('│', 7, 14)).toBe('...#...');
    expect(across('┃', 7, 14)).toBe('..##...');
    expect(across('║', 7, 14)).toBe('..#.#..');
    expect(across('│', 20, 40)).toBe('.........##.........');
    expect(across('┃', 20, 40)).toBe('........####........');
    expect(across('║', 20, 40)).toBe('.......##..##.......');
  });

  it('tiles into lines without a seam', () => {
    for (const size of ODD_SIZES) {
      for (const character of '─━═') {
        const line = tiled([[draw(character, size), draw(character, size), draw(character, size)]]);
        for (let y = 0; y < line.height; y++) expect(new Set(row(line, y)).size).toBe(1);
      }
      for (const character of '│┃║') {
        const line = tiled([[draw(character, size)], [draw(character, size)], [draw(character, size)]]);
        for (let x = 0; x < line.width; x++) expect(new Set(column(line, x)).size).toBe(1);
      }
    }
  });

  it('closes boxes: light and heavy frames are one piece of ink, double frames two', () => {
    const frames: [string, number][] = [
      ['┌┬┐├┼┤└┴┘', 1],
      ['┏┳┓┣╋┫┗┻┛', 1],
      ['┍┯┑┝┿┥┕┷┙', 1],
      ['┎┰┒┠╂┨┖┸┚', 1],
      // Light and double together hang from the light lines; doubles alone are an outline and one frame in each field.
      ['╒╤╕╞╪╡╘╧╛', 1],
      ['╓╥╖╟╫╢╙╨╜', 1],
      ['╔╦╗╠╬╣╚╩╝', 5],
    ];
    for (const size of SIZES) {
      for (const [frame, count] of frames) {
        const masks = Array.from(frame, (character) => draw(character, size));
        const picture = tiled([masks.slice(0, 3), masks.slice(3, 6), masks.slice(6, 9)]);
        expect(pieces(picture).length, `${frame} at ${size.join('x')}`).toBe(count);
      }
    }
  });

  it('keeps the gap of a double line open at branches, and closed where a single line crosses', () => {
    for (const size of SIZES) {
      const middle = edge(draw('│', size), 'up').indexOf(255);
      const level = edge(draw('─', size), 'left').indexOf(255);
      const gapAt = (character: string) => at(draw(character, size), middle, level);
      expect(Array.from('═║╔╗╚╝╠╣╦╩╬╤╧╟╢', gapAt)).toEqual(Array.from('═║╔╗╚╝╠╣╦╩╬╤╧╟╢', () => 0));
      expect(Array.from('╪╫╞╡╥╨╒╕╘╛╓╖╙╜', gapAt).slice(0, 6)).toEqual([255, 255, 255, 255, 255, 255]);
    }
  });

  it('rounds corners with arcs that end in the middle of the edges and leave the corner itself empty', () => {
    for (const size of SIZES) {
      const frame = tiled([
        [draw('╭', size), draw('─', size), draw('╮', size)],
        [draw('│', size), draw('╳', size), draw('│', size)],
        [draw('╰', size), draw('─', size), draw('╯', size)],
      ]);
      expect(pieces(frame).length).toBe(2);
      const square = edge(draw('│', size), 'up').indexOf(255);
      expect(at(draw('╭', size), square, edge(draw('─', size), 'left').indexOf(255))).toBeLessThan(128);
    }
  });

  it('draws the number of dashes in their name, spaced evenly over any run of cells', () => {
    const dashed: [string, number][] = [
      ['╌╍', 2],
      ['┄┅', 3],
      ['┈┉', 4],
    ];
    for (const size of SIZES) {
      for (const [characters, count] of dashed) {
        for (const character of characters) {
          const mask = draw(character, size);
          const run = tiled([[mask, mask, mask]]);
          const fits = size[0] >= 2 * count;
          expect(pieces(run).length, `${character} at ${size.join('x')}`).toBe(fits ? 3 * count : 1);
        }
      }
    }
    for (const size of SIZES) {
      for (const [character, count] of [...'╎2╏2┆3┇3┊4┋4'.matchAll(/(.)(\d)/g)].map(
        (m) => [m[1]!, Number(m[2])] as const,
      )) {
        const mask = draw(character, size);
        expect(pieces(tiled([[mask], [mask], [mask]])).length, character).toBe(3 * count);
      }
    }
  });

  it('draws dashes solid if they do not fit', () => {
    expect(draw('┈', [7, 14])).toEqual(draw('─', [7, 14]));
    expect(draw('┉', [7, 14])).toEqual(draw('━', [7, 14]));
    expect(draw('┊', [4, 4])).toEqual(draw('│', [4, 4]));
  });
});
