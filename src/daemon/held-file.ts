/** A condition of a start: what allowed it is written in a file, which may have changed since the request was sent. */
import { isAbsolute } from 'node:path';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { errnoOf } from '../base/errno.js';
import { quote, T4aError } from '../protocol/errors.js';
import type { IfFile } from '../protocol/vocabulary.js';

/** Call it in the same step as the start. @throws T4aError `file_changed` */
export function assertHolds(condition: IfFile | undefined): void {
  if (condition === undefined) return;
  const { path, contains } = condition;
  const why = isAbsolute(path) ? whyNot(path, contains) : 'is no absolute path';
  if (why === undefined) return;
  throw new T4aError('file_changed', `${quote(path)} ${why}: nothing was started.`, {
    field: 'if_file',
    hint: 'What allowed this is over: ask again whether it is allowed.',
  });
}

function whyNot(path: string, contains: string): string | undefined {
  try {
    return openSettingsFile(path).text.includes(contains) ? undefined : 'does not hold that text any more';
  } catch (error) {
    if (error instanceof RefusedFile) return error.message;
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return `cannot be read (${code})`;
  }
}
