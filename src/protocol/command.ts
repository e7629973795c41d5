/**
 * A command, declared once: its request, its reply, who may use it, and how it appears on a command line, as a tool of a
 * model and in help. Whatever depends on a command's name anywhere else is derived from here.
 */
import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import type { Group } from './groups.js';
import { MAX_HOST_LENGTH, MAX_NAME_LENGTH, MAX_SCOPE_LENGTH } from './limits.js';
import type { Reach } from './reach.js';

/** Invisible characters and marks of direction are controls, too: a name is shown to people. */
const AUTHOR = /^[\p{L}\p{N}_][^\s/:@\p{C}]*$/u;
const HOST = /^[^\s/:@\p{C}]+$/u;

export const authorName = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(AUTHOR, 'a name that begins with a letter, a digit or "_", without "/", ":", "@", blanks and controls');

/** The fields that every request may carry besides its own. */
export const envelopeShape = {
  cmd: z.string(),
  req: z
    .union([z.string().max(256), z.number()])
    .optional()
    .describe('Echoed in the reply, which may then overtake others on this connection.'),
  scope: z
    .string()
    .min(1)
    .max(MAX_SCOPE_LENGTH)
    .optional()
    .describe('Group of requests: "@" is the terminal that a request of the same scope made or named last.'),
  as: authorName.optional().describe('Name of the author of the request. It is kept with input.'),
  host: z
    .string()
    .min(1)
    .max(MAX_HOST_LENGTH)
    .regex(HOST, 'a name without "/", ":", "@", blanks and controls')
    .optional()
    .describe(
      'Host of the daemon that is meant. A daemon by itself answers `host_unknown`. A gateway takes patterns such as "gpu-*" for `list`, `events`, `create` and `run`.',
    ),
  traceparent: z.string().optional().describe('Trace of the request (W3C), for the log. Ignored if malformed.'),
};

/** `line`: one JSON line. `bytes`: a line, then `len` raw bytes if its header says so. `stream`: lines until closed. */
export type ReplyKind = 'line' | 'bytes' | 'stream';

/** `read` changes nothing. `act` changes something. `end` may end a program, or run one that ends things. */
export type Effect = 'read' | 'act' | 'end';

export interface Traits<Field extends string = string> {
  readonly group: Group;
  /** Effect without the fields of `fieldReach`. */
  readonly effect: Effect;
  readonly reach: Reach;
  /** The same request once more has no further effect, though it changes something. */
  readonly idempotent?: true;
  /** Fields that require more than `reach`, each with what it requires. */
  readonly fieldReach?: Readonly<Partial<Record<Field, Reach>>>;
  /** Decisions of a person alone: the whole command, or these of its fields. Absent: nothing of it. */
  readonly person?: true | readonly Field[];
  /** The clients ask the daemon that runs, and start none: a question about the daemon, or its end. */
  readonly startsNoDaemon?: true;
  /** False: not on the command line, which has a connection for each command. */
  readonly commandLine?: false;
  /** False: no method of a client, which sends it by itself. */
  readonly method?: false;
  /** The program starts in the caller's directory with the caller's environment. */
  readonly startsProgram?: true;
  /**
   * What standard input stands for if the argument is absent: `bytes` as they are (`input`), `keys` without the last line
   * break (`text`), or `text` as a whole (`text`).
   */
  readonly stdin?: 'bytes' | 'keys' | 'text';
  /**
   * What a reply means for the exit status: `outcome` of the wait that it is, `matches` or none, the status of the
   * `program`, an `answer`, a `delivery`. A reply with a `wait` has that wait's outcome in any case.
   */
  readonly exitStatus?: 'outcome' | 'matches' | 'program' | 'answer' | 'delivery';
  /** Fields that a setting of the command line fills if they are absent, each with the setting. */
  readonly settings?: Readonly<Partial<Record<Field, string>>>;
  /** Defaults of the command line, of the Python client and of tools, in place of the protocol's. */
  readonly clientDefaults?: Readonly<Partial<Record<Field, unknown>>>;
  /** False: no tool of a model. Else its place in the default profile: the fields there, and what it is for. */
  readonly tool?:
    | false
    | {
        readonly fields: readonly Field[];
        /** Beside those that the protocol requires. */
        readonly required?: readonly Field[];
        readonly brief?: string;
        /** Most that a tool of any profile sends of a number, and its default. */
        readonly limits?: Readonly<Partial<Record<Field, number>>>;
        /** No tool has them: what the program says that executes the tools. */
        readonly withheld?: readonly Field[];
      };
}

