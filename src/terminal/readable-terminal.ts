/** What texts, pictures and searches read: a terminal as it is, or as it was. */
import type { HasParts } from '../base/parts.js';
import type { ReadableScreen } from '../vt/readable-screen.js';
import type { Snapshot } from '../vt/snapshot.js';

export interface ReadableTerminal extends HasParts {
  readonly screen: ReadableScreen;
  /** In place of itself, what pictures of it share their parts under. */
  readonly pictures?: HasParts;
  snapshot(): Snapshot;
}
