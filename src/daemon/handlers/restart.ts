import { T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import { admitAct } from '../../terminal/admitted-act.js';
import type { Daemon } from '../daemon.js';
import { signalName } from '../../terminal/system/processes.js';
import { resolveProgram } from '../../terminal/launching/program.js';
import { assertHolds } from '../held-file.js';
import { assertRoom, start } from '../spawn.js';
import type { Terminal } from '../../terminal/terminal.js';
import { signalForeground, signalOf } from './kill.js';
import { RESTARTING, shellWarning } from './list.js';

export const restart =
  (daemon: Daemon): Handler<'restart'> =>
  async (params, call) => {
    const terminal = daemon.core.terminals.use(params.id, call);
    admitAct(daemon.core.terminals, [terminal], params.force, call);
    const renewed = terminal.part(RESTARTING);
    await (renewed.value ??= renew(daemon, terminal, params).finally(() => {
      renewed.value = undefined;
    }));
    return { pid: terminal.pid, generation: terminal.generation, ...shellWarning(terminal) };
  };

/** The end of the session, which may follow, does not repeat the signal. */
function sentToForeground(terminal: Terminal, signal: number): void {
  const reached = terminal.foregroundPids();
  if (signalForeground(terminal, signal) !== 'sent') return;
  const name = signalName(signal) as NodeJS.Signals;
  for (const member of reached) terminal.sentSignals.add(member, name);
}

async function renew(
  daemon: Daemon,
  terminal: Terminal,
  { signal: name, grace_ms, if_file }: Params<'restart'>,
): Promise<void> {
  if (terminal.recording !== undefined) {
    throw new T4aError('read_only', `Terminal "${terminal.id}" shows a recording: it has no program.`);
  }
  const signal = name === undefined ? undefined : signalOf(name, 'restart');
  const { file, args, cwd, env } = terminal.setup.pty;
  resolveProgram([file, ...args], cwd, env);
  assertRoom(daemon);
  assertHolds(if_file);
  const graceMs = grace_ms ?? daemon.core.config.kill_grace_ms;
  if (signal !== undefined && terminal.alive) {
    sentToForeground(terminal, signal);
    await terminal.exited(AbortSignal.timeout(graceMs)).catch(() => {});
  }
  // Also after the end of its leader: the rest of the session.
  const survivors = await terminal.end({ graceMs });
  if (terminal.alive) {
    throw new T4aError(
      'not_permitted',
      `Processes of terminal "${terminal.id}" could not be ended: ${survivors.join(', ')}.`,
    );
  }
  await terminal.exited();
  if (terminal.state.kind === 'removed') {
    throw new T4aError('terminal_not_found', `Terminal "${terminal.id}" was removed meanwhile.`, { hint: 't4a list' });
  }
  daemon.ended.delete(terminal);
  try {
    assertHolds(if_file);
    terminal.setup.markSeed?.renew();
    await start(() => terminal.restart());
  } catch (error) {
    daemon.ended.add(terminal);
    throw error;
  }
}
