import { drawings } from './drawing.js';

// Progress bar and spinner, in the private use area: left, middle, right, each empty and full, then six frames of an
// arc that runs clockwise. https://github.com/tonsky/FiraCode/issues/1182

export const progress = drawings({
  0xee00: 'line 100,12 20,12 20,88 100,88',
  0xee01: 'line 0,12 100,12; line 0,88 100,88',
  0xee02: 'line 0,12 80,12 80,88 0,88',
  0xee03: 'line 100,12 20,12 20,88 100,88; rect 50,27 100,73',
  0xee04: 'line 0,12 100,12; line 0,88 100,88; rect 0,27 100,73',
  0xee05: 'line 0,12 80,12 80,88 0,88; rect 0,27 50,73',
  0xee06: 'disc 50,50 48; cut disc 50,50 32; keep 50,50 -50,0 150,0',
  0xee07: 'disc 50,50 48; cut disc 50,50 32; keep 50,50 50,-50 223,-50 223,100',
  0xee08: 'disc 50,50 48; cut disc 50,50 32; keep 50,50 223,0 223,150 50,150',
  0xee09: 'disc 50,50 48; cut disc 50,50 32; keep -100,50 200,50 200,150 -100,150',
  0xee0a: 'disc 50,50 48; cut disc 50,50 32; keep 50,50 50,150 -123,150 -123,0',
  0xee0b: 'disc 50,50 48; cut disc 50,50 32; keep 50,50 -123,100 -123,-50 50,-50',
});
