/** All that is loaded when one of them is meant: one file, since the package would hold ten more if each had its own. */
import { playFile } from './dropped-file.js';
import { Health } from './health.js';
import { Recordings } from './recordings.js';
import { Scrubber } from './scrubber.js';
import { Wall } from './wall.js';

export const parts = { Health, Recordings, Scrubber, Wall, playFile };
