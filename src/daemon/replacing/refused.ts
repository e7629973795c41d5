/** The error of a replacement that was not made. */
import { T4aError } from '../../protocol/errors.js';

/** @param why as the end of a sentence */
export function refused(why: string, hint?: string): T4aError {
  return new T4aError('replace_refused', `The daemon was not replaced: ${why}.`, hint === undefined ? {} : { hint });
}
