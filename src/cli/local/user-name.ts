/** A person has a name without giving one: that of the user, also in a container that sets no USER. */
const IS_NAME = /^[A-Za-z0-9_][\w.-]{0,63}$/;

export function userName(env: Readonly<Record<string, string | undefined>>): string {
  const names = [env['USER'], env['LOGNAME'], nameOfUid()];
  return names.find((name) => name !== undefined && IS_NAME.test(name)) ?? `uid-${process.getuid?.() ?? 0}`;
}

function nameOfUid(): string | undefined {
  try {
    return process.getBuiltinModule('node:os').userInfo().username;
  } catch {
    // The list of users does not have it.
    return undefined;
  }
}
