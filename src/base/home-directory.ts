/** A user's home directory: HOME, else the list of users, in which a container's user may be missing. */

/** Home in containers, for a user without an entry. */
const NO_HOME = '/';

/** The module is loaded only if the environment has no HOME: that takes a quarter of a millisecond. */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env['HOME']) return env['HOME'];
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir || NO_HOME;
  } catch {
    // ENOENT of uv_os_get_passwd.
    return NO_HOME;
  }
}
