/** What all features use of the daemon. */
import type { IfFile } from '../protocol/vocabulary.js';
import { type HasParts, PartKey } from '../base/parts.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { EventBus } from '../events/bus.js';
import type { WorkSchedule } from '../search/work-schedule.js';
import type { Config } from '../protocol/commands/config.js';
import type { Params } from '../protocol/registry.js';
import { NO_VARIABLES } from '../redaction/redactor-of.js';
import type { Redactor, Variables } from '../redaction/redactor.js';
import type { LeftConnections } from '../rpc/left-connections.js';
import type { Asker, ClientCall } from '../rpc/service.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Terminals } from '../terminal/terminals.js';

export interface Core {
  readonly terminals: Terminals;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  /** Undefined if nothing is masked. @param terminal whose environment counts, too */
  redactor(terminal: HasParts): Redactor | undefined;
  /** Of the daemon before. */
  readonly left: LeftConnections;
  /** Long searches of all requests. */
  readonly work: WorkSchedule;
  /** @throws T4aError shutting_down */
  assertOpen(): void;
}

/** Variables of a terminal's program that `redact` names. */
export const SECRET_VARIABLES = new PartKey<Variables>(() => NO_VARIABLES);

export type SpawnParams = Pick<
  Params<'create'>,
  | 'cols'
  | 'rows'
  | 'cmd_args'
  | 'cwd'
  | 'env'
  | 'inherit_env'
  | 'keep_agent_env'
  | 'scrollback'
  | 'term'
  | 'term_program'
  | 'idle_timeout_ms'
  | 'shell_integration'
> & {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly if_file?: IfFile | undefined;
  readonly keep_cleared?: boolean | undefined;
  readonly set_env?: Readonly<Record<string, string>> | undefined;
  /** Default: the terminal that the request comes from, by its environment. */
  readonly parent?: string | undefined;
  /** Output read ahead of the parser, at most. Default: the configuration's. */
  readonly mostWindowBytes?: number | undefined;
};

/** What a request asks of the recording of a new terminal; what is absent follows the configuration. */
export type RecordFields = Pick<Params<'create'>, 'record' | 'record_input'>;

export type StartRecording = (terminal: Terminal) => Promise<void>;

/** Begins and ends terminals, for the features that have need of new ones. */
export interface Launcher {
  /**
   * Call it before a terminal is created, and the result right after, so that the recording begins with the first byte.
   * @returns undefined, and no promise, for a terminal that is not recorded: its request overtakes no other and is overtaken by none
   * @throws T4aError invalid_field
   */
  recordFromStart(asked: RecordFields): Promise<StartRecording> | undefined;
  /** @throws T4aError too_many_terminals, memory_low, over_limit, cwd_not_found, program_not_found, program_not_executable, spawn_failed */
  spawn(params: SpawnParams, asker: Asker): Terminal;
  /**
   * Ends a terminal's processes and removes it.
   * @param graceMs see `kill`
   * @returns pids of processes that could not be ended
   */
  remove(terminal: Terminal, graceMs?: number, sparesNohup?: boolean): Promise<number[]>;
}

/** Whether replies are: those to programs, as the tools of models are: persons see what their terminals show. */
export function isMasked({ config }: Core, { restriction }: Pick<ClientCall, 'restriction'>): boolean {
  return config.redact.replies && restriction?.person === false;
}
