/**
 * A connection to the daemon with any number of calls under way. It starts no daemon: when the daemon goes, every call fails with
 * `connection_lost`, and so does the next. One that can `renew` itself goes on with the daemon that takes over.
 */
import type { Duplex } from 'node:stream';
import { isT4aError, T4aError, type ErrorCode, type ErrorDetails, type ResumeRequest } from '../protocol/errors.js';
import { encodeLine } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import type { Envelope } from '../protocol/request.js';
import type { CommandName, Commands, ParamsInput, Reply } from '../protocol/registry.js';
import { whyForeign } from './foreign-server.js';
import { unreachable } from './open-socket.js';
import { receivedError } from './received-error.js';
import { noRoom, type ReplyBudget } from './reply-budget.js';
import { overReplacements } from './resume.js';
import { ReplyReader, type Header, type Received } from './reply-reader.js';
import { stoppedError } from './stopped-daemon.js';

/** After this time without an answer, long for most calls, the daemon's state is checked once. */
const LOOK_AFTER_MS = 250;

/** Commands with one reply; `events` is an {@link EventStream}. */
export type CallName = { [Name in CommandName]: Commands[Name]['kind'] extends 'stream' ? never : Name }[CommandName];

/** The reply's fields, and the raw bytes of commands that send any. */
export type CallResult<Name extends CallName> = Reply<Name> &
  (Commands[Name]['kind'] extends 'bytes' ? { readonly bytes?: Uint8Array } : unknown);

export interface CallOptions {
  /** Ends the wait for the reply and, in a daemon that can, the request: what it had done by then stays done. */
  readonly signal?: AbortSignal | undefined;
  /** Trace of the request (W3C), which the daemon's log then has. Daemons that do not understand it get none. */
  readonly traceparent?: string | undefined;
}

/** The fields may be left out if none is required. */
export type CallArguments<Name extends CallName> =
  Record<string, never> extends ParamsInput<Name>
    ? [params?: ParamsInput<Name>, options?: CallOptions]
    : [params: ParamsInput<Name>, options?: CallOptions];

/** Commands of which the daemon ties nothing to the connection: no watcher, lease, question or trigger that ends with it. */
const LEAVING_NOTHING: ReadonlySet<CommandName> = new Set([
  'ping',
  'list',
  'status',
  'text',
  'grep',
  'find',
  'cursor',
  'commands',
  'ports',
  'output',
  'screenshot',
  'stats',
  'wait',
  'type',
  'press',
  'send',
  'paste',
  'label',
]);

interface PendingCall {
  readonly cmd: CommandName;
  failure?: T4aError;
  resolve(header: Header, bytes: Uint8Array | undefined): void;
  reject(error: unknown): void;
}

export class DaemonConnection {
  readonly socketPath: string;
  /** Sent with every call: none until the daemon is known to understand it. */
  envelope: Envelope = {};
  /** Whether the daemon is known to understand `cancel`. */
  canCancel = false;
  /** Whether the daemon is known to understand `traceparent`. */
  canTrace = false;
  /** Opens one to the daemon that takes the place of this one. Absent: calls fail with `replaced`. */
  renew?: () => Promise<DaemonConnection>;
  /** Called if the daemon is replaced and may have tied something to the connection: its client has a while to come back. */
  onTiedReplaced?: () => void;
  #next: Promise<DaemonConnection> | undefined;
  readonly #socket: Duplex;
  readonly #received: Received | undefined;
  readonly #pending = new Map<number, PendingCall>();
  readonly #closed: Promise<void>;
  #isTied = false;
  #lastReq = 0;
  /** Why no further call is possible. */
  #end: { code: ErrorCode; message: string; details: ErrorDetails } | undefined;

