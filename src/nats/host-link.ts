/** The way of a client to a host of a fleet, and the list of hosts. */
import type { Duplex } from 'node:stream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { T4aError, quote } from '../protocol/errors.js';
import { type FleetUrl, type Level, LEVELS, missingLabel } from './fleet-url.js';
import { NatsLink } from './link.js';
import { type PresentHost, presenceIn } from './presence.js';
import { openServer } from './server-connection.js';
import { isNoResponders, isRefused } from './server-errors.js';
import { newToken, Subjects } from './subjects.js';

const ANSWER_MS = 3000;
/** After the last answer. */
const QUIET_MS = 500;

/** @throws T4aError `usage`, `host_unreachable`, `not_allowed` */
export async function openHostLink(url: FleetUrl): Promise<Duplex> {
  const { host, fleet } = url;
  if (host === undefined) {
    throw new T4aError('usage', 'The URL names no host of the fleet.', { hint: `nats://${url.server}/${fleet}/HOST` });
  }
  const { nats, inbox } = await openServer(url, 't4a client', false);
  try {
    const subjects = new Subjects(fleet);
    const present = await askHost(nats, subjects.who(host), host, fleet);
    const missing = missingLabel(url, present);
    if (missing !== undefined) throw unreachable(host, fleet, `it does not have the label ${quote(missing)}`);
    const level = url.allow ?? present.allow;
    if (LEVELS.indexOf(level) > LEVELS.indexOf(present.allow)) {
      throw new T4aError(
        'not_allowed',
        `The host ${quote(host)} allows ${quote(present.allow)}, and not ${quote(level)}.`,
        {
          hint: `?allow=${present.allow}, or on the host: t4a join … --allow ${level}`,
        },
      );
    }
    const from = `${inbox}.${newToken()}`;
    const link = new NatsLink({ nats, to: subjects.link(host, present.address, level), from });
    nats.subscribe(from, {
      callback: (error, message) => (error === null ? link.receive(message) : link.abandon(error.message)),
    });
    void (async () => {
      for await (const status of nats.status()) {
        if (status.type === 'error') link.abandon(reasonOf(status.error, level));
        if (status.type === 'disconnect') link.abandon('the connection to the NATS server was lost');
      }
      link.abandon('the connection to the NATS server was lost');
    })();
    link.once(
      'close',
      () =>
        void nats
          .flush()
          .catch(() => {})
          .then(() => nats.close()),
    );
    return link;
  } catch (error) {
    await nats.close();
    throw error;
  }
}

/** All that answer, have the labels of the URL and allow its level. @throws T4aError `usage`, `host_unreachable`, `not_allowed` */
export async function hostsOfFleet(url: FleetUrl): Promise<PresentHost[]> {
  const { nats } = await openServer(url, 't4a client', false);
  try {
    const answers = await nats.requestMany(new Subjects(url.fleet).everyone, undefined, {
      strategy: 'stall',
      stall: QUIET_MS,
      maxWait: ANSWER_MS,
    });
    const hosts: PresentHost[] = [];
    for await (const { data, headers } of answers) {
      const host = headers?.hasError === true ? undefined : presenceIn(data);
      if (host !== undefined && isMeant(host, url)) hosts.push(host);
    }
    return hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1));
  } catch (error) {
    if (isRefused(error)) throw listingRefused(url);
    if (isNoResponders(error)) return [];
    throw error;
  } finally {
    await nats.close();
  }
}

function listingRefused({ fleet }: FleetUrl): T4aError {
  const { everyone } = new Subjects(fleet);
  return new T4aError(
    'not_allowed',
    `The NATS server refuses to this user to ask who is in the fleet ${quote(fleet)}.`,
    {
      hint: `Let it publish to ${everyone}, or name the host: nats://SERVER/${fleet}/HOST`,
    },
  );
}

function isMeant(host: PresentHost, url: FleetUrl): boolean {
  const isAllowed = url.allow === undefined || LEVELS.indexOf(url.allow) <= LEVELS.indexOf(host.allow);
  return isAllowed && missingLabel(url, host) === undefined;
}

/** @throws T4aError `host_unreachable` */
async function askHost(nats: NatsConnection, subject: string, host: string, fleet: string): Promise<PresentHost> {
  let data: Uint8Array;
  try {
    ({ data } = await nats.request(subject, undefined, { timeout: ANSWER_MS }));
  } catch (error) {
    const why = isNoResponders(error)
      ? 'no host of that name has joined'
      : error instanceof errors.TimeoutError
        ? 'it does not answer'
        : (error as Error).message;
    throw unreachable(host, fleet, why);
  }
  const present = presenceIn(data);
  if (present === undefined) throw unreachable(host, fleet, 'what answers is no host of t4a');
  return present;
}

function unreachable(host: string, fleet: string, why: string): T4aError {
  return new T4aError(
    'host_unreachable',
    `The host ${quote(host)} of the fleet ${quote(fleet)} cannot be reached: ${why}.`,
    {
      hint: 'On the host: t4a join nats://SERVER/FLEET --name NAME',
    },
  );
}

function reasonOf(error: Error, level: Level): string {
  if (!(error instanceof errors.PermissionViolationError)) return error.message;
  return `the server refuses level ${level} to this user; try ?allow=read`;
}
