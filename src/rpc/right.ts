/**
 * The right of a connection may end while the process that has opened it stands still: a page's key, a host's place in a list. So the
 * daemon looks itself: it carries out nothing more once the file that gave the right says otherwise.
 */
import { lstatSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { ABSENT, stampOf } from '../base/file-stamp.js';
import { openSettingsFile } from '../base/settings-file.js';
import { quote, refusal, type T4aError } from '../protocol/errors.js';
import type { RightFile } from '../protocol/vocabulary.js';

/** Size that the list of hosts may have. */
const MAX_BYTES = 4 * 1024 * 1024;

export class Right {
  readonly file: RightFile;
  /** Stamp of the file when its text was read last, and held what it shall. */
  #stamp: string | undefined;

  constructor(file: RightFile) {
    this.file = file;
  }

  isOf({ path, contains, changed_at: modifiedMs }: RightFile): boolean {
    const { file } = this;
    return file.path === path && file.contains === contains && file.changed_at === modifiedMs;
  }

  /** @returns `not_allowed` once it is over. A look takes some microseconds */
  whyOver(): T4aError | undefined {
    const { path } = this.file;
    if (this.#holds()) return undefined;
    return refusal('not_allowed', `What let this connection in is over: ${quote(path)} says otherwise now.`, {
      hint: 'Open a new connection, if you still may.',
    });
  }

  #holds(): boolean {
    const { path, contains, changed_at: modifiedMs } = this.file;
    if (!isAbsolute(path)) return false;
    if (modifiedMs !== undefined && !isFrom(path, modifiedMs)) return false;
    return contains === undefined || this.#hasText(path, contains);
  }

  /** Security: a file that cannot be read, as without descriptors, gives no right. */
  #hasText(path: string, text: string): boolean {
    const stamp = stampOf(path);
    if (stamp === ABSENT) return false;
    if (stamp === this.#stamp) return true;
    try {
      if (!openSettingsFile(path, MAX_BYTES).text.includes(text)) return false;
    } catch {
      return false;
    }
    this.#stamp = stamp;
    return true;
  }
}

/** A file that was removed cannot be marked. */
function isFrom(path: string, modifiedMs: number): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined || stat.mtimeMs === modifiedMs;
  } catch {
    return false;
  }
}
