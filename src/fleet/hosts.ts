/** The hosts of this user: the file, its folder for ssh, and the daemon of this machine. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.js';
import { isOurs } from '../base/ownership.js';
import { callersHostsFile, callersPlaces, defaultCommandLine } from '../client/paths.js';
import { makeOwnDirectory } from '../client/socket-places.js';
import { HostList } from './host-list.js';
import { fitting } from './host-pattern.js';
import { type HostEntries, readHosts } from './hosts-file.js';
import { FleetsSeen, hostsThere, natsFleet, type NatsFleet } from './nats-fleet.js';
import type { RoutePlaces } from './route-url.js';

/** @throws T4aError `usage` if the file is wrong, or others can write it */
export function callersHosts(): HostList {
  return new HostList(readHosts(callersHostsFile()), PLACES);
}

/** Hosts of the file: a fleet over NATS is one line, and is not asked. @throws T4aError `usage` */
export function hostsOfFile(): HostList {
  return new HostList(readHosts(callersHostsFile()), PLACES, () => undefined);
}

/** The same, with those of fleets over NATS that are there now. @throws T4aError `usage` */
export async function callersHostsNow(): Promise<HostList> {
  const seen = new FleetsSeen(PLACES);
  const entries = readHosts(callersHostsFile());
  await seen.ask(fleetsIn(entries));
  return new HostList(entries, PLACES, seen.there);
}

/** Hosts for a process that stays: resolves once the first ones are known. @throws T4aError `usage` */
export async function callersHostsLately(): Promise<() => HostList> {
  const seen = new FleetsSeen(PLACES);
  await seen.ask(fleetsIn(readHosts(callersHostsFile())));
  return () => new HostList(readHosts(callersHostsFile()), PLACES, seen.there);
}

function fleetsIn(entries: HostEntries): NatsFleet[] {
  const urls = Object.values(entries).flat();
  return urls.flatMap((url) => (typeof url === 'string' ? (natsFleet(url) ?? []) : []));
}

/** Hosts of a URL that stands for some of a fleet, by their names there. @throws T4aError `host_unknown` if none fits */
export async function hostsOfUrl({ url, pattern }: NatsFleet): Promise<HostList> {
  const names = await hostsThere({ url }, PLACES);
  const there = names === undefined ? undefined : fitting(pattern, names);
  // Under the name of the fleet it is a host that cannot be reached.
  const name = there === undefined ? url.replace(/\?.*$/s, '').replace(/^.*\//s, '') : '*';
  return new HostList({ [name]: [url] }, PLACES, () => there);
}

export const PLACES: RoutePlaces = { sshSockets, program: () => [process.execPath, defaultCommandLine()] };

/** Sockets of ssh are as good as a password: they lie in a folder of the user's alone, or there are none. */
function sshSockets(): string | undefined {
  const { own } = callersPlaces();
  const folder = join(dirname(own), 'ssh');
  try {
    makeOwnDirectory(own, callersPlaces());
    makeFolder(folder, 0o700);
    const stat = lstatSync(folder);
    const isPrivate = stat.isDirectory() && isOurs(folder, stat) && (stat.mode & GROUP_AND_OTHERS) === 0;
    return isPrivate ? folder : undefined;
  } catch {
    return undefined;
  }
}

const GROUP_AND_OTHERS = 0o077;
