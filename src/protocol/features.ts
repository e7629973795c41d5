/**
 * Features: what requests may carry or ask beyond the first version of the protocol. A client sends none of it to a daemon that
 * does not announce it.
 */

/** Features in `ping` and in the lock. */
export const FEATURES = [
  'scope',
  'as',
  'host',
  'restrict',
  'shared',
  'cancel',
  'stream',
  'watch',
  'control',
  'traceparent',
  'elicited',
  'changed',
  'replace',
  'as_long_as',
] as const;

/** Features of a gateway, which passes requests on: they carry the gateways that they have gone through. */
export const GATEWAY_FEATURES = [...FEATURES, 'via'] as const;

export type Feature = (typeof GATEWAY_FEATURES)[number];
