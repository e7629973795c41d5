/** What a command is: its name, its request fields, its reply, and how it looks on a command line. */
import { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** The fields that every request may carry besides its own. */
export const envelopeShape = {
  cmd: z.string(),
  req: z
    .union([z.string().max(256), z.number()])
    .optional()
    .describe('Echoed in the reply, which may then overtake others on this connection.'),
};

/** `line`: one JSON line. `bytes`: a line, then `len` raw bytes where its header says so. `stream`: lines until closed. */
export type ReplyKind = 'line' | 'bytes' | 'stream';

export interface CliHints {
  /** Fields given by position, in order; `"?"` at the end marks one that may be left out, `"..."` one that takes the rest. */
  readonly positionals?: readonly string[];
  /** Example command lines for `--help`, without the leading `t4a`. */
  readonly examples?: readonly string[];
  /** Fields that have no flag of their own on the command line. */
  readonly hidden?: readonly string[];
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
  readonly cli: CliHints;
}

export function defineCommand<
  const Name extends string,
  Params extends z.ZodRawShape,
  Reply extends z.ZodRawShape,
  const Kind extends ReplyKind = 'line',
>(spec: {
  name: Name;
  summary: string;
  details?: string;
  /** Made with the command's first request: all of them together are half of the daemon's start. */
  params: () => Params;
  reply: () => Reply;
  kind?: Kind;
  errors?: readonly ErrorCode[];
  cli?: CliHints;
}): CommandSpec<Name, z.ZodObject<Params, z.core.$strict>, z.ZodObject<Reply>, Kind> {
  let params: z.ZodObject<Params, z.core.$strict> | undefined;
  let reply: z.ZodObject<Reply> | undefined;
  return {
    name: spec.name,
    summary: spec.summary,
    ...(spec.details === undefined ? {} : { details: spec.details }),
    get params() {
      return (params ??= z.strictObject(spec.params()));
    },
    get reply() {
      return (reply ??= z.object(spec.reply()));
    },
    kind: spec.kind ?? ('line' as Kind),
    errors: spec.errors ?? [],
    cli: spec.cli ?? {},
  };
}
