/** Entry of the daemon process: `daemon.cjs [--socket PATH] [--verbose] [timeout_ms]`, ready when `ping` is answered. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.js';
import { HeldClock } from '../base/held-clock.js';
import { homeDirectory } from '../base/home-directory.js';
import { Log } from '../base/log.js';
import type { Config } from '../protocol/commands/config.js';
import { configFilePath } from '../protocol/config-file.js';
import { T4aError } from '../protocol/errors.js';
import { DEFAULT_SOCKET_PATH } from '../protocol/socket-path.js';
import { FIRST_MASTER_FD } from './replacing/descriptors.js';
import { identityOf } from '../rpc/process-identity.js';
import { RpcServer } from '../rpc/server.js';
import { checkWidths } from '../vt/xterm/width-check.js';
import { readOwnersConfig } from './config-sources.js';
import { startersOpenFiles } from '../terminal/system/open-files.js';
import { Daemon } from './daemon.js';
import { makeHandlers } from './handlers.js';
import { maskReplies } from './masked-replies.js';
import { closeInheritedDescriptors } from '../terminal/system/inherited-descriptors.js';
import { leaveWhenUnused } from './idle-exit.js';
import { later } from './later.js';
import { reportStartFailure, stderrSink } from './log-file.js';
import { sweepMarkSeeds } from '../terminal/launching/mark-seed.js';
import { memoryLimit } from '../terminal/system/memory.js';
import { orphansOf } from '../terminal/system/orphans.js';
import { VERSION } from '../base/version.js';

/** The check takes some 5 ms: the first commands do not wait for it. */
const WIDTH_CHECK_DELAY_MS = 1000;

async function main(): Promise<void> {
  const { socket, verbose, masters, positionals } = parseArguments();
  const isSuccessor = masters !== undefined;
  closeInheritedDescriptors(process.env['NODE_CHANNEL_FD'], isSuccessor ? FIRST_MASTER_FD + masters : undefined);
  const timeoutMs = parseTimeout(positionals[0]);
  const owners = readOwnersConfig(process.env, homeDirectory(process.env));
  const socketPath = resolve(socket ?? (process.env['T4A_SOCKET'] || owners.socket || DEFAULT_SOCKET_PATH));
  const log = new Log(stderrSink(), verbose ? 'debug' : 'info');
  process.on('uncaughtException', (error) => log.error('uncaught', error));
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', error));

  if (owners.refused !== undefined) log.warn(`the configuration file ${owners.refused}`);

  const widthProblem = checkOnce(log);
  // Now: the client that starts the daemon may be gone later.
  const openFiles = startersOpenFiles();
  const stop = (): void => void server.close().finally(() => process.exit(0));
  const clock = new HeldClock(systemClock);
  const daemon: Daemon = new Daemon({
    socketPath,
    version: VERSION,
    clock,
    log,
    env: environmentForPrograms(),
    openFiles,
    cwd: workingDirectory(),
    fontsDir: fileURLToPath(new URL('../fonts', import.meta.url)),
    configFile: configFilePath(process.env, homeDirectory(process.env)),
    shellDir: fileURLToPath(new URL('../shell', import.meta.url)),
    stop,
    replacing: {
      server: () => server,
      exec: process.execPath,
      entry: process.argv[1] ?? '',
      args: [...(verbose ? ['--verbose'] : []), ...positionals.slice(0, 1)],
      clock,
      exit: () => process.exit(0),
    },
    connectionCounts: () => server.counts(),
    instance: () => server.instance,
    widthProblem,
  });
  daemon.settings.change(owners.values, owners.sources);
  if (verbose) daemon.settings.change({ log_level: 'debug' });
  const leave = async (): Promise<void> => {
    if (!daemon.isReplaced) await daemon.shutdown().finally(stop);
  };
  const server: RpcServer = new RpcServer({
    handlers: maskReplies(daemon.core, makeHandlers(daemon)),
    log,
    limits: () => daemon.settings.values,
    onRequest: (cmd, { scope, connection }) => {
      daemon.core.left.asked(scope, connection);
      daemon.resumption.asked(cmd);
    },
    mostHeldBytes: () => mostHeldBytes(daemon.settings.values),
    onCutOff: (bytes) => daemon.resources.governor.grown(bytes),
    onUnreachable() {
      if (daemon.core.terminals.size > 0 || server.connectionCount > 0) return;
      log.info('nothing runs here, and no client can connect: shutting down');
      void leave();
    },
  });
  // Registered before the socket and its lock exist: a signal in between would leave them behind.
  let listening: Promise<unknown> = Promise.resolve();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info(`${signal}: ending ${daemon.core.terminals.size} terminals`);
      void Promise.allSettled([listening]).then(leave);
    });
  }
  const begun = isSuccessor ? succeed(daemon, server, leave) : server.listen(socketPath);
  listening = begun;
  const outcome = await begun;
  // The daemon before goes on.
  if (outcome === 'not_needed') process.exit(0);
  if (outcome === 'taken') {
    // Exit status 0 for a client that lost the race to start a daemon; the line is for a person who started it by hand.
    process.stderr.write(`t4a daemon: another daemon already listens on ${socketPath}\n`);
    process.exit(0);
  }
  if (!isSuccessor) log.info(`t4a ${VERSION} (pid ${process.pid}) listens on ${socketPath}`);
  sweepMarkSeeds((pid) => identityOf(pid) !== undefined);
  setTimeout(widthProblem, WIDTH_CHECK_DELAY_MS).unref();
  reportPredecessor(daemon, server.predecessorPid, log);
  if (timeoutMs === undefined) return;
  leaveWhenUnused(
    systemClock,
    timeoutMs,
    () => daemon.core.terminals.size > 0 || server.connectionCount > 0,
    () => {
      log.info(`unused for ${timeoutMs} ms: shutting down`);
      void leave();
    },
  );
}

