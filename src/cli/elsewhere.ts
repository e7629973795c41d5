/** Why the daemon is not at the expected path, for people who look there by hand. */
import type { Client } from '../client/client.js';
import { callersPlaces } from '../client/paths.js';
import { problemOfShared } from '../client/socket-places.js';
import { printable } from './output/printable.js';
import type { Host } from './host.js';

/** A sentence; undefined where the daemon is at the shared path. */
export function whyElsewhere(socketPath: string): string | undefined {
  const places = callersPlaces();
  if (socketPath === places.shared) return undefined;
  const because = problemOfShared(places) ?? `${JSON.stringify(places.shared)} was not free when it was started.`;
  return `The daemon is on ${JSON.stringify(socketPath)}: ${because}`;
}

/** Printed once, by the command that starts the daemon, if no setting names the path; `ping` and `doctor` repeat it. */
export function noteElsewhere(client: Client, host: Host): Client {
  const why = client.hasStartedDaemon ? whyElsewhere(client.socketPath) : undefined;
  if (why !== undefined) host.note(`t4a: ${printable(why)}\n`);
  return client;
}
