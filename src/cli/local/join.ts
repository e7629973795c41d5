/** `t4a join`: the daemon of this host in a fleet over NATS, and the far end of that for clients. */
import type { Duplex } from 'node:stream';
import { connect } from '../../client/client.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { readLabels } from '../argv/values.js';
import { printable } from '../output/printable.js';
import { settingOf } from '../settings.js';
import { carry } from './carry.js';
import type { LocalCommand } from './local-command.js';

interface JoinOptions {
  readonly socket?: string;
  readonly url?: string;
  readonly name?: string;
  readonly label?: readonly string[];
  readonly allow?: string;
  readonly print_permissions?: boolean;
  readonly new_key?: boolean;
  readonly list?: boolean;
  readonly pipe?: boolean;
  readonly json?: boolean;
}

export const join: LocalCommand = async ({ options }, host, bundles) => {
  const given = options as JoinOptions;
  const nats = await bundles.nats();
  const url = nats.parseFleetUrl(given.url ?? '');
  if (given.pipe === true) {
    return carryLink(await nats.openHostLink(url));
  }
  if (given.new_key === true) {
    if (url.creds === undefined)
      throw new T4aError('usage', 'The URL names no file for the key.', {
        hint: `t4a join 'nats://${url.server}/${url.fleet}?creds=/path/of/file' --new-key`,
      });
    host.out(`${nats.makeKey(url.creds)}\n`);
    return 0;
  }
  if (given.list === true) {
    const hosts = await nats.hostsOfFleet(url);
    host.out(given.json === true ? `${JSON.stringify({ ok: true, hosts })}\n` : hosts.map(lineOf).join(''));
    return 0;
  }
  if (url.host !== undefined) {
    throw new T4aError('usage', `The URL names the host ${quote(url.host)} already: a host joins a fleet.`, {
      hint: `t4a join nats://${url.server}/${url.fleet} --name ${url.host}`,
    });
  }
  const name = nats.nameOfHost(given.name);
  const level = given.allow ?? 'read';
  const allow = nats.isLevel(level) ? level : 'read';
  if (given.print_permissions === true) {
    const inboxes = { agent: url.creds === undefined ? AGENT : nats.inboxOfUrl(url), client: CLIENT };
    host.out(`${JSON.stringify(nats.permissionsOf(url, name, allow, inboxes), null, 2)}\n`);
    return 0;
  }
  const labels = readLabels([...(given.label ?? [])], '--label');
  nats.checkLabels(labels);
  const local = settingOf('socket', given.socket, host).value as string | undefined;
  // Starts the daemon if none runs.
  const client = await connect(local === undefined ? {} : { socketPath: local });
  const { socketPath } = client;
  await client.close();
  if (url.creds === undefined) {
    host.note(`t4a: Without credentials, every user of this machine may ${MAY[allow]} here, by the NATS server.\n`);
  }
  const leaving = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => leaving.abort());
  await nats.serveAgent({
    url,
    host: name,
    allow,
    labels,
    socketPath,
    signal: leaving.signal,
    log: (line) => host.note(`t4a: ${line}\n`),
    onJoined: () => host.out(`Host: ${name}\nFleet: ${url.fleet}\nPID: ${process.pid}\n`),
  });
  return 0;
};

/** @throws T4aError `connection_lost` */
async function carryLink(link: Duplex): Promise<number> {
  let reason: string | undefined;
  link.once('error', ({ message }: Error) => {
    reason = message;
  });
  await carry(link);
  if (reason === undefined) return 0;
  throw new T4aError('connection_lost', `The link over NATS has ended: ${quote(reason)}.`);
}

/** Stand-in for the public keys of users in printed permissions. */
const AGENT = '_INBOX.PUBLIC-KEY-OF-THE-AGENT';
const CLIENT = '_INBOX.PUBLIC-KEY-OF-THE-CLIENT';

const MAY = { read: 'read terminals', use: 'type into terminals', create: 'run programs' } as const;

interface Listed {
  readonly host: string;
  readonly allow: string;
  readonly terminals: number;
  readonly room: number;
  readonly labels: Readonly<Record<string, string>>;
}

function lineOf({ host, allow, terminals, room, labels }: Listed): string {
  const named = Object.entries(labels).map(([name, value]) => ` ${name}=${value}`);
  return `${printable(`${host}  ${allow}  terminals ${terminals}  room ${room}${named.join('')}`)}\n`;
}
