/** What is loaded when it is meant beside the terminal, or the rules in its place. */
export { Blocks } from './blocks.js';
export { Feed } from './feed.js';
export { Rules } from './rules.js';
