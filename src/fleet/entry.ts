/** Code that the command line and the library load once another host is meant. */
import type { Route } from '../client/route.js';
import { routeOf, withOthers } from './host-list.js';
import { hostRoute } from './host-route.js';
import { callersHosts, callersHostsNow, hostsOfUrl, PLACES } from './hosts.js';
import { whileListed } from './while-listed.js';

export {
  eventsOfAll,
  hostForTerminal,
  hostOfTerminal,
  listAll,
  type EventOfHost,
  type ListOfAll,
} from './all-hosts.js';
export { editHosts, emptyGlobs, listedHosts } from './edit-hosts.js';
export { natsFleet } from './nats-fleet.js';
export { callersHosts, callersHostsNow, hostsOfUrl };

/** @param on name of a host, or a URL @throws T4aError `host_unknown`, `host_ambiguous`, `usage` */
export function routeTo(on: string): Route {
  if (/^[a-z]+:/.test(on)) return hostRoute(withOthers(routeOf(on, on, PLACES), callersHosts().routes));
  const listed = callersHosts().find(on);
  return whileListed(listed, hostRoute(listed), PLACES);
}
