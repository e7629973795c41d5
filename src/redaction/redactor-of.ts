/** The redactor of some settings: made with its first use, and kept while the settings and the variables are the same objects. */
import { namesPattern, Redactor, type RedactSettings, type Variables } from './redactor.js';

const made = new WeakMap<RedactSettings, WeakMap<Variables, Redactor>>();

/**
 * Undefined if there is nothing to mask. @param own variables of the program @param common those of all, always the same ones
 * @throws T4aError bad_regex
 */
export function redactorOf(settings: RedactSettings, own: Variables, common: Variables = {}): Redactor | undefined {
  const { patterns, variables, known } = settings;
  if (patterns.length === 0 && variables.length === 0 && !known) return undefined;
  const ofSettings = made.get(settings) ?? new WeakMap<Variables, Redactor>();
  made.set(settings, ofSettings);
  const redactor = ofSettings.get(own) ?? new Redactor(settings, [common, own]);
  ofSettings.set(own, redactor);
  return redactor.isOff ? undefined : redactor;
}

export const NO_VARIABLES: Variables = {};

/** Variables of these that are named. */
export function namedVariables({ variables }: RedactSettings, environment: Variables): Variables {
  if (variables.length === 0) return NO_VARIABLES;
  const meant = namesPattern(variables);
  const named = Object.entries(environment).filter(([name]) => meant.test(name));
  return named.length === 0 ? NO_VARIABLES : Object.fromEntries(named);
}
