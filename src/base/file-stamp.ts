/** Whether a file is as it was: its number, length and times, of what a link leads to. That of Node is taken when it is asked. */
import { errnoOf } from './errno.js';

export const ABSENT = 'absent';

/** Another file, or another content, has another one. A file that cannot be looked at has its error. */
export function stampOf(path: string): string {
  const { statSync } = process.getBuiltinModule('node:fs');
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? ABSENT : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch (error) {
    return errnoOf(error) ?? String(error);
  }
}
