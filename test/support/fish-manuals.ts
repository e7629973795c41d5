/**
 * Keeps a fish with that data folder from its manual pages: without this folder it starts a program in the background that writes
 * completions of all of them there, also once the test has ended and its directory is being removed.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** @param dataHome `$XDG_DATA_HOME`; by default `.local/share` of the home */
export function keepFishFromManuals(dataHome: string): void {
  mkdirSync(path.join(dataHome, 'fish/generated_completions'), { recursive: true });
}
