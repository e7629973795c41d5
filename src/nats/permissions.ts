/**
 * What users of a NATS server need, for its configuration. The lists are complete: a user without a list of subscriptions reads
 * everything, and an empty list of what may be published allows everything (nats-server 2.9), so that those who publish nothing have
 * a `deny`.
 */
import { type FleetUrl, type Level, LEVELS } from './fleet-url.js';
import { requestsOf } from './jetstream.js';
import { Subjects } from './subjects.js';

export interface Permissions {
  readonly publish: { readonly allow: readonly string[] } | { readonly deny: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  readonly allow_responses?: { readonly max: number; readonly expires: string };
}

export interface FleetPermissions {
  /** Permissions of the host that joins, which speaks for no other. */
  readonly agent: Permissions;
  /** Permissions of clients, by what they may do to that host; all hosts: "*". Which hosts there are they may all ask. */
  readonly clients: Readonly<Record<Level, Permissions>>;
  /** Hears which hosts there are. */
  readonly watcher: Permissions;
}

/** The signs of life of a link renew it every 5 s. */
const RESPONSES = { max: -1, expires: '1m' } as const;

/** @param inboxes prefixes of the inboxes: of agent and clients */
export function permissionsOf(
  { fleet }: Pick<FleetUrl, 'fleet'>,
  host: string,
  allow: Level,
  inboxes: { readonly agent: string; readonly client: string },
): FleetPermissions {
  const subjects = new Subjects(fleet);
  const levels = upTo(allow).map((level) => subjects.link(host, '*', level));
  const client = (level: Level): Permissions => ({
    publish: {
      allow: [
        subjects.host(host),
        subjects.who(host),
        subjects.everyone,
        ...upTo(level).map((each) => subjects.link(host, '*', each)),
      ],
    },
    subscribe: { allow: [`${inboxes.client}.>`] },
  });
  return {
    agent: {
      publish: {
        allow: [
          subjects.heartbeat(host),
          subjects.who(host),
          // For a stream of the operator's, if there is one.
          subjects.eventsOf(host),
          ...requestsOf(subjects.eventsOf(host)),
        ],
      },
      subscribe: {
        allow: [
          ...levels,
          subjects.host(host),
          subjects.everyone,
          subjects.who(host),
          subjects.heartbeat(host),
          `${inboxes.agent}.>`,
        ],
      },
      allow_responses: RESPONSES,
    },
    clients: { read: client('read'), use: client('use'), create: client('create') },
    watcher: { publish: { deny: ['>'] }, subscribe: { allow: [subjects.heartbeat('*')] } },
  };
}

function upTo(level: Level): Level[] {
  return LEVELS.slice(0, LEVELS.indexOf(level) + 1);
}
