/** Creates a live terminal from the fields of a request; `create` and `run` share it. */
import { existsSync } from 'node:fs';
import { type Core, SECRET_VARIABLES, type SpawnParams } from '../features/core.js';
import { namedVariables } from '../redaction/redactor-of.js';
import { errnoOf } from '../base/errno.js';
import { assertHolds } from './held-file.js';
import { quote, T4aError } from '../protocol/errors.js';
import { childEnvironment } from '../terminal/launching/child-environment.js';
import type { Asker } from '../rpc/service.js';
import type { Daemon } from './daemon.js';
import { resolveProgram } from '../terminal/launching/program.js';
import { descriptorRoom } from '../terminal/system/descriptor-room.js';
import { type ShellStart, integrateShell } from '../terminal/launching/shell-integration.js';
import { MarkSeedFile } from '../terminal/launching/mark-seed.js';
import { identify, identityOf } from '../terminal/identity.js';
import type { TerminalObserver } from '../terminal/feed.js';
import { Terminal } from '../terminal/terminal.js';
import { observeStatus } from '../terminal/program-status.js';
import { taskRoom } from '../terminal/system/task-room.js';
import { reportedColors } from '../features/pictures/themes.js';

/** @throws T4aError too_many_terminals, memory_low, over_limit, cwd_not_found, program_not_found, program_not_executable, spawn_failed, file_changed */
export function spawnTerminal(daemon: Daemon, params: SpawnParams, asker: Asker = {}): Terminal {
  const { options, core } = daemon;
  const { config, terminals } = core;
  if (terminals.programs >= config.max_terminals) {
    throw new T4aError('too_many_terminals', `There are ${terminals.programs} terminals, which is the limit.`, {
      hint: 'End some with "kill", or raise "max_terminals" with "config".',
    });
  }
  assertRoomOf(asker.as, core);
  assertRoom(daemon);
  assertScrollback(params.scrollback, config.max_scrollback);
  const id = params.name ?? terminals.nextId();
  const cwd = params.cwd ?? options.cwd;
  const { socketPath, version } = options;
  const named = params.term_program ?? config.term_program;
  const termProgram = named === '' ? `t4a/${version}` : named;
  const facts = { id, term: params.term, termProgram, socketPath, lcCtype: config.lc_ctype, setEnv: params.set_env };
  const env = childEnvironment(params.inherit_env ? options.env : {}, params.env, facts, cwd, params.keep_agent_env);
  const program = resolveProgram(params.cmd_args, cwd, env);
  const plain: ShellStart = { ...program, env };
  // With a path to scripts that an update has removed, a shell would not read the user's files either.
  const seedFile = new MarkSeedFile();
  const wanted = params.shell_integration ? integrateShell(plain, options.shellDir, seedFile.path) : plain;
  const shell = existsSync(options.shellDir) ? wanted : plain;
  seedFile.isCounted = shell.marksNoStarts === true;
  if (shell !== plain) seedFile.renew();
  assertHolds(params.if_file);
  const terminal = start(
    () =>
      new Terminal(
        {
          id,
          pty: {
            ...shell,
            cwd: program.cwd,
            openFiles: options.openFiles,
            cols: params.cols,
            rows: params.rows,
            windowBytes: Math.min(config.output_buffer_bytes, params.mostWindowBytes ?? Number.POSITIVE_INFINITY),
            maxPendingInputBytes: config.input_buffer_bytes,
          },
          command: params.cmd_args ?? [program.file],
          screen: {
            cols: params.cols,
            rows: params.rows,
            scrollback: params.scrollback ?? Math.min(config.scrollback, config.max_scrollback),
            colors: reportedColors(daemon.core.looks.themes),
            version: options.version,
            firstRev: terminals.firstRevision(id),
            answersStatus: config.program_status === 'answer',
            keepsCleared: params.keep_cleared === true,
          },
          idleTimeoutMs: params.idle_timeout_ms,
          defaultIdleTimeoutMs: config.idle_timeout_ms,
          title: params.title,
          maxWaits: config.max_waits,
          shellScripts: options.shellDir,
          hasIntegratedShell: shell !== plain,
          ...(shell === wanted ? {} : { lacksScripts: true }),
          ...(shell === plain ? {} : { markSeed: seedFile }),
          marksNoStarts: shell.marksNoStarts === true,
        },
        daemon.parts,
      ),
  );
  observeTerminal(daemon, terminal, { env, isNew: true });
  terminals.add(terminal, asker);
  const { as: owner } = asker;
  identify(terminal, { labels: params.labels ?? {}, parent: parentOf(daemon, params), owner });
  terminal.announce(owner === undefined ? {} : { owner });
  options.log.debug(`terminal ${id} (pid ${terminal.pid}) is created`);
  return terminal;
}

export interface Observed {
  /** Environment of its program. */
  readonly env: Readonly<Record<string, string>>;
  /** False for one of the daemon before. */
  readonly isNew: boolean;
}

/** Adds all that the daemon observes of it. */
export function observeTerminal(daemon: Daemon, terminal: Terminal, { env, isNew }: Observed): void {
  terminal.part(SECRET_VARIABLES).value = namedVariables(daemon.core.config.redact, env);
  for (const feature of daemon.features.values()) {
    const observer = feature.observe?.(terminal, isNew);
    if (observer !== undefined) terminal.feed.add(observer);
  }
  for (const observe of OBSERVERS) terminal.feed.add(observe(terminal, daemon));
}

