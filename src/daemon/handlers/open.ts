import { T4aError, quote } from '../../protocol/errors.js';
import { parseMoment } from '../../protocol/moment.js';
import type { Params } from '../../protocol/registry.js';
import type { RecordingStart } from '../../recording/recording-event.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { later } from '../later.js';
import { assertMemory } from '../spawn.js';
import type { LoopTurns } from '../opening/loop-turns.js';
import type { Places } from '../opening/places.js';
import type { RecordedTerminal } from '../opening/recorded-terminal.js';
import { reportedColors } from '../pictures/themes.js';
import { identify } from '../../terminal/identity.js';
import type { TerminalSetup } from '../../terminal/setup.js';

/** Each holds a screen and its scrollback. */
const MAX_OPEN = 64;

/** Between two looks at the daemon's memory while a file is opened. */
const MEMORY_INTERVAL_MS = 100;

export const open = (daemon: Daemon): Handler<'open'> => {
  let turns: LoopTurns | undefined;
  let places: Places | undefined;
  return async (params, { signal, connection, as }) => {
    const { path, name, at, timing } = params;
    assertRoom(daemon, name);
    const moment = parseMoment(at);
    if (moment === undefined) throw new Error(`the schema has let "at" through: ${at}`);
    const { LoopTurns, openRecording, Places } = await later.opening();
    turns ??= new LoopTurns();
    places ??= new Places();
    const opened = await openRecording({
      path,
      timing,
      at: moment,
      grid: {
        ...(params.cols === undefined ? {} : { cols: params.cols }),
        ...(params.rows === undefined ? {} : { rows: params.rows }),
      },
      setup: (start) => setupOf(daemon, params, start),
      parts: daemon.parts,
      observe: (terminal_, now) => daemon.histories.observe(terminal_, now),
      places,
      turns,
      connection,
      assertRoom: atIntervals(() => assertMemory(daemon)),
      signal,
    });
    const { terminal } = opened;
    add(daemon, terminal, name);
    identify(terminal, { labels: {}, parent: null, owner: as });
    const { cols, rows } = terminal.screen;
    return {
      id: terminal.id,
      cols,
      rows,
      format: opened.format,
      duration_ms: opened.durationMs,
      at_ms: opened.atMs,
      complete: opened.complete,
      repaired: opened.repaired,
    };
  };
};

function atIntervals(act: () => void): () => void {
  let nextMs = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    act();
    nextMs = nowMs + MEMORY_INTERVAL_MS;
  };
}

/** While the file was read, others may have taken the name or the room. */
function add(daemon: Daemon, terminal: RecordedTerminal, name: string | undefined): void {
  try {
    assertRoom(daemon, name);
    daemon.terminals.add(terminal);
  } catch (error) {
    terminal.remove();
    throw error;
  }
}

function assertRoom(daemon: Daemon, name: string | undefined): void {
  daemon.assertOpen();
  const { terminals } = daemon;
  if (name !== undefined && terminals.peek(name) !== undefined) {
    throw new T4aError('name_taken', `Terminal ${quote(name)} exists already.`, {
      hint: `t4a kill ${name}`,
      field: 'name',
    });
  }
  const count = terminals.all().filter(({ recording }) => recording !== undefined).length;
  if (count >= MAX_OPEN) {
    throw new T4aError('too_many_terminals', `There are ${count} open recordings, which is the limit.`, {
      hint: 't4a list --recordings lists them; t4a kill ID closes one.',
    });
  }
  assertMemory(daemon);
}

function setupOf(
  daemon: Daemon,
  { name }: Params<'open'>,
  start: RecordingStart,
): Omit<TerminalSetup, 'source' | 'recording'> {
  const { config, options, terminals, themes } = daemon;
  const { cols, rows, title, command } = start;
  return {
    id: name ?? terminals.nextId(),
    pty: { file: '', args: [], cwd: '', env: {}, cols, rows },
    command: command === undefined ? [] : [command],
    screen: {
      cols,
      rows,
      scrollback: Math.min(config.scrollback, config.max_scrollback),
      colors: reportedColors(themes),
      version: options.version,
    },
    idleTimeoutMs: undefined,
    defaultIdleTimeoutMs: config.idle_timeout_ms,
    title,
    maxWaits: config.max_waits,
    shellScripts: options.shellDir,
    hasIntegratedShell: false,
  };
}
