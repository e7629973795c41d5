/** Which character set an environment names: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html */

/** Letters of all languages, and nothing else of a locale: every system of today has it, installed or built in. */
export const C_UTF_8 = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';

/** The first that is set decides; an empty one is not set. */
const NAMES = ['LC_ALL', 'LC_CTYPE', 'LANG'] as const;

export interface NamedLocale {
  readonly variable: string;
  readonly locale: string;
}

/** Undefined where programs would take the one of 1968, which has no letters but the English ones. */
export function namedLocale(env: Readonly<Record<string, string | undefined>>): NamedLocale | undefined {
  const variable = NAMES.find((name) => env[name]);
  return variable === undefined ? undefined : { variable, locale: env[variable] ?? '' };
}
