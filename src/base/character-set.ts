/**
 * The character set that an environment names: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
 */

/** Letters of all languages without other locale settings: every current system has it, installed or built in. */
export const C_UTF_8 = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';

/** The first that is set decides; an empty one counts as unset. */
const NAMES = ['LC_ALL', 'LC_CTYPE', 'LANG'] as const;

export interface NamedLocale {
  readonly variable: string;
  readonly locale: string;
}

/** Undefined if programs would assume ASCII. */
export function namedLocale(env: Readonly<Record<string, string | undefined>>): NamedLocale | undefined {
  const variable = NAMES.find((name) => env[name]);
  return variable === undefined ? undefined : { variable, locale: env[variable] ?? '' };
}
