/** Hints to an error that another host has answered: what that host proposes itself is not taken. */

const HINTS: Readonly<Record<string, (id: string) => string>> = {
  control_held: (id) => `t4a wait ${id} --control free`,
  terminal_not_found: () => 't4a list',
};

/** @param id of the request, perhaps with its host */
export function hintForCode(code: string, id: unknown): string | undefined {
  return typeof id === 'string' ? HINTS[code]?.(id.slice(id.lastIndexOf('/') + 1)) : undefined;
}
