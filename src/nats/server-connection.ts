/** The connection to a NATS server. */
import {
  connect,
  errors,
  type NatsConnection,
  type NodeConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node';
import { T4aError, isT4aError } from '../protocol/errors.js';
import { type Credentials, readCredentials } from './credentials.js';
import type { FleetUrl } from './fleet-url.js';
import { inboxOf } from './subjects.js';

export interface ServerConnection {
  readonly nats: NatsConnection;
  /** Prefix of the subjects to which this user is answered. */
  readonly inbox: string;
}

/** Patience with a busy machine, as with ssh. */
const TIMEOUT_MS = 10_000;
const PING_EVERY_MS = 5000;

/** @param reconnects whether a lost connection is opened again, for ever @throws T4aError `usage`, `host_unreachable` */
export async function openServer(url: FleetUrl, name: string, reconnects: boolean): Promise<ServerConnection> {
  const credentials = url.creds === undefined ? undefined : readCredentials(url.creds);
  const inbox = inboxOf(credentials?.user);
  try {
    return {
      nats: await connect({ ...optionsOf(url, credentials), name, inboxPrefix: inbox, ...again(reconnects) }),
      inbox,
    };
  } catch (error) {
    throw isT4aError(error) ? error : unreachable(url, error);
  }
}

function optionsOf({ server, tls, ca }: FleetUrl, credentials: Credentials | undefined): NodeConnectionOptions {
  return {
    servers: server,
    // What a server says of others in its cluster would leave the address that was checked.
    ignoreClusterUpdates: true,
    timeout: TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: 2,
    noAsyncTraces: true,
    // A user of NATS reads what it may; without this a client would hear itself.
    noEcho: true,
    ...(credentials === undefined ? {} : { authenticator: credentials.authenticator }),
    ...(tls || ca !== undefined ? { tls: verified(server, ca) } : {}),
  };
}

/**
 * Security: without `host` the certificate of a server that is named by an IP address would be compared with "localhost"; the
 * library passes it on to `tls.connect`, and its type lacks it.
 */
function verified(server: string, ca: string | undefined): TlsOptions {
  const host = server.slice(0, server.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
  return { host, ...(ca === undefined ? {} : { caFile: ca }) } as TlsOptions;
}

function again(reconnects: boolean): NodeConnectionOptions {
  if (!reconnects) return { reconnect: false };
  return {
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    reconnectJitterTLS: 500,
  };
}

function unreachable({ server, tls, creds }: FleetUrl, error: unknown): T4aError {
  const says = error instanceof Error ? error.message : String(error);
  const isRefused =
    error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
  const hint = isRefused
    ? creds === undefined
      ? 'The server wants credentials: nats://SERVER/FLEET?creds=/path/of/file'
      : 'Does the server know this user? t4a join URL --print-permissions'
    : tls
      ? 'TLS is needed here; a private authority is given by ?ca=/path/of/ca.pem.'
      : undefined;
  return new T4aError(
    'host_unreachable',
    `The NATS server ${JSON.stringify(server)} cannot be used: ${says.replace(/\.$/, '')}.`,
    hint === undefined ? {} : { hint },
  );
}
