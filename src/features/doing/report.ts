/** `report`: what the hook of a program says. */
import type { GivenStatus, StatusReport } from '../../events/status/report.js';
import { statusReportOf } from '../../events/status/report.js';
import { LAST_TERMINAL } from '../../protocol/vocabulary.js';
import { T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import { wireHookRecord } from '../../terminal/program-status.js';
import { processName } from '../../terminal/system/process-name.js';
import { readStat } from '../../terminal/system/processes.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Core } from '../core.js';
import type { DoingWatch } from './doing-watch.js';
import type { HookProcess } from './hook-reports.js';

export const report =
  (core: Core, watchOf: (terminal: Terminal) => DoingWatch | undefined): Handler<'report'> =>
  (params, call) => {
    const { terminals } = core;
    // A hook is no choice of a person: it leads "@" nowhere else.
    const terminal = params.id === LAST_TERMINAL ? terminals.use(params.id, call) : terminals.find(params.id, call);
    const watch = watchOf(terminal);
    if (watch === undefined) {
      throw new T4aError('read_only', `Terminal "${terminal.id}" is a recording: no program runs there.`);
    }
    if (!terminal.alive) throw terminal.exitedError();
    const status = checked(params);
    const process = params.pid === undefined ? undefined : processOf(params.pid, terminal);
    watch.report(status, process, params.ttl_ms, call.connection);
    return { report: wireHookRecord(watch.reportOf(status.id)), doing: watch.now().doing };
  };

/** @throws T4aError invalid_field */
function checked(params: Params<'report'>): StatusReport {
  const report = statusReportOf(params);
  if (!('refused' in report)) return report;
  const field = report.refused;
  throw new T4aError('invalid_field', `"${field}" of the report ${WHY[field]}.`, { field });
}

const WHY: Readonly<Record<keyof GivenStatus, string>> = {
  state: 'is none of its states',
  kind: 'goes with the state "blocked" alone',
  progress: 'goes with the states "working" and "blocked" alone',
  path: 'has at most 8 levels with "/" between them, each of 1 to 32 letters, digits and "_.+-"',
  app: 'has letters, digits and "_.+-" only',
  title: 'has more than 192 bytes, or control characters',
  msg: 'has more than 2048 bytes, or control characters',
};

/** @throws T4aError not_allowed, unsupported */
function processOf(pid: number, terminal: Terminal): HookProcess {
  const stat = readStat(pid);
  if (stat === undefined && readStat(process.pid) === undefined) {
    throw new T4aError('unsupported', 'This system does not report the sessions of processes.', {
      field: 'pid',
      hint: 'Leave "pid" out, and clear the report at the end.',
    });
  }
  // A process that has ended, but whose parent has not asked for that, has a session still.
  if (stat === undefined || stat.state === 'Z' || stat.session !== terminal.pid) {
    throw new T4aError('not_allowed', `Process ${pid} is no process of terminal "${terminal.id}".`, {
      field: 'pid',
      hint: 'Name a process that was started in the terminal, in no session and no pid namespace of its own.',
    });
  }
  return { pid, process: processName(pid, stat.name), isShell: false, started: stat.started };
}
