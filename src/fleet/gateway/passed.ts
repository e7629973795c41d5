/**
 * Requests that a gateway passes to all of its hosts. Two gateways that list each other would pass them on without end: so
 * they carry the gateways that they have gone through, to gateways that announce that they read it (`via`).
 */
import type { Pong } from '../../client/handshake.js';
import { hasFeature } from '../../client/envelope.js';
import { T4aError } from '../../protocol/errors.js';
import type { Passed } from '../../protocol/request.js';

/** Most gateways in a row. */
export const MOST_GATEWAYS = 8;

/** @throws T4aError host_alias if the request is this gateway's own, or has gone through too many */
export function assertNotPassed(instance: string | undefined, { via = [] }: Passed): void {
  if (instance !== undefined && via.includes(instance)) {
    throw new T4aError('host_alias', 'This gateway asks itself: the list of one of its hosts leads back to it.', {
      hint: 'Of two gateways that list each other, take one out of the list of the other.',
      field: 'host',
    });
  }
  if (via.length >= MOST_GATEWAYS) {
    throw new T4aError('host_alias', `The request has gone through ${via.length} gateways: at most ${MOST_GATEWAYS}.`, {
      hint: 'Name the host that is meant.',
      field: 'host',
    });
  }
}

/** Fields of the request for the next one. A daemon, which passes nothing on, and an older gateway get none. */
export function passedOn(instance: string | undefined, { via = [] }: Passed, next: Pong): Passed {
  return instance !== undefined && hasFeature(next, 'via') ? { via: [...via, instance] } : {};
}
