/** Where a user's own files are: what HOME says, else the list of users, in which one of a container's need not be. */

/** Of containers for a user without an entry. */
const NO_HOME = '/';

/** The module is loaded only where the environment does not say: that takes a quarter of a millisecond. */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env['HOME']) return env['HOME'];
  try {
    return process.getBuiltinModule('node:os').homedir() || NO_HOME;
  } catch {
    // ENOENT of uv_os_homedir.
    return NO_HOME;
  }
}
