/** Code that `t4a join` loads. */
import { hostname } from 'node:os';
import { T4aError, quote } from '../protocol/errors.js';
import { readCredentials } from './credentials.js';
import type { FleetUrl } from './fleet-url.js';
import { isLabel } from './presence.js';
import { inboxOf, isToken } from './subjects.js';

export { makeKey } from './credentials.js';
export { serveAgent } from './agent.js';
export { type FleetUrl, isLevel, LEVELS, type Level, parseFleetUrl } from './fleet-url.js';
export { hostsOfFleet, openHostLink } from './host-link.js';
export { permissionsOf } from './permissions.js';

/** @param given by its user; default: the first part of the name of the machine @throws T4aError `usage` */
export function nameOfHost(given: string | undefined): string {
  const name = given ?? hostname().split('.')[0] ?? '';
  if (isToken(name) && name !== 'local') return name;
  throw new T4aError('usage', `${quote(name)} cannot be the name of a host in a fleet.`, {
    hint: 'Letters, digits, "_" and "-", at most 64: --name NAME',
  });
}

/** Inbox at which the user of these credentials is answered. @throws T4aError `usage` */
export function inboxOfUrl({ creds }: FleetUrl): string {
  return inboxOf(creds === undefined ? undefined : readCredentials(creds).user);
}

/** @throws T4aError `usage` */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const wrong = Object.entries(labels).find((pair) => !isLabel(pair));
  if (wrong === undefined && Object.keys(labels).length <= 32) return;
  throw new T4aError('usage', `${quote(wrong?.join('=') ?? 'More than 32')} cannot be labels of a host.`, {
    hint: 'NAME=VALUE without controls, of at most 128 characters each, and at most 32 of them.',
  });
}
