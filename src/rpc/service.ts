/** The interface between connections and the daemon: one handler for each command; the compiler checks that none is missing. */
import type { Disposable } from '../base/lifetime.js';
import type { RequestId } from '../protocol/request.js';
import type { CommandName, Commands, Params, Reply } from '../protocol/registry.js';
import type { EncodedFields, EncodedReply } from './encoded-fields.js';
import type { Restriction } from './restriction.js';

/** The connection of a call, which may outlast the call. */
export interface CallConnection {
  /** Called once, when the client has gone or the daemon shuts down; at once if so. */
  onGone(listener: () => void): Disposable;
}

/** Parts that a call has from its connection. */
export interface ClientCall {
  readonly req: RequestId | undefined;
  /** Aborted when the client cancels the request or has gone, or the daemon shuts down. */
  readonly signal: AbortSignal;
  /** Whether more than `client_buffer_bytes` of replies are unread: send nothing large now. */
  readonly behind: boolean;
  /** Resolves once the client is no longer behind, or has gone. */
  caughtUp(): Promise<void>;
  /** Bytes of the reply that are made and kept until it is whole: the connection holds them. The call may be aborted by this. */
  made?(bytes: number): void;
  /**
   * Ends another call or a shared stream of the same connection.
   * @returns whether there was one
   */
  cancel(of: RequestId): boolean;
  /** The same object for all calls of a connection. */
  readonly connection: CallConnection;
  /** Restriction of the connection. Absent: it may do everything. */
  readonly restriction?: Restriction | undefined;
}

/** Asker of a call: requests of one scope share their "@". */
export interface Asker {
  readonly scope?: string | undefined;
  /** Name of the author. */
  readonly as?: string | undefined;
  /** Host that is meant, where a server has several. */
  readonly host?: string | undefined;
  /** Trace of the request, for the log. */
  readonly traceparent?: string | undefined;
  /** Gateways that the request has gone through, where a server is one. */
  readonly via?: readonly string[] | undefined;
}

export interface Call extends ClientCall, Asker {
  readonly cmd: CommandName;
}

/** A reply whose header line is followed by raw bytes; the connection fills in `len` when it writes the reply. */
export interface ReplyWithBytes<Name extends CommandName> {
  readonly reply: Omit<Reply<Name>, 'len'>;
  /** Absent: the reply is a plain line without raw bytes (its `len`, where the reply has one, is then 0). */
  readonly bytes?: readonly Uint8Array[];
  /** Fields that the reply has beside these. */
  readonly encoded?: EncodedFields | undefined;
}

/** Lines to come, pulled as fast as the client reads. The source is bounded; the puller holds nothing back. */
export interface LineSource extends Disposable {
  /** The next line's object, or undefined when there is none now. */
  next(): object | undefined;
  /** Called when `next` may have something again. */
  onReadable(listener: () => void): Disposable;
}

export interface StreamReply<Name extends CommandName> {
  /** First line, if the client asked for one. */
  readonly reply?: Reply<Name>;
  readonly stream: LineSource;
  /** Whether its lines carry the request's `req`, and the connection takes further requests. */
  readonly shared?: true;
}

export type HandlerResult<Name extends CommandName> = Commands[Name]['kind'] extends 'bytes'
  ? ReplyWithBytes<Name>
  : Commands[Name]['kind'] extends 'stream'
    ? StreamReply<Name>
    : Name extends LargeReply
      ? Reply<Name> | EncodedReply<Reply<Name>>
      : Reply<Name>;

/** Commands without raw bytes whose replies may be large. */
type LargeReply = 'watch' | 'schema';

export interface Handler<Name extends CommandName> {
  (params: Params<Name>, call: Call): HandlerResult<Name> | Promise<HandlerResult<Name>>;
  /** Resolves once the handler is loaded: what its connection has asked after it begins later. Undefined if it is. */
  readonly load?: () => Promise<unknown> | undefined;
}

export type Handlers = { readonly [Name in CommandName]: Handler<Name> };
