/** What is loaded when it is meant beside the terminal, or the rules in its place; their styles with them. */
import styles from './beside.css';
import { awayLine } from './away-line.js';
import { Blocks } from './blocks.js';
import { Feed } from './feed.js';
import { Rules } from './rules.js';

export const beside = { Blocks, Feed, Rules, awayLine };

/** A constructed sheet passes the policy of the page. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
