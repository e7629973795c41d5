import { describe, expect, it } from 'vitest';
import { at, draw, edge, SIZES } from './mask-probes.js';

describe('graph pieces', () => {
  it('keep a commit apart from the neighbours that it is not joined to', () => {
    for (const size of SIZES) {
      for (const codePoint of [0xf5ee, 0xf5ef]) {
        for (const name of ['up', 'right', 'down', 'left'] as const) {
          expect(Math.max(...edge(draw(codePoint, size), name))).toBe(0);
        }
      }
    }
  });

  it('consist of the level, upright and curved lines in the proposal, in its order', () => {
    const made = '│╰ │╭ ╰╭ │╯ │╮ ╯╮ ─╮ ─╭ ╮╭ ─╯ ─╰ ╰╯ │╯╰ │╮╭ ─╯╮ ─╰╭ │╯╭ │╰╮ ─╯╭ ─╰╮'.split(' ');
    for (const size of SIZES) {
      expect([0xf5d0, 0xf5d1, 0xf5d6, 0xf5d7, 0xf5d8, 0xf5d9].map((line) => draw(line, size))).toEqual(
        Array.from('─│╭╮╰╯', (line) => draw(line, size)),
      );
      made.forEach((lines, index) => {
        const mask = draw(0xf5da + index, size);
        const parts = Array.from(lines, (line) => draw(line, size).alpha);
        const odd = [...mask.alpha.keys()].filter((i) => {
          const shares = parts.map((alpha) => alpha[i]!);
          const sum = shares.reduce((total, share) => total + share, 0);
          // Ink where lines overlap is no more than all of theirs, and no less than the most of one.
          return mask.alpha[i]! < Math.max(...shares) || mask.alpha[i]! > sum + 1;
        });
        expect(odd, `${lines} at ${size.join('x')}`).toEqual([]);
      });
    }
  });

  it('join commits to the edges in the proposal, in its order', () => {
    const joined = ',R,L,LR,D,U,UD,RD,LD,UR,UL,UDR,UDL,DLR,ULR,UDLR'.split(',');
    for (const size of SIZES) {
      joined.forEach((edges, index) => {
        for (const filled of [0, 1]) {
          const mask = draw(0xf5ee + 2 * index + filled, size);
          for (const [letter, name, line] of [
            ['U', 'up', '│'],
            ['R', 'right', '─'],
            ['D', 'down', '│'],
            ['L', 'left', '─'],
          ] as const) {
            const joint = edge(draw(line, size), name);
            const expected = edges.includes(letter) ? joint : joint.map(() => 0);
            expect(edge(mask, name), `${edges} ${name} at ${size.join('x')}`).toEqual(expected);
          }
        }
      });
    }
  });

  it('fill one commit of each pair and leave the middle of the other open', () => {
    for (const size of SIZES) {
      const x = edge(draw('│', size), 'up').indexOf(255);
      const y = edge(draw('─', size), 'left').indexOf(255);
      for (let filled = 0xf5ee; filled < 0xf60e; filled += 2) {
        expect(at(draw(filled, size), x, y)).toBe(255);
        expect(at(draw(filled + 1, size), x, y)).toBe(0);
      }
    }
  });

  it('fade from a full line at one edge to almost nothing at the other', () => {
    for (const size of SIZES) {
      for (const [codePoint, from, to] of [
        [0xf5d2, 'left', 'right'],
        [0xf5d3, 'right', 'left'],
        [0xf5d4, 'up', 'down'],
        [0xf5d5, 'down', 'up'],
      ] as const) {
        const mask = draw(codePoint, size);
        const line = draw(from === 'left' || from === 'right' ? '─' : '│', size);
        expect(edge(mask, from)).toEqual(edge(line, from));
        expect(Math.max(...edge(mask, to))).toBeLessThan(60);
      }
    }
  });
});
