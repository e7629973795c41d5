/** The error of a replacement that was not made. */
import { T4aError } from '../../protocol/errors.js';

const NO_FILES =
  'Raise its limit on open files, by "prlimit --nofile=4096 --pid PID" with the pid of "t4a ping", or end some terminals.';

export function noOpenFiles(): T4aError {
  return refused('it has no room for another open file', NO_FILES);
}

/** @param why as the end of a sentence */
export function refused(why: string, hint?: string): T4aError {
  return new T4aError('replace_refused', `The daemon was not replaced: ${why}.`, hint === undefined ? {} : { hint });
}