  /** @param received what is taken of the replies of another host */
  constructor(socket: Duplex, socketPath: string, budget?: ReplyBudget, received?: Received) {
    this.socketPath = socketPath;
    this.#received = received;
    this.#socket = socket;
    const sink = {
      reply: (header: Header, bytes: Uint8Array | undefined): void => this.#deliver(header, bytes),
      garbage: (start: string): void => this.#fail(unreachable(socketPath, whyForeign(start))),
      noRoom: (bytes: number): void => this.#fail(noRoom(bytes)),
    };
    const reader = new ReplyReader(sink, budget);
    socket.on('data', (chunk: Buffer) => reader.push(chunk)).resume();
    let lost: T4aError | undefined;
    socket.on('error', (error: Error) => {
      // 'close' follows and rejects the calls; a route to another host has a reason.
      if (isT4aError(error)) lost = error;
    });
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        reader.dispose();
        this.#fail(lost ?? new T4aError('connection_lost', 'The daemon closed the connection.', { hint: 't4a ping' }));
        resolve();
      });
    });
  }

  /**
   * @throws T4aError with the daemon's code, `connection_lost`, or `daemon_stopped`
   * @throws the signal's reason, if it is aborted first
   */
  call<Name extends CallName>(cmd: Name, ...args: CallArguments<Name>): Promise<CallResult<Name>> {
    if (this.renew === undefined) return this.#ask(cmd, ...args);
    const [params, options] = args;
    const again = (request: ResumeRequest): Promise<object> => this.#askNext(request, options);
    const request: ResumeRequest = { ...params, cmd };
    const asked = this.#next === undefined ? this.#ask(cmd, ...args) : this.#askNext(request, options);
    return overReplacements(asked as Promise<CallResult<Name>>, request, again);
  }

  async #askNext({ cmd, ...params }: ResumeRequest, options: CallOptions | undefined): Promise<object> {
    if ((await this.#next)?.isOpen !== true) this.#next = this.renew?.();
    const next = await this.#next;
    if (next === undefined) throw this.#failureOf(cmd as CommandName);
    return next.call(cmd as CallName, ...([params, options] as unknown as CallArguments<CallName>));
  }

  #ask<Name extends CallName>(cmd: Name, ...[params, options]: CallArguments<Name>): Promise<CallResult<Name>> {
    return new Promise((resolve, reject) => {
      const signal = options?.signal;
      signal?.throwIfAborted();
      if (this.#end !== undefined) throw this.#failureOf(cmd);
      if (!LEAVING_NOTHING.has(cmd)) this.#isTied = true;
      const req = ++this.#lastReq;
      const traceparent = this.canTrace ? options?.traceparent : undefined;
      const trace = traceparent === undefined ? {} : { traceparent };
      const line = requestLine({ cmd, req, ...this.envelope, ...trace }, params);
      const onAbort = (): void => {
        pending.reject(signal?.reason);
        if (this.canCancel && this.isOpen)
          this.#socket.write(requestLine({ cmd: 'cancel', req: ++this.#lastReq }, { of: req }));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      let look: NodeJS.Timeout | undefined;
      let isOver = false;
      const end = (): void => {
        isOver = true;
        clearTimeout(look);
        signal?.removeEventListener('abort', onAbort);
      };
      const pending: PendingCall = {
        cmd,
        resolve(header, bytes) {
          end();
          resolve(resultOf(header, bytes) as CallResult<Name>);
        },
        reject(error) {
          end();
          reject(error);
        },
      };
      this.#pending.set(req, pending);
      this.#socket.write(line);
      // By then the request is on its way, also where several go out in one piece.
      void Promise.resolve().then(() => {
        if (!isOver) look = setTimeout(() => this.#lookAfter(pending), LOOK_AFTER_MS).unref();
      });
    });
  }

  /** Whether calls still reach the daemon. */
  get isOpen(): boolean {
    return this.#end === undefined || (this.#end.code === 'replaced' && this.renew !== undefined);
  }

  /** Another daemon has taken over: a socket that was deleted comes back (deleted-socket.ts). */
  get wasReplaced(): boolean {
    return this.#end?.code === 'replaced';
  }

  /** Whether nothing of its calls is left: neither one under way, nor what the daemon ties to the connection. */
  get isFree(): boolean {
    return this.isOpen && !this.#isTied && this.#pending.size === 0;
  }

  /** The daemon has tied something to the connection before this one. */
  tie(): void {
    this.#isTied = true;
  }

  /** Calls under way fail with `connection_lost`. */
  async close(): Promise<void> {
    delete this.renew;
    this.#fail(new T4aError('connection_lost', 'The client was closed.'));
    await (await this.#next?.catch(() => undefined))?.close();
    await this.#closed;
  }

  /** The call stays pending: its answer comes when the daemon is continued, and is dropped. */
  #lookAfter(pending: PendingCall): void {
    const stopped = stoppedError(this.socketPath);
    if (stopped === undefined) return;
    const message = `${stopped.message} "${pending.cmd}" reaches it once it is continued.`;
    pending.reject(new T4aError(stopped.code, message, stopped.details));
  }

  #deliver(given: Header, bytes: Uint8Array | undefined): void {
    const req = given['req'];
    const asked = typeof req === 'number' ? this.#pending.get(req)?.cmd : undefined;
    const header = this.#received?.(given, asked) ?? given;
    const error = header['ok'] === true ? undefined : receivedError(header);
    if (typeof req !== 'number') {
      // Only a reply to an unreadable request has no number, and then its call is unknown.
      return this.#fail(error ?? unreachable(this.socketPath, 'its reply names no request'));
    }
    const pending = this.#pending.get(req);
    if (pending === undefined) return;
    if (error?.code === 'replaced') {
      // With the end of the connection, and in the order of the calls: they may go on in that order alone.
      pending.failure = error;
      return;
    }
    this.#pending.delete(req);
    if (error === undefined) pending.resolve(header, bytes);
    else pending.reject(error);
  }

  #fail(error: T4aError): void {
    this.#end ??= { code: error.code, message: error.message, details: error.details };
    for (const [req, pending] of this.#pending) {
      this.#pending.delete(req);
      pending.reject(pending.failure ?? this.#failureOf(pending.cmd));
    }
    this.#socket.destroy();
    if (this.#isTied && this.#end.code === 'replaced') this.onTiedReplaced?.();
    delete this.onTiedReplaced;
  }

  /** Each call gets an error of its own, with the caller's stack. */
  #failureOf(cmd: CommandName): T4aError {
    const { code, message, details } = this.#end ?? { code: 'internal', message: 'Not closed.', details: {} };
    const unanswered = code === 'connection_lost' ? ` "${cmd}" was not answered.` : '';
    return new T4aError(code, `${message}${unanswered}`, details);
  }
}

function resultOf(header: Header, bytes: Uint8Array | undefined): Record<string, unknown> {
  const { ok: _ok, req: _req, ...fields } = header;
  return bytes === undefined ? fields : { ...fields, bytes };
}

function requestLine(
  head: Envelope & { readonly cmd: CommandName; readonly req: number },
  params: object | undefined,
): Uint8Array {
  let line: Uint8Array;
  try {
    // Security: no field of a caller replaces the command or the number. The head comes first (see `requestIdOf`).
    line = encodeLine({ ...head, ...params, cmd: head.cmd, req: head.req });
  } catch (error) {
    // A stack overflow means nested fields; TypeErrors name a cycle or a bigint, on their first line.
    const reason = error instanceof TypeError ? error.message.split('\n', 1)[0] : 'it is nested too deep';
    throw new T4aError('invalid_field', `A field of "${head.cmd}" cannot be sent: ${reason}.`);
  }
  if (line.length > MAX_LINE_BYTES) throw lineTooLong(line.length);
  return line;
}

function lineTooLong(bytes: number): T4aError {
  return new T4aError('line_too_long', `The request has ${bytes} bytes, more than the ${MAX_LINE_BYTES} allowed.`, {
    hint: 'Send large input in several requests.',
  });
}

/** The calls of a connection or a client, with the signal as an argument of its own, as watchers ask. */
export function sendBy(client: Pick<DaemonConnection, 'call'>) {
  return <Name extends CallName>(cmd: Name, params: ParamsInput<Name>, signal?: AbortSignal) =>
    client.call(cmd, ...([params, { signal }] as CallArguments<Name>));
}
