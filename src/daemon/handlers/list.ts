import { PartKey } from '../../base/parts.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { doingOf } from '../../events/status/doing-view.js';
import { sanitizeTitle } from '../../events/title.js';
import { programTitle } from '../../protocol/program-title.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Core } from '../../features/core.js';
import { PERSISTED } from '../../features/past/persisted.js';
import { wireModes } from '../../features/reading/wire-modes.js';
import { foregroundName } from '../../terminal/system/processes.js';
import { isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import { openAsks, presenceOf } from '../../terminal/presence.js';
import { describeCommand } from '../../features/reading/commands.js';
import { identityOf } from '../../terminal/identity.js';
import type { Terminal } from '../../terminal/terminal.js';
import { reportedBy, wireHookRecord } from '../../terminal/program-status.js';
import { terminalsWhere } from '../../terminal/where.js';

/** The restart under way: a second request meanwhile gets the same program. */
export const RESTARTING = new PartKey<Promise<void> | undefined>(() => undefined);

export const list =
  (core: Core): Handler<'list'> =>
  ({ recordings, where, owner }) => {
    const shown = terminalsWhere(core.terminals, where ?? {}).filter(
      (terminal) =>
        (recordings || terminal.recording === undefined) &&
        (owner === undefined || identityOf(terminal).owner === owner),
    );
    return { terminals: shown.map((terminal) => describe(terminal)) };
  };

export const status =
  (core: Core): Handler<'status'> =>
  async (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    await terminal.settle();
    const state = terminal.state.kind === 'removed' ? 'exited' : terminal.state.kind;
    const { cwd = null, taskProgress: progress, shell, tellsAwaitingInput } = terminal.detectors;
    const hookReport = doingOf(terminal)?.hookReport;
    const awaitingInput = await terminal.detectors.probeInput();
    return {
      ...describe(terminal, awaitingInput ?? (tellsAwaitingInput ? null : undefined)),
      scrollback_lines: terminal.screen.scrollbackLines,
      scrollback_limit: terminal.screen.scrollbackLimit,
      state,
      has_shell: hasShell(terminal),
      shell_cwd: cwd,
      last_command: shell.commands.last === undefined ? null : describeCommand(shell.commands.last),
      ...(shell.level === 0 ? {} : { shell_level: shell.level }),
      ...shellWarning(terminal),
      awaiting_input: awaitingInput ?? null,
      inputs: terminal.input.inputs,
      control: terminal.input.gate?.claimant ?? null,
      watchers: presenceOf(terminal).watchers,
      ...keptIn(terminal),
      reported: reportedBy(terminal),
      ...(hookReport === undefined ? {} : { report: wireHookRecord(hookReport) ?? undefined }),
      progress: progress === undefined ? null : { state: progress.state, percent: progress.percent },
    };
  };

function keptIn(terminal: Terminal): { persisted?: string } {
  const kept = terminal.part(PERSISTED).value;
  return kept === undefined ? {} : { persisted: kept.folder };
}

const LACKS_SCRIPTS =
  'The folder shell/ of the t4a that runs is not there, so this shell reports no prompts and commands: install t4a anew.';

/** Warning about the shell, for the replies that start a program, too. */
export function shellWarning({ detectors, setup }: Terminal): { warning?: string } {
  const warning = setup.lacksScripts === true ? LACKS_SCRIPTS : detectors.shell.guard.warning;
  return warning === undefined ? {} : { warning };
}

/** Whether `done` can ever be true; a shell that another program will start cannot be known. */
function hasShell({ hasIntegratedShell, detectors, alive, pid, foregroundGroup }: Terminal): boolean {
  if (hasIntegratedShell || detectors.shell.marksSeen > 0) return true;
  return alive && (isInteractiveShell(pid) || isInteractiveShell(foregroundGroup));
}

/** Entry of a terminal without settling: a listing must not wait for every terminal. */
/** @param reader who waits for input, if the system was just asked: null for none */
function describe(terminal: Terminal, reader?: AwaitingInput | null): Reply<'list'>['terminals'][number] {
  const { screen, exit } = terminal;
  const { row, col, visible } = terminal.snapshot().cursor;
  const { labels, parent, owner } = identityOf(terminal);
  const asks = openAsks(terminal);
  const doing = doingOf(terminal)?.now(reader).doing;
  return {
    id: terminal.id,
    cols: screen.cols,
    rows: screen.rows,
    pid: terminal.recording === undefined ? terminal.pid : null,
    alive: terminal.alive,
    title: terminal.title || sanitizeTitle(programTitle(terminal.command)),
    cmd: [...terminal.command],
    cwd: terminal.cwd,
    labels: { ...labels },
    parent,
    ...(owner === undefined ? {} : { owner }),
    ...(doing === undefined ? {} : { doing }),
    ...(asks === 0 ? {} : { asks }),
    created_at: terminal.createdAtMs,
    exit_code: exit.code,
    signal: exit.signal,
    exited_at: terminal.exitedAtMs ?? null,
    output_bytes: terminal.detectors.outputBytes,
    idle_ms: terminal.idleMs,
    rev: screen.rev,
    foreground: terminal.alive ? (foregroundName(terminal.pid) ?? null) : null,
    alt_screen: screen.altScreen,
    modes: wireModes(screen.modes),
    cursor: { row, col, visible },
    recording: terminal.recording ?? null,
    generation: terminal.generation,
    ...(terminal.part(RESTARTING).value === undefined ? {} : { restarting: true as const }),
  };
}
