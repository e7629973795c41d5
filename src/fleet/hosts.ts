/** The hosts of this user: the file, its folder for ssh, and the daemon of this machine. */
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOurs } from '../client/ownership.js';
import { callersHostsFile, callersPlaces, defaultCommandLine } from '../client/paths.js';
import { makeOwnDirectory } from '../client/socket-places.js';
import { HostList } from './host-list.js';
import { readHosts } from './hosts-file.js';
import type { Places } from './route-url.js';

/** @throws T4aError `usage` if the file is wrong, or others can write it */
export function callersHosts(): HostList {
  return new HostList(readHosts(callersHostsFile()), PLACES);
}

export const PLACES: Places = { sshSockets, program: () => [process.execPath, defaultCommandLine()] };

/** Sockets of ssh are as good as a password: they lie in a folder of the user's alone, or there are none. */
function sshSockets(): string | undefined {
  const { own } = callersPlaces();
  const folder = join(dirname(own), 'ssh');
  try {
    makeOwnDirectory(own, callersPlaces());
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const stat = lstatSync(folder);
    const isPrivate = stat.isDirectory() && isOurs(folder, stat) && (stat.mode & GROUP_AND_OTHERS) === 0;
    return isPrivate ? folder : undefined;
  } catch {
    return undefined;
  }
}

const GROUP_AND_OTHERS = 0o077;
