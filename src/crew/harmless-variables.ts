/**
 * Variables that an agent may give to a preset that is trusted. With any other one the program may be another, or run another: which
 * ones do so only each program knows, so they are asked for by name. Prefixes end in "*".
 */
const HARMLESS: readonly string[] = [
  // How it shows things.
  'TERM',
  'COLORTERM',
  'COLUMNS',
  'LINES',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  // Its language and time.
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  // Where it listens, and in which of its own ways it runs.
  'PORT',
  'CI',
  'DEBUG',
  'VERBOSE',
  'LOG_LEVEL',
  'NODE_ENV',
];

const PATTERNS = HARMLESS.map((name) => new RegExp(`^${name.replaceAll('*', '[A-Z]+')}$`));

/**
 * A value that could name a file is not harmless: `LANGUAGE` is part of a path.
 * @param own `env_names` of the preset: the person who trusts it has seen them
 * @returns those that ask for trust
 */
export function untrustedVariables(env: Readonly<Record<string, string>>, own: readonly string[]): string[] {
  const isHarmless = ([name, value]: readonly [string, string]): boolean =>
    own.includes(name) || (PATTERNS.some((pattern) => pattern.test(name)) && !value.includes('/'));
  return Object.entries(env).flatMap((one) => (isHarmless(one) ? [] : [one[0]]));
}
