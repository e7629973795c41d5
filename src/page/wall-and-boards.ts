/** All that is loaded when one of them is meant: one file, since each of its own would have the package hold ten more. */
export { playFile } from './dropped-file.js';
export { Health } from './health.js';
export { Recordings } from './recordings.js';
export { Scrubber } from './scrubber.js';
export { Wall } from './wall.js';
