/** What features use that look at a terminal: with pictures. */
import type { Terminal } from '../../terminal/terminal.js';
import type { Core } from '../core.js';
import type { Pictures } from './pictures.js';
import type { Prefetch } from './prefetch.js';
import type { Themes } from './themes.js';

export interface LookingCore extends Core {
  readonly looks: Looks;
}

export interface Looks {
  readonly themes: Themes;
  readonly pictures: Pictures;
  readonly prefetch: Prefetch<Terminal>;
}
