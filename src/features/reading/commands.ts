import type { CommandRecord } from '../../terminal/shell/command-log.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Core } from '../core.js';
import { wireName } from './wire-modes.js';

export const commands =
  (core: Core): Handler<'commands'> =>
  async (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    await terminal.settle();
    return { commands: terminal.detectors.shell.commands.records.slice(-params.last).map(describeCommand) };
  };

export function describeCommand(record: CommandRecord): Reply<'commands'>['commands'][number] {
  return {
    n: record.n,
    command: record.command ?? null,
    running: record.running,
    code: record.code,
    started_at: record.startedAt ?? null,
    duration_ms: record.durationMs ?? null,
    cwd: record.cwd ?? null,
    ...leftModes(record),
    ...(record.level === undefined ? {} : { shell_level: record.level }),
    output_rows: outputRows(record),
  };
}

function outputRows({ output }: CommandRecord): number | null {
  return output?.end === undefined || output.first === undefined ? null : output.end - output.first;
}

/** For a record of `commands` and the reply of `run`. */
export function leftModes({ modesLeft }: Pick<CommandRecord, 'modesLeft'>): { modes_left?: string[] } {
  return modesLeft === undefined ? {} : { modes_left: modesLeft.map((name) => wireName(name)) };
}
