import { drawings } from './drawing.js';

// Circles and ellipses that reach over several cells, each cell with its part.

export const circles = drawings({
  // Halves and quarters of a circle as wide as the cell, around the middle of an edge or around a corner.
  0x1fbe0: 'ring 50,0 50',
  0x1fbe1: 'ring 100,50 50',
  0x1fbe2: 'ring 50,100 50',
  0x1fbe3: 'ring 0,50 50',
  0x1fbe8: 'disc 50,0 50',
  0x1fbe9: 'disc 100,50 50',
  0x1fbea: 'disc 50,100 50',
  0x1fbeb: 'disc 0,50 50',
  0x1fbec: 'disc 100,0 50',
  0x1fbed: 'disc 0,100 50',
  0x1fbee: 'disc 100,100 50',
  0x1fbef: 'disc 0,0 50',
  0x1ce00: 'ring 0,50 50; ring 100,50 50',
  0x1ce01: 'ring 50,0 50; ring 50,100 50',
  0x1ce0b: 'hoop 100,50 100,50',
  0x1ce0c: 'hoop 0,50 100,50',

  // Twelve cells around an outline four cells wide and high, and in their middle four cells of one half that size.
  0x1cc30: 'hoop 200,200 200,200',
  0x1cc31: 'hoop 100,200 200,200',
  0x1cc32: 'hoop 0,200 200,200',
  0x1cc33: 'hoop -100,200 200,200',
  0x1cc34: 'hoop 200,100 200,200',
  0x1cc35: 'hoop 100,100 100,100',
  0x1cc36: 'hoop 0,100 100,100',
  0x1cc37: 'hoop -100,100 200,200',
  0x1cc38: 'hoop 200,0 200,200',
  0x1cc39: 'hoop 100,0 100,100',
  0x1cc3a: 'hoop 0,0 100,100',
  0x1cc3b: 'hoop -100,0 200,200',
  0x1cc3c: 'hoop 200,-100 200,200',
  0x1cc3d: 'hoop 100,-100 200,200',
  0x1cc3e: 'hoop 0,-100 200,200',
  0x1cc3f: 'hoop -100,-100 200,200',
});