/** Takes the place of another daemon, which has started this one. */
async function succeed(
  daemon: Daemon,
  server: RpcServer,
  leave: () => Promise<void>,
): Promise<'listening' | 'not_needed'> {
  const { adopt } = await later.adopting();
  const onEnd = (signal: string): void => {
    daemon.options.log.info(`${signal} to the process before: ending ${daemon.core.terminals.size} terminals`);
    void leave();
  };
  return (await adopt(daemon, server, onEnd)) === undefined ? 'not_needed' : 'listening';
}

/** @returns the problem that the check found, checked at the first call */
function checkOnce(log: Log): () => string | undefined {
  let checked: { readonly problem: string | undefined } | undefined;
  return () => {
    if (checked === undefined) {
      checked = { problem: checkWidths() };
      if (checked.problem !== undefined) log.warn(checked.problem);
    }
    return checked.problem;
  };
}

/**
 * Copy of the daemon's own environment. The canvas asks Node for a home directory when it is loaded, and Node has none
 * for a user without HOME who is not in the list of users.
 */
function environmentForPrograms(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  process.env['HOME'] = homeDirectory(env);
  return env;
}

/** Reports a previous daemon that was killed or crashed, and so reported nothing itself. */
function reportPredecessor(daemon: Daemon, pid: number | undefined, log: Log): void {
  if (pid === undefined) return;
  const orphans = orphansOf(daemon.options.socketPath);
  daemon.facts.predecessor = { pid, survivors: orphans };
  const left = orphans.length === 0 ? 'none' : orphans.join(', ');
  log.warn(`the previous daemon (pid ${pid}) did not shut down; processes left from its terminals: ${left}`);
}

interface Arguments {
  readonly socket: string | undefined;
  readonly verbose: boolean;
  /** Number of masters that it has from the daemon that has started it to take its place. */
  readonly masters: number | undefined;
  readonly positionals: string[];
}

function parseArguments(): Arguments {
  try {
    const options = { socket: { type: 'string' }, verbose: { type: 'boolean' }, adopt: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return {
      socket: values.socket,
      verbose: values.verbose === true,
      masters: values.adopt === undefined ? undefined : Number(values.adopt),
      positionals,
    };
  } catch (error) {
    throw new T4aError('usage', error instanceof Error ? error.message : String(error));
  }
}

function parseTimeout(argument: string | undefined): number | undefined {
  if (argument === undefined) return undefined;
  const ms = Number(argument);
  if (Number.isInteger(ms) && ms > 0) return ms;
  throw new T4aError(
    'usage',
    `The timeout is ${JSON.stringify(argument)}: expected milliseconds, a whole number above 0.`,
  );
}

/**
 * Twice, of what clients have sent and of what they have not read. Each byte takes up to three, with what lies between small pieces. Two
 * lines of the largest size always have room.
 */
function mostHeldBytes({ max_memory_bytes: memory, max_line_bytes: line }: Config): number {
  return Math.max(memoryLimit(memory) / 12, 2 * line);
}

/** Home directory if the daemon's working directory has been removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return homeDirectory(process.env);
  }
}

/** Error on one line: the starting client shows the last line of a daemon that did not start. */
function withClosest({ message, details }: T4aError): string {
  return details.closest === undefined ? message : `${message} Did you mean "${details.closest}"?`;
}

main().catch((error: unknown) => {
  const message = error instanceof T4aError ? withClosest(error) : String(error instanceof Error ? error.stack : error);
  reportStartFailure(`t4a daemon: ${message}\n`);
  process.exit(error instanceof T4aError && error.code === 'usage' ? 2 : 1);
});
