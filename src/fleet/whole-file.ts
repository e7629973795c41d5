/** Changes a file of the configuration or state folder: it is whole at every instant, and its owner's alone. */
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { lessenFile } from '../base/lessened-file.js';
import { replaceBy, waitForDraft } from '../base/private-file.js';
import { T4aError } from '../protocol/errors.js';

export interface ChangeOptions {
  /** Milliseconds to wait for another t4a; the thread is blocked until then. */
  readonly waitMs?: number;
  /** Whether rights are taken out of the file: on a full disk they end, too. */
  readonly endsRights?: boolean;
}

/**
 * Security: the draft is the claim of one t4a among several, which reads, changes and writes under it. What one removes, another that has
 * read it before does not put back.
 *
 * @param make what the file shall have, from what it has then; undefined leaves it as it is, null removes it
 * @throws T4aError `usage`; what `make` throws
 */
export function changeWhole(path: string, make: () => object | null | undefined, options: ChangeOptions = {}): void {
  const { waitMs, endsRights = false } = options;
  let thrown: unknown;
  const content = (): string | null => {
    try {
      const value = make();
      if (value === null) return null;
      if (value !== undefined) return `${JSON.stringify(value, null, 2)}\n`;
    } catch (error) {
      thrown = error;
    }
    throw UNCHANGED;
  };
  try {
    makeFolder(dirname(path), 0o700);
    if (endsRights) {
      if (!lessenFile(path, content, waitMs)) throw claimed(path);
      return;
    }
    const draft = waitForDraft(`${path}.new`, waitMs);
    if (draft === undefined) throw claimed(path);
    replaceBy(draft, path, content);
  } catch (error) {
    if (thrown !== undefined) throw thrown;
    if (error === UNCHANGED) return;
    if (error instanceof T4aError) throw error;
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
}

const UNCHANGED = new Error('The file stays as it is.');

function claimed(path: string): T4aError {
  return new T4aError(
    'usage',
    `${JSON.stringify(`${path}.new`)} is there: another t4a changes ${JSON.stringify(path)}.`,
    {
      hint: 'If none does, it gives way after ten seconds; without /proc, remove the file.',
    },
  );
}
