/** The redactor of some settings: made with its first use, and kept while the settings are the same objects. */
import { namesPattern, Redactor, type RedactSettings, type Variables } from './redactor.js';

const made = new WeakMap<
  RedactSettings,
  { readonly environments: readonly Variables[]; readonly redactor: Redactor }
>();

/** Undefined if there is nothing to mask. @throws T4aError bad_regex */
export function redactorOf(settings: RedactSettings, environments: readonly Variables[]): Redactor | undefined {
  const { patterns, variables, known } = settings;
  if (patterns.length === 0 && variables.length === 0 && !known) return undefined;
  const last = made.get(settings);
  const isSame = last?.environments.length === environments.length;
  const redactor =
    isSame && last.environments.every((one, i) => one === environments[i])
      ? last.redactor
      : new Redactor(settings, environments);
  made.set(settings, { environments, redactor });
  return redactor.isOff ? undefined : redactor;
}

/** Of these, the named ones. */
export function namedVariables({ variables }: RedactSettings, environment: Variables): Variables {
  if (variables.length === 0) return NONE;
  const meant = namesPattern(variables);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => meant.test(name)));
}

const NONE: Variables = {};
