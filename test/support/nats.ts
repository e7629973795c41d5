/** nats-server of a test's or a file's own, users of it, and hosts that join its fleet. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, nkeyAuthenticator, type NatsConnection, nkeys } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import type { Permissions } from '../../src/nats/permissions.js';
import { type CliStream, streamCli } from './cli.js';
import type { TestFleet } from './fleet.js';
import type { AtEnd } from './of-file.js';
import { requireProgram } from './programs.js';
import { tempDir } from './temp-dir.js';

export interface NatsServer {
  /** `nats://127.0.0.1:PORT` */
  readonly url: string;
  /** Kills it, and resolves when it has gone. */
  readonly kill: () => Promise<void>;
  /** Starts it on the same port. */
  readonly again: () => Promise<void>;
  /** What a program of NATS sees. */
  readonly client: (user?: NatsUser) => Promise<NatsConnection>;
}

export interface NatsUser {
  readonly publicKey: string;
  readonly seed: Uint8Array;
  /** Of mode 0600, as `?creds=` takes it. */
  readonly file: string;
}

export function natsUser(folder: string, name: string): NatsUser {
  const pair = nkeys.createUser();
  const file = join(folder, `${name}.nk`);
  writeFileSync(file, pair.getSeed(), { mode: 0o600 });
  return { publicKey: pair.getPublicKey(), seed: pair.getSeed(), file };
}

/** @param config of it, beside address and port @param address on which it listens */
export async function natsServer(
  config: object = {},
  atEnd: AtEnd = onTestFinished,
  address = '127.0.0.1',
): Promise<NatsServer> {
  const program = requireProgram('nats-server');
  const dir = tempDir(atEnd);
  const file = dir.join('nats.conf');
  writeFileSync(file, JSON.stringify(config));
  const ports = dir.join('ports');
  const start = async (port: number): Promise<{ port: number; kill: () => Promise<void> }> => {
    rmSync(ports, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(ports);
    const args = ['-c', file, '-a', address, '-p', String(port), '--ports_file_dir', ports];
    const child = spawn(program, args, { stdio: 'ignore' });
    const exited = once(child, 'exit');
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    };
    atEnd(kill);
    return { port: await portIn(ports), kill };
  };
  let running = await start(await freePort(address));
  const { port } = running;
  return {
    url: `nats://${address}:${port}`,
    kill: () => running.kill(),
    async again() {
      running = await start(port);
    },
    async client(user) {
      const authenticator = user === undefined ? {} : { authenticator: nkeyAuthenticator(user.seed) };
      const nats = await connect({
        servers: `${address}:${port}`,
        ...authenticator,
        inboxPrefix: `_INBOX.${user?.publicKey ?? 'test'}`,
      });
      atEnd(() => nats.close());
      return nats;
    },
  };
}

/** Users as the configuration of the server has them. */
export function withUsers(users: readonly (readonly [NatsUser, Permissions])[]): object {
  return { authorization: { users: users.map(([{ publicKey }, permissions]) => ({ nkey: publicKey, permissions })) } };
}

/** `t4a join` beside the daemon of that socket. Resolves once it has joined. */
export async function joined(
  fleet: TestFleet,
  socketPath: string,
  args: readonly string[],
  atEnd: AtEnd = onTestFinished,
): Promise<CliStream> {
  const env = { ...fleet.env, T4A_SOCKET: socketPath };
  const stream = streamCli(['join', ...args], { env, cwd: fleet.dir.path, atEnd });
  // Host, fleet and process.
  for (let i = 0; i < 3; i++) await stream.line();
  return stream;
}

/** The server writes the file when it listens. */
async function portIn(folder: string): Promise<number> {
  for (const until = performance.now() + 10_000; performance.now() < until; await delay(10)) {
    const [name] = existsSync(folder) ? readdirSync(folder) : [];
    const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    if (text.endsWith('}')) return Number(new URL((JSON.parse(text) as { nats: [string] }).nats[0]).port);
  }
  throw new Error('nats-server does not listen');
}

async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