/** A flag's value on the command line, see {@link CliFlag}. */
export type ValueType = 'boolean' | 'integer' | 'number' | 'string' | 'list' | 'range' | 'name' | 'where' | 'json';

/** A flag that the command line itself acts on. */
export interface CliFlag {
  readonly name: string;
  readonly short?: string;
  readonly type: ValueType;
  readonly placeholder?: string;
  readonly description: string;
  /** A switch that is on, and what `--no-…` does. */
  readonly default?: true;
  readonly off?: string;
}

/** Spelling of a field on the command line, if its schema does not say it. */
export interface CliField {
  readonly short?: string;
  readonly description?: string;
  /** Effect of `--no-…`, of a switch that is on. */
  readonly off?: string;
  readonly placeholder?: string;
  /** A flag of this type, whose value `src/cli/prepare` turns into the field. */
  readonly type?: ValueType;
  readonly repeatable?: true;
}

export interface CliHints<Field extends string = string> {
  /** Fields given by position, in order; `"?"` at the end marks one that may be left out, `"..."` one that takes the rest. */
  readonly positionals?: readonly string[];
  /** Example command lines for `--help`, without the leading `t4a`. */
  readonly examples?: readonly string[];
  /** Fields that have no flag of their own on the command line. */
  readonly hidden?: readonly Field[];
  readonly flags?: readonly CliFlag[];
  readonly fields?: Readonly<Partial<Record<Field, CliField>>>;
  /** Notes that are true of the command line alone. */
  readonly notes?: string;
}

export interface CommandSpec<
  Name extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodObject = z.ZodObject,
  Kind extends ReplyKind = ReplyKind,
> {
  readonly name: Name;
  readonly summary: string;
  /** Further sentences for the reference page. */
  readonly details?: string;
  readonly params: Params;
  /** Beside `ok` and the echoed `req`. */
  readonly reply: Reply;
  readonly kind: Kind;
  /** Codes of its own, beyond those that any request can meet. */
  readonly errors: readonly ErrorCode[];
  readonly traits: Traits;
  readonly cli: CliHints;
}

export function defineCommand<
  const Name extends string,
  Params extends z.ZodRawShape,
  Reply extends z.ZodRawShape,
  const Kind extends ReplyKind = 'line',
>(
  spec: {
    name: Name;
    summary: string;
    details?: string;
    /** Made with the command's first request: all of them together are half of the daemon's start. */
    params: () => Params;
    reply: () => Reply;
    kind?: Kind;
    errors?: readonly ErrorCode[];
    cli?: CliHints<keyof Params & string>;
  } & Traits<keyof Params & string>,
): CommandSpec<Name, z.ZodObject<Params, z.core.$strict>, z.ZodObject<Reply>, Kind> {
  const { name, summary, details, params, reply, kind, errors = [], cli = {}, ...traits } = spec;
  const made: { params?: z.ZodObject<Params, z.core.$strict>; reply?: z.ZodObject<Reply> } = {};
  return {
    name,
    summary,
    ...(details === undefined ? {} : { details }),
    get params() {
      return (made.params ??= z.strictObject(params()));
    },
    get reply() {
      return (made.reply ??= z.object(reply()));
    },
    kind: kind ?? ('line' as Kind),
    errors,
    traits,
    cli,
  };
}
