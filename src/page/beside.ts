/** What is loaded when it is meant beside the terminal, or the rules in its place. */
import { Blocks } from './blocks.js';
import { Feed } from './feed.js';
import { Rules } from './rules.js';

export const beside = { Blocks, Feed, Rules };
