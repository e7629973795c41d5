/** The shape of the generated table (commands.generated.ts): what each command takes on a command line. */

/**
 * `list`: separated by commas, or the flag repeated. `range`: `start:end`. `name`: a text, or a number where it is one.
 * `json`: whatever has no simpler form.
 */
export type ValueType = 'boolean' | 'integer' | 'number' | 'string' | 'list' | 'range' | 'name' | 'json';

export interface FlagSyntax {
  /** Without its dashes: `idle-timeout-ms`. */
  readonly flag: string;
  readonly short?: string;
  /** Field of the request, or for a local flag its key among {@link Invocation.options}. */
  readonly field: string;
  readonly type: ValueType;
  readonly description: string;
  /** What stands for the value in help; otherwise it follows from the type. */
  readonly placeholder?: string;
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** Not a field of the request: the CLI itself acts on it. */
  readonly local?: true;
  /** May be given more than once; its value is then a list of texts. */
  readonly repeatable?: true;
}

export interface PositionalSyntax {
  readonly field: string;
  /** What stands for it in help. */
  readonly label: string;
  readonly type: ValueType;
  readonly values?: readonly string[];
  readonly optional?: true;
  /** Takes all that follow. As the first argument it takes flags and dashes too: they are another program's. */
  readonly rest?: true;
}

export interface CommandSyntax {
  readonly name: string;
  readonly summary: string;
  /** What holds on the command line only. */
  readonly notes?: string;
  /** Answered by the CLI itself, without a request. */
  readonly local?: true;
  readonly positionals: readonly PositionalSyntax[];
  readonly flags: readonly FlagSyntax[];
  readonly examples: readonly string[];
}
