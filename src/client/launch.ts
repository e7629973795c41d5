/** A terminal in one call: a new one, or an existing one. */
import { resolve } from 'node:path';
import type { ParamsInput } from '../protocol/registry.js';
import { callersPlace } from './callers-place.js';
import { connect, type Client } from './client.js';
import type { CallOptions } from './connection.js';
import type { ConnectOptions } from './open-connection.js';
import { callersDirectory, callersEnvironment } from './paths.js';
import { Terminal } from './terminal.js';

/** The daemon: a client of the caller (who closes it), or the way to reach it. */
export type DaemonOptions =
  | ({ readonly client: Client } & CallOptions)
  | ({ readonly client?: undefined } & ConnectOptions);

type CreateFields = Omit<ParamsInput<'create'>, 'inherit_env'>;

/**
 * The fields of `create`, with `command` as a shorthand for the program. `cwd` and `env` start from the caller's own:
 * the directory of this process, and its environment with `env` added.
 */
export type LaunchOptions = CreateFields & {
  /** A line for `sh -c`, in place of `cmd_args`. Without either, a shell. */
  readonly command?: string | undefined;
} & DaemonOptions;

/** @throws T4aError as {@link connect} and `create` do */
export async function launch(options: LaunchOptions = {}): Promise<Terminal> {
  const { fields, daemon } = split(options);
  const { command, cmd_args: cmdArgs, cwd, env, ...rest } = fields;
  if (command !== undefined && cmdArgs !== undefined)
    throw new TypeError('launch takes command or cmd_args, not both.');
  const program = command === undefined ? cmdArgs : ['sh', '-c', command];
  return hold(daemon, async (client) => {
    const reply = await client.call(
      'create',
      {
        ...rest,
        ...(client.isFar
          ? { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env }) }
          : callersPlace(resolve(callersDirectory(), cwd ?? '.'), callersEnvironment(), env)),
        ...(program === undefined ? {} : { cmd_args: program }),
      },
      { signal: options.signal },
    );
    return { id: reply.id, pid: reply.pid };
  });
}

/**
 * An existing terminal. Closing it ends its program, like any other.
 * @throws T4aError as {@link connect} does, `terminal_not_found`
 */
export async function attach(id: string, options: DaemonOptions = {}): Promise<Terminal> {
  return hold(options, async (client) => client.call('status', { id }, { signal: options.signal }));
}

async function hold(
  options: DaemonOptions,
  find: (client: Client) => Promise<{ readonly id: string; readonly pid: number | null }>,
): Promise<Terminal> {
  const client = options.client ?? (await connect(options));
  try {
    const { id, pid } = await find(client);
    return new Terminal(client, { id, pid, ownsClient: options.client === undefined });
  } catch (error) {
    if (options.client === undefined) await client.close();
    throw error;
  }
}

function split(options: LaunchOptions): {
  fields: CreateFields & { command?: string | undefined };
  daemon: DaemonOptions;
} {
  const {
    client,
    signal,
    socketPath,
    on,
    route,
    autoStart,
    idleTimeoutMs,
    timeoutMs,
    daemonEntry,
    scope,
    as,
    ...fields
  } = options as CreateFields & { command?: string; client?: Client } & ConnectOptions;
  if (client !== undefined) return { fields, daemon: { client, signal } };
  return {
    fields,
    daemon: { signal, socketPath, on, route, autoStart, idleTimeoutMs, timeoutMs, daemonEntry, scope, as },
  };
}
