import { drawings } from './drawing.js';

// What the supplement to the symbols for legacy computing has of lines and simple shapes. Its pictograms, outlined
// letters and large type pieces are left to the fonts. Ladders and ticks follow their names: the code charts leave
// their proportions open.
// https://www.unicode.org/charts/PDF/U1CC00.pdf

export const supplement = drawings({
  // Lines along an edge of the cell join light lines through its middle.
  0x1cc1b: 'line 0,50 100,50; line 99.9,0 99.9,50',
  0x1cc1c: 'line 0,50 100,50; line 99.9,50 99.9,100',
  0x1cc1d: 'line 0,0.1 100,0.1; line 0.1,0 0.1,50',
  0x1cc1e: 'line 0,99.9 100,99.9; line 0.1,50 0.1,100',
  0x1ce16: 'line 50,0 50,100; line 50,0.1 100,0.1',
  0x1ce17: 'line 50,0 50,100; line 50,99.9 100,99.9',
  0x1ce18: 'line 50,0 50,100; line 0,0.1 50,0.1',
  0x1ce19: 'line 50,0 50,100; line 0,99.9 50,99.9',

  // Double diagonals: the two lines leave each corner at a quarter of either edge.
  0x1cc1f: 'line 75,0 0,75; line 100,25 25,100',
  0x1cc20: 'line 25,0 100,75; line 0,25 75,100',
  0x1ce09: 'line 0,75 50,25 100,75; line 25,100 50,75 75,100',
  0x1ce0a: 'line 0,25 50,75 100,25; line 25,0 50,25 75,0',

  // Three dashes over two cells, and lines with ticks.
  0x1ce0d: 'line 10,50 56,50; line 77,50 100,50',
  0x1ce0e: 'line 0,50 23,50; line 44,50 90,50',
  0x1ce0f: 'line 0,50 100,50; line 50,35 50,65',
  0x1ce12: 'line 0,50 100,50; line 17,35 17,65; line 50,35 50,65; line 83,35 83,65',
  0x1ce15: 'line 50,0 50,100; line 20,17 80,17; line 20,50 80,50; line 20,83 80,83',
  0x1cc90: 'line 50,0 50,100; line 20,12.5 80,12.5; line 20,37.5 80,37.5; line 20,62.5 80,62.5; line 20,87.5 80,87.5',
  0x1cc91: 'line 0,50 100,50; line 12.5,35 12.5,65; line 37.5,35 37.5,65; line 62.5,35 62.5,65; line 87.5,35 87.5,65',
  0x1cc84: 'line 0.1,0 0.1,100; line 99.9,0 99.9,100; line 0,25 100,25; line 0,75 100,75',
  0x1cc85: 'line 0,0.1 100,0.1; line 0,99.9 100,99.9; line 25,0 25,100; line 75,0 75,100',

  // Discs and squares.
  0x1cc6b: 'disc 50,50 50; cut fill 50,50 0,25 0,75',
  0x1cc6c: 'disc 50,50 50; cut fill 50,50 0,25 100,25',
  0x1cc6d: 'disc 50,50 50; cut fill 50,50 100,25 100,75',
  0x1cc6e: 'disc 50,50 50; cut fill 50,50 0,75 100,75',
  0x1cc8d: 'block 0,0 8,8; cut fill 50,25 100,50 50,75 0,50',
  0x1cc8e: 'block 0,0 1,8; block 0,0 8,1; rect 34,40 78,62',
  0x1cc8f: 'block 0,0 8,8; cut block 2,3 6,5',
});
