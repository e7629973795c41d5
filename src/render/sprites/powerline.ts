import { drawings } from './drawing.js';

// Separators of prompts and status lines, in the private use area. They fill the cell, so that the bar they end has no
// seam. https://github.com/ryanoasis/powerline-extra-symbols

export const powerline = drawings({
  0xe0b0: 'fill 0,0 100,50 0,100',
  0xe0b1: 'line 0,0 100,50 0,100',
  0xe0b2: 'fill 100,0 0,50 100,100',
  0xe0b3: 'line 100,0 0,50 100,100',
  0xe0b4: 'oval 0,50 100,50',
  0xe0b5: 'hoop 0,50 100,50',
  0xe0b6: 'oval 100,50 100,50',
  0xe0b7: 'hoop 100,50 100,50',
  0xe0b8: 'fill 0,0 100,100 0,100',
  0xe0b9: 'line 0,0 100,100',
  0xe0ba: 'fill 100,0 100,100 0,100',
  0xe0bb: 'line 100,0 0,100',
  0xe0bc: 'fill 0,0 100,0 0,100',
  0xe0bd: 'line 100,0 0,100',
  0xe0be: 'fill 0,0 100,0 100,100',
  0xe0bf: 'line 0,0 100,100',
  0xe0d2: 'fill 0,0 100,0 50,50 100,100 0,100; cut line 0,50 100,50',
  0xe0d4: 'fill 100,0 0,0 50,50 0,100 100,100; cut line 0,50 100,50',
});
