/** From a checked request to what goes out for it. Whatever a handler does, this resolves: a request cannot end the daemon. */
import type { Log } from '../base/log.js';
import { errorReply, T4aError } from '../protocol/errors.js';
import { encodeLine, encodePaddedLine } from '../protocol/framing.js';
import { COMMANDS, type CommandName } from '../protocol/registry.js';
import type { CheckedRequest, ParsedLine, RequestId } from '../protocol/request.js';
import { reportedError } from './reported-error.js';
import type { Call, Handlers, LineSource, ReplyWithBytes, StreamReply } from './service.js';

/** In this order on the wire: the line, its bytes, then what the stream yields. */
export interface Outgoing {
  readonly line?: Uint8Array;
  readonly bytes?: readonly Uint8Array[];
  readonly stream?: LineSource;
  /** The lines of the stream carry it, and the connection takes further requests. */
  readonly sharedAs?: RequestId | undefined;
}

export async function dispatch(handlers: Handlers, parsed: ParsedLine, call: Call, log: Log): Promise<Outgoing> {
  const { req, request } = parsed;
  if (request instanceof T4aError) return failure(request, req);
  const startedMs = performance.now();
  try {
    // The cast is what the registry guarantees: a handler gets the fields of its own command.
    const handler = handlers[request.cmd] as (params: CheckedRequest['params'], call: Call) => unknown;
    const answer = await handler(request.params, call);
    log.debug(`"${request.cmd}" took ${since(startedMs)}`);
    return success(request.cmd, answer, req);
  } catch (error) {
    const reported = reportedError(error, request, call, log);
    log.debug(`"${request.cmd}" failed with ${reported.code} after ${since(startedMs)}`);
    return failure(reported, req);
  }
}

/** Names and times only: what is typed and shown stays out of the log. */
function since(startedMs: number): string {
  return `${(performance.now() - startedMs).toFixed(1)} ms`;
}

export function failure(error: T4aError, req: RequestId | undefined): Outgoing {
  const { ok, ...rest } = errorReply(error);
  return { line: encodeLine({ ok, ...echo(req), ...rest }) };
}

function success(cmd: CommandName, answer: unknown, req: RequestId | undefined): Outgoing {
  const envelope = { ok: true, ...echo(req) };
  const { kind } = COMMANDS[cmd];
  if (kind === 'bytes') return withBytes(envelope, answer as ReplyWithBytes<CommandName>, cmd, req);
  if (kind === 'line') return { line: encodeLine({ ...envelope, ...(answer as object) }) };
  const { reply, stream, shared } = answer as StreamReply<CommandName>;
  return {
    stream,
    sharedAs: shared === true ? req : undefined,
    ...(reply === undefined ? {} : { line: encodeLine({ ...envelope, ...reply }) }),
  };
}

function withBytes(
  envelope: object,
  answer: ReplyWithBytes<CommandName>,
  cmd: CommandName,
  req: RequestId | undefined,
): Outgoing {
  const bytes = answer.bytes ?? [];
  const len = bytes.reduce((sum, piece) => sum + piece.length, 0);
  if (len === 0) return { line: encodeLine({ ...envelope, ...answer.reply, ...(alwaysHasLen(cmd) ? { len } : {}) }) };
  const header = { ...envelope, len, ...answer.reply };
  return { line: req === undefined ? encodePaddedLine(header) : encodeLine(header), bytes };
}

function alwaysHasLen(cmd: CommandName): boolean {
  const { shape } = COMMANDS[cmd].reply;
  return 'len' in shape && !shape.len.safeParse(undefined).success;
}

function echo(req: RequestId | undefined): { req?: RequestId } {
  return req === undefined ? {} : { req };
}
