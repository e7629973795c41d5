/** Envelope that a client sends with every request beside the fields of its command, and to which daemons. */
import type { Feature } from '../protocol/features.js';
import type { Envelope } from '../protocol/request.js';

/** Person or program for whom a client asks. */
export interface Asker {
  /** Group of requests that share their "@". Default: one of the client's own. Empty: none, then "@" is the latest of all. */
  readonly scope?: string | undefined;
  /** Name of the author. Default: none. */
  readonly as?: string | undefined;
}

/**
 * The fields that a daemon announces in its lock or in its `pong`. Others, and daemons that are not known, get none: an
 * older daemon refuses unknown fields.
 */
export function envelopeFor({ scope, as }: Asker, announced: object | undefined): Envelope {
  return {
    ...(scope !== undefined && scope !== '' && hasFeature(announced, 'scope') ? { scope } : {}),
    ...(as !== undefined && hasFeature(announced, 'as') ? { as } : {}),
  };
}

export function hasFeature(announced: object | undefined, feature: Feature): boolean {
  const features: unknown = announced !== undefined && 'features' in announced ? announced.features : undefined;
  return Array.isArray(features) && features.includes(feature);
}

/** Not a secret: it only has to differ from the others of a daemon. */
export function randomName(): string {
  return `r${Math.random().toString(36).slice(2)}`;
}
