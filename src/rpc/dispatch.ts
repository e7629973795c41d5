/**
 * From a checked request to what goes out for it. Whatever a handler does, this resolves: a request cannot end the daemon.
 * The one place that checks what a connection may do.
 */
import type { Log } from '../base/log.js';
import { errorReply, quote, T4aError } from '../protocol/errors.js';
import { encodeLine, encodePaddedLine } from '../protocol/framing.js';
import { COMMANDS, type CommandName } from '../protocol/registry.js';
import {
  parseRequestLine,
  type CheckedRequest,
  type Envelope,
  type Passed,
  type ParsedLine,
  type RequestId,
} from '../protocol/request.js';
import { EncodedReply, lineWithFields } from './encoded-fields.js';
import { brokenOff, withResume } from './resume.js';
import { ofTrace, reportedError } from './reported-error.js';
import { lowered, MOST_RIGHTS, refusalOf, type Restriction, UNRESTRICTED, whyOver } from './restriction.js';
import type { Call, ClientCall, Handlers, LineSource, ReplyWithBytes, StreamReply } from './service.js';

/** Parts of an answer in their order on the wire: the line, its bytes, then what the stream yields. */
export interface Outgoing {
  readonly line?: Uint8Array;
  readonly bytes?: readonly Uint8Array[];
  readonly stream?: LineSource;
  /** The lines of the stream carry it, and the connection takes further requests. */
  readonly sharedAs?: RequestId | undefined;
}

/**
 * Reads a line, and refuses what the connection may not do. Called for each line in the order of the lines, before requests
 * overtake others: a restriction holds for every line after its own.
 */
export type Admit = (line: Uint8Array, client: Restricted) => ParsedLine;

interface Restricted {
  restriction?: Restriction | undefined;
  /** Absent where requests take no turns. */
  shareTurns?(name: string): void;
}

/** Admission to a daemon, which has no other hosts. */
export const admitLine: Admit = (line, client) => {
  const parsed = parseRequestLine(line);
  return parsed.host === undefined ? admit(parsed, client) : { req: parsed.req, request: hostUnknown(parsed.host) };
};

/** Refuses what is above the connection's restriction. */
export function admit(parsed: ParsedLine, client: Restricted): ParsedLine {
  const { req, request } = parsed;
  if (request instanceof T4aError) return parsed;
  const { restriction } = client;
  const refusal = restriction === undefined ? undefined : refusalOf(COMMANDS[request.cmd], request.params, restriction);
  if (refusal !== undefined) return { req, request: refusal };
  if (request.cmd === 'restrict') {
    const { turns } = request.params;
    const next = lowered(restriction ?? UNRESTRICTED, request.params);
    const over = (next.rights?.length ?? 0) > MOST_RIGHTS ? tooManyRights() : whyOver(next);
    if (over !== undefined) return { req, request: over };
    client.restriction = next;
    if (turns !== undefined) client.shareTurns?.(turns);
  }
  return parsed;
}

function tooManyRights(): T4aError {
  return new T4aError('over_limit', `A connection lasts as long as ${MOST_RIGHTS} files say, at most.`, {
    field: 'as_long_as',
  });
}

function hostUnknown(host: string): T4aError {
  return new T4aError('host_unknown', `This daemon knows no host ${quote(host)}, only its own terminals.`, {
    field: 'host',
    hint: 'Leave out "host".',
  });
}

export async function dispatch(
  handlers: Handlers,
  parsed: ParsedLine,
  client: ClientCall,
  log: Log,
): Promise<Outgoing> {
  const { req, request } = parsed;
  if (request instanceof T4aError) return failure(request, req);
  // The right may have ended while the request waited for its turn.
  const over = client.restriction === undefined ? undefined : whyOver(client.restriction);
  if (over !== undefined) return failure(over, req);
  const startedMs = performance.now();
  const call = callOf(client, request.cmd, parsed);
  try {
    // The cast is what the registry guarantees: a handler gets the fields of its own command.
    const handler = handlers[request.cmd] as (params: CheckedRequest['params'], call: Call) => unknown;
    const answer = await handler(request.params, call);
    log.debug(`"${request.cmd}" took ${since(startedMs)}${ofTrace(call)}`);
    return success(request.cmd, withResume(answer, request, performance.now() - startedMs), req);
  } catch (error) {
    const reported = reportedError(error, request, call, log);
    log.debug(`"${request.cmd}" failed with ${reported.code} after ${since(startedMs)}${ofTrace(call)}`);
    return failure(
      reported.code === 'replaced' ? brokenOff(reported, request, performance.now() - startedMs) : reported,
      req,
    );
  }
}

function callOf(client: ClientCall, cmd: CommandName, { scope, as, host, traceparent, via }: Envelope & Passed): Call {
  return {
    req: client.req,
    get signal() {
      return client.signal;
    },
    get behind() {
      return client.behind;
    },
    caughtUp: () => client.caughtUp(),
    made: (bytes) => client.made?.(bytes),
    cancel: (of) => client.cancel(of),
    connection: client.connection,
    get restriction() {
      return client.restriction ?? UNRESTRICTED;
    },
    cmd,
    scope,
    as,
    host,
    traceparent,
    via,
  };
}

/** Words that the answer of a request that opens a stream will have: a refusal of that needs no stream. */
export function streamOf({ req, request }: ParsedLine): Pick<Outgoing, 'sharedAs'> | undefined {
  if (request instanceof T4aError || COMMANDS[request.cmd].kind !== 'stream') return undefined;
  const { shared = false } = request.params as { readonly shared?: boolean };
  if (shared && req === undefined) return undefined;
  return { sharedAs: shared ? req : undefined };
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
  if (answer instanceof EncodedReply) {
    const { first: line, rest: bytes } = lineWithFields({ ...envelope, ...answer.reply }, answer.encoded, false);
    return { line, bytes };
  }
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
  const counted = len > 0 || alwaysHasLen(cmd) ? { len } : {};
  if (answer.encoded !== undefined) {
    const isPadded = len > 0 && req === undefined;
    const line = lineWithFields({ ...envelope, ...counted, ...answer.reply }, answer.encoded, isPadded);
    return { line: line.first, bytes: [...line.rest, ...bytes] };
  }
  if (len === 0) return { line: encodeLine({ ...envelope, ...answer.reply, ...counted }) };
  const header = { ...envelope, ...counted, ...answer.reply };
  return { line: req === undefined ? encodePaddedLine(header) : encodeLine(header), bytes };
}

function alwaysHasLen(cmd: CommandName): boolean {
  const { shape } = COMMANDS[cmd].reply;
  return 'len' in shape && !shape.len.safeParse(undefined).success;
}

function echo(req: RequestId | undefined): { req?: RequestId } {
  return req === undefined ? {} : { req };
}
