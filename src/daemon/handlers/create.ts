import type { Params } from '../../protocol/registry.js';
import type { Call, Handler } from '../../rpc/service.js';
import type { Later } from '../../features/feature.js';
import type { Core, Launcher } from '../../features/core.js';
import type { RulesFeature } from '../../features/rules/feature.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../../terminal/terminal.js';
import { shellWarning } from './list.js';
import { checkObserve, seeNew, takeTurn, type TurnParams } from '../../features/reading/turn.js';
import { checkTied, tie } from '../tie.js';
import { T4aError, quote } from '../../protocol/errors.js';

export const create =
  (daemon: Daemon, launcher: Launcher, rules: Later<RulesFeature>): Handler<'create'> =>
  async (given, call) => {
    const params = withCommand(given);
    const recording = launcher.recordFromStart(params);
    const startRecording = recording && (await recording);
    const wantsEntries = params.rules !== undefined || params.activity !== undefined;
    const activity = wantsEntries ? (await rules.load()).activity() : undefined;
    if (params.rules !== undefined) activity?.assertProfile(params.rules);
    daemon.core.assertOpen();
    checkObserve(daemon.core, params.observe, params);
    checkTied(params.tied);
    for (let present = named(daemon.core, params); present !== undefined; present = named(daemon.core, params)) {
      if (!params.reuse) {
        throw new T4aError('name_taken', `Terminal ${quote(present.id)} exists already.`, {
          hint: 'Choose another name. Where it is meant to be shared, "reuse": true returns it.',
          field: 'name',
        });
      }
      if (present.alive)
        return answer(daemon, daemon.core.terminals.use(present.id, call), { ...params, isFirst: false }, call);
      // Reuse requires a live terminal: an exited one is removed. Another client may create one in between.
      await daemon.remove(present);
      daemon.core.assertOpen();
    }
    const terminal = launcher.spawn(params, call);
    tie(daemon, terminal, params.tied, call);
    activity?.watch(terminal, params.rules, params.activity === undefined ? undefined : params.activity === 'disk');
    try {
      await startRecording?.(terminal);
      return await answer(daemon, terminal, { ...params, isFirst: true }, call);
    } catch (error) {
      // A request whose wait or picture is refused leaves no terminal behind.
      if (error instanceof T4aError) await daemon.remove(terminal);
      throw error;
    }
  };

/** @throws T4aError invalid_field */
function withCommand(params: Params<'create'>): Params<'create'> {
  const { command, ...fields } = params;
  if (command === undefined) return params;
  if (fields.cmd_args === undefined) return { ...fields, cmd_args: ['/bin/sh', '-c', command] };
  throw new T4aError('invalid_field', '"create" takes either "command" or "cmd_args".', {
    field: 'command',
    hint: 'Leave one of the two out.',
  });
}

function named({ terminals }: Core, { name }: { readonly name?: string | undefined }): Terminal | undefined {
  return name === undefined ? undefined : terminals.peek(name);
}

/** Nothing of the terminal can have been on the screen before: conditions that are true already count. */
async function answer(
  daemon: Daemon,
  terminal: Terminal,
  { wait, observe, isFirst }: TurnParams & { readonly isFirst: boolean },
  call: Call,
) {
  const { id, pid } = terminal;
  const { cols, rows } = terminal.screen;
  const { reply, ...drawn } = await (wait === undefined
    ? takeTurn(daemon.core, terminal, { observe }, NOTHING, call)
    : seeNew(daemon.core, terminal, { wait, observe, isFirst }, call));
  return { reply: { id, cols, rows, pid, ...shellWarning(terminal), ...reply }, ...drawn };
}

const NOTHING = { input: '', act: () => Promise.resolve({}) };
