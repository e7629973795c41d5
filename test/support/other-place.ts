import { linkSync } from 'node:fs';
import { tempDir } from './temp-dir.js';

/** Another place of the same daemon, by hard links. */
export function otherPlace(of: string): string {
  const { socketPath } = tempDir();
  for (const end of ['', '.lock']) linkSync(`${of}${end}`, `${socketPath}${end}`);
  return socketPath;
}
