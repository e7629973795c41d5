/** What is loaded when it is meant beside the terminal, or in its place: one file of the package. */
export { Blocks } from './blocks.js';
export { Feed } from './feed.js';
export { Rules } from './rules.js';
export { Wall } from './wall.js';
