import { T4aError, quote } from '../../protocol/errors.js';
import { parseMoment } from '../../protocol/moment.js';
import type { Params } from '../../protocol/registry.js';
import type { RecordingStart } from '../../history/recording/recording-event.js';
import { type ShareOwner, Shares } from '../../base/shares.js';
import type { Handler } from '../../rpc/service.js';
import { takersOf } from '../../rpc/takers.js';
import type { SharedParts } from '../../terminal/shared-parts.js';
import type { Core } from '../core.js';
import { LoopTurns } from '../../base/loop-turns.js';
import { PartKey } from '../../base/parts.js';
import { RESTORED, type Restored } from '../past/persisted.js';
import { isKeptFolder } from './kept-folder.js';
import { openRecording, type OpenOptions as OpeningOptions } from './open-recording.js';
import { Places } from './places.js';
import type { RecordedTerminal } from './recorded-terminal.js';
import { identify } from '../../terminal/identity.js';
import type { TerminalSetup } from '../../terminal/setup.js';

/** Each holds a screen and its scrollback. */
const MAX_OPEN = 64;

/** Of a recording: the client that has opened it. */
const OPENER = new PartKey<ShareOwner>(() => undefined);

/** Between two looks at the daemon's memory while a file is opened. */
const MEMORY_INTERVAL_MS = 100;

export interface OpenOptions {
  readonly version: string;
  readonly shellDir: string;
  /** Of all terminals. */
  readonly parts: SharedParts;
  readonly observe: OpeningOptions['observe'];
  /** What a program is answered that asks for colours. */
  readonly colors: () => TerminalSetup['screen']['colors'];
  /** @throws T4aError memory_low */
  readonly assertMemory: () => void;
  /** Of a terminal that was kept: its entries. @throws T4aError recording_invalid */
  readonly restoreEntries: (terminal: RecordedTerminal) => Promise<void>;
}

export const open = (core: Core, options: OpenOptions): Handler<'open'> => {
  const turns = new LoopTurns();
  const places = new Places();
  return async (params, call) => {
    const { signal, connection, as } = call;
    const opener = takersOf(call);
    const { path, name, at, timing } = params;
    assertRoom(core, options, name, opener);
    const moment = parseMoment(at);
    if (moment === undefined) throw new Error(`the schema has let "at" through: ${at}`);
    const isFolder = await isKeptFolder(path);
    let origin: string | undefined;
    const opened = await openRecording({
      path,
      timing,
      at: moment,
      grid: {
        ...(params.cols === undefined ? {} : { cols: params.cols }),
        ...(params.rows === undefined ? {} : { rows: params.rows }),
      },
      setup: (start) => {
        origin = start.terminal;
        return setupOf(core, options, params, start);
      },
      parts: options.parts,
      observe: options.observe,
      places,
      turns,
      connection,
      assertRoom: atIntervals(options.assertMemory),
      signal,
    });
    const { terminal } = opened;
    if (isFolder) await restore(terminal, { folder: path, id: origin ?? terminal.id }, options);
    add(core, options, terminal, name, opener);
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

async function restore(terminal: RecordedTerminal, from: Restored, { restoreEntries }: OpenOptions): Promise<void> {
  terminal.part(RESTORED).value = from;
  try {
    await restoreEntries(terminal);
  } catch (error) {
    terminal.remove();
    throw error;
  }
}

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
function add(
  core: Core,
  options: OpenOptions,
  terminal: RecordedTerminal,
  name: string | undefined,
  opener: ShareOwner,
): void {
  try {
    assertRoom(core, options, name, opener);
    terminal.part(OPENER).value = opener;
    core.terminals.add(terminal);
  } catch (error) {
    terminal.remove();
    throw error;
  }
}

function assertRoom(core: Core, { assertMemory }: OpenOptions, name: string | undefined, opener: ShareOwner): void {
  core.assertOpen();
  const { terminals } = core;
  if (name !== undefined && terminals.peek(name) !== undefined) {
    throw new T4aError('name_taken', `Terminal ${quote(name)} exists already.`, {
      hint: `t4a kill ${name}`,
      field: 'name',
    });
  }
  const opened = terminals.all().filter(({ recording }) => recording !== undefined);
  const lack = new Shares(
    MAX_OPEN,
    opened.map((one) => one.part(OPENER).value),
  ).lack(opener);
  if (lack !== undefined) {
    const whose = lack === 'share' ? ', half of which may be of one client' : '';
    throw new T4aError('too_many_terminals', `There are ${opened.length} open recordings of ${MAX_OPEN}${whose}.`, {
      hint: 't4a list --recordings lists them; t4a kill ID closes one.',
    });
  }
  assertMemory();
}

function setupOf(
  { config, terminals }: Core,
  { version, shellDir, colors }: OpenOptions,
  { name }: Params<'open'>,
  start: RecordingStart,
): Omit<TerminalSetup, 'source' | 'recording'> {
  const { cols, rows, title, command, commandLine } = start;
  return {
    id: name ?? terminals.nextId(),
    pty: { file: '', args: [], cwd: '', env: {}, cols, rows },
    command: commandLine ?? (command === undefined ? [] : [command]),
    screen: {
      cols,
      rows,
      scrollback: Math.min(config.scrollback, config.max_scrollback),
      colors: colors(),
      version: version,
    },
    idleTimeoutMs: undefined,
    defaultIdleTimeoutMs: config.idle_timeout_ms,
    title,
    maxWaits: config.max_waits,
    shellScripts: shellDir,
    hasIntegratedShell: false,
  };
}