/** A request without a name has no bound of its own. @throws T4aError too_many_terminals */
function assertRoomOf(owner: string | undefined, { config, terminals }: Core): void {
  const most = config.max_terminals_per_owner;
  if (most === 0 || owner === undefined) return;
  const own = terminals.all().filter((one) => one.recording === undefined && identityOf(one).owner === owner);
  if (own.length < most) return;
  throw new T4aError(
    'too_many_terminals',
    `${quote(owner)} has made ${own.length} terminals that exist, which is the limit of a name.`,
    { hint: 'End some with "kill", or raise "max_terminals_per_owner" with "config".' },
  );
}

/** Null if unknown, or none of this daemon's. */
function parentOf({ options, core }: Daemon, { parent, env }: SpawnParams): string | null {
  const isOurs = env['T4A_SOCKET'] === options.socketPath;
  const id = parent ?? (isOurs ? env['T4A_TERMINAL'] : undefined);
  return id !== undefined && core.terminals.peek(id) !== undefined ? id : null;
}

/** A line takes three words a cell, and some hundred bytes more. */
const CELL_BYTES = 12;
const LINE_BYTES = 400;

function growth({ screen }: Terminal, { resources }: Daemon): TerminalObserver {
  let lines = screen.normalScrollbackLines;
  return {
    onParsed() {
      const added = screen.normalScrollbackLines - lines;
      lines += added;
      resources.governor.grown(Math.max(0, added) * (screen.cols * CELL_BYTES + LINE_BYTES));
    },
  };
}

function programStatus(terminal: Terminal, { core }: Daemon): TerminalObserver {
  return core.config.program_status === 'off' ? {} : observeStatus(terminal);
}

function end(terminal: Terminal, { ended }: Daemon): TerminalObserver {
  return { onEvent: ({ event }) => void (event === 'exit' && ended.add(terminal)) };
}

/** Observers of every terminal. */
const OBSERVERS: readonly ((terminal: Terminal, daemon: Daemon) => TerminalObserver)[] = [growth, programStatus, end];

/** Room for one more program. @throws T4aError memory_low, spawn_failed */
export function assertRoom(daemon: Daemon): void {
  assertMemory(daemon);
  assertTaskRoom();
  assertDescriptorRoom();
}

/** Refuses early: a process without memory would take all terminals with it. */
export function assertMemory(daemon: Daemon): void {
  const { governor, memory } = daemon.resources;
  if (memory().pressure === 'critical') governor.relieve();
  const { pressure, rss, limit } = memory();
  if (pressure !== 'critical' || governor.isMostlyFree) return;
  const [used, most] = [rss, limit].map((bytes) => Math.round(bytes / 1e6));
  throw new T4aError('memory_low', `The daemon uses ${used} MB, close to its limit of ${most} MB.`, {
    hint: 'End terminals, give them less "scrollback", or raise "max_memory_bytes" with "config".',
  });
}

/**
 * The program, the thread that waits for it, the reader thread, the process that runs `stty`; the rest is a reserve.
 */
const TASKS_PER_TERMINAL = 8;

function assertTaskRoom(): void {
  const room = taskRoom();
  if (room >= TASKS_PER_TERMINAL) return;
  throw new T4aError(
    'spawn_failed',
    `The system has room for ${Math.max(room, 0)} more processes and threads: a terminal needs up to ${TASKS_PER_TERMINAL}.`,
    { hint: 'End some of them, or raise the limit (ulimit -u, pids.max of the control group).' },
  );
}

/**
 * Two stay open. The first terminal also starts the reader thread (6) and the process that runs `stty` (4); if one
 * descriptor is missing, the thread does not start, and no output would be read. Two are for clients.
 */
const DESCRIPTORS_PER_TERMINAL = 14;

function assertDescriptorRoom(): void {
  const room = descriptorRoom('/proc', DESCRIPTORS_PER_TERMINAL);
  if (room >= DESCRIPTORS_PER_TERMINAL) return;
  throw new T4aError(
    'spawn_failed',
    `The daemon may open ${Math.max(room, 0)} more files: a terminal needs up to ${DESCRIPTORS_PER_TERMINAL}.`,
    { hint: 'End terminals, or raise the limit (ulimit -n) and restart the daemon: t4a shutdown' },
  );
}

function assertScrollback(asked: number | undefined, most: number): void {
  if (asked === undefined || asked <= most) return;
  throw new T4aError('over_limit', `"scrollback" is ${asked}: the limit is ${most} lines.`, {
    field: 'scrollback',
    hint: 'Ask for less, or raise "max_scrollback" with "config".',
  });
}

/** @throws T4aError spawn_failed for what the system refuses */
export function start<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof T4aError) throw error;
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    if (errnoOf(error) === 'MODULE_NOT_FOUND') {
      throw new T4aError('spawn_failed', `The package that this daemon was started from is incomplete: ${reason}.`, {
        hint: '"t4a replace" puts the daemon that is installed now in its place, with all terminals.',
      });
    }
    throw new T4aError('spawn_failed', `The system refused to start the program: ${reason}`, {
      hint: 'Check the limits on processes and pseudoterminals (ulimit -u, /proc/sys/kernel/pty/max).',
    });
  }
}
