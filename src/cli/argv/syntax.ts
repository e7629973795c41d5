/** The shape of the generated table (commands.generated.ts): what each command takes on a command line. */
import type { Traits, ValueType } from '../../protocol/command.js';
import type { Group } from '../../protocol/groups.js';

export interface FlagSyntax {
  /** Without its dashes: `idle-timeout-ms`. */
  readonly flag: string;
  readonly short?: string;
  /** Field of the request, or for a local flag its key among the options of an invocation. */
  readonly field: string;
  /**
   * `list`: separated by commas, or the flag repeated. `range`: `start:end`. `name`: a text, or a number if it is one.
   * `json`: values that have no simpler form.
   */
  readonly type: ValueType;
  readonly description: string;
  /** What `--no-…` does, of a switch that is on. */
  readonly off?: string;
  /** Stands for the value in help; otherwise it follows from the type. */
  readonly placeholder?: string;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** No field of the request: the command line itself acts on it. */
  readonly local?: true;
  /** May be given more than once; its value is then a list of texts. */
  readonly repeatable?: true;
}

export interface PositionalSyntax {
  readonly field: string;
  /** Stands for the argument in help. */
  readonly label: string;
  readonly type: ValueType;
  readonly values?: readonly string[];
  readonly optional?: true;
  /** Takes all that follow. As the first argument it takes flags and dashes too: they are another program's. */
  readonly rest?: true;
}

/** The traits of a command that the command line acts on, see {@link Traits}. */
export type CommandLineTraits = Pick<
  Traits,
  'startsNoDaemon' | 'startsProgram' | 'stdin' | 'exitStatus' | 'settings' | 'clientDefaults'
>;

export interface CommandSyntax extends CommandLineTraits {
  readonly name: string;
  readonly summary: string;
  readonly group: Group;
  /** What is true of the command line alone. */
  readonly notes?: string;
  /** Answered by the command line itself, without a request. */
  readonly local?: true;
  /** Changes nothing, but with the fields in `acting`. */
  readonly reads?: true;
  readonly acting?: readonly string[];
  readonly streams?: true;
  /** The fields of a turn that the request has. */
  readonly turn?: readonly TurnField[];
  readonly positionals: readonly PositionalSyntax[];
  readonly flags: readonly FlagSyntax[];
  readonly examples: readonly string[];
}

/** `until` are the conditions of `wait` itself. */
export const TURN_FIELDS = ['until', 'wait', 'observe'] as const;

export type TurnField = (typeof TURN_FIELDS)[number];
