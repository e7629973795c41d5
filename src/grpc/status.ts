/** Errors as vtr reports them: a code of gRPC, and details that begin with vtr's word for it. */
import { status as Status } from '@grpc/grpc-js';
import { ERRORS, isT4aError, type ErrorCode } from '../protocol/errors.js';

const OF_CODE: Readonly<Partial<Record<ErrorCode, readonly [code: Status, word: string]>>> = {
  terminal_not_found: [Status.NOT_FOUND, 'SESSION_NOT_FOUND'],
  name_taken: [Status.ALREADY_EXISTS, 'SESSION_ALREADY_EXISTS'],
  terminal_exited: [Status.FAILED_PRECONDITION, 'SESSION_NOT_RUNNING'],
  read_only: [Status.FAILED_PRECONDITION, 'SESSION_NOT_RUNNING'],
  recording_not_found: [Status.FAILED_PRECONDITION, 'NO_RECORDING'],
  spawn_failed: [Status.INTERNAL, 'SPAWN_FAILED'],
  cwd_not_found: [Status.INTERNAL, 'SPAWN_FAILED'],
  program_not_found: [Status.INTERNAL, 'SPAWN_FAILED'],
  program_not_executable: [Status.INTERNAL, 'SPAWN_FAILED'],
  internal: [Status.INTERNAL, 'INTERNAL_ERROR'],
  not_permitted: [Status.PERMISSION_DENIED, 'NOT_PERMITTED'],
  not_allowed: [Status.PERMISSION_DENIED, 'NOT_ALLOWED'],
  cancelled: [Status.CANCELLED, 'CANCELLED'],
};

const EXHAUSTED: readonly ErrorCode[] = [
  'too_many_terminals',
  'too_many_waits',
  'too_many_requests',
  'too_many_connections',
  'memory_low',
  'input_blocked',
  'export_too_large',
];

const NO_DAEMON: readonly ErrorCode[] = [
  'daemon_unreachable',
  'daemon_stopped',
  'connection_lost',
  'shutting_down',
  'version_mismatch',
  'host_unreachable',
];

export class GrpcError extends Error {
  readonly code: Status;
  readonly details: string;

  constructor(code: Status, details: string) {
    super(details);
    this.code = code;
    this.details = details;
  }
}

export function invalidArgument(says: string): GrpcError {
  return new GrpcError(Status.INVALID_ARGUMENT, `INVALID_ARGUMENT: ${says}`);
}

export function noSession(says: string): GrpcError {
  return new GrpcError(Status.NOT_FOUND, `SESSION_NOT_FOUND: ${says}`);
}

export function notRecorded(says: string): GrpcError {
  return new GrpcError(Status.FAILED_PRECONDITION, `NO_RECORDING: ${says}`);
}

export function grpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  if (!isT4aError(error)) return new GrpcError(Status.INTERNAL, `INTERNAL_ERROR: ${String(error)}`);
  const { code, message } = error;
  const [status, word] = OF_CODE[code] ?? [statusOf(code), code.toUpperCase()];
  return new GrpcError(status, `${word}: ${message}`);
}

/** A newer daemon may answer with a code that is not known here. */
function statusOf(code: ErrorCode): Status {
  if (EXHAUSTED.includes(code)) return Status.RESOURCE_EXHAUSTED;
  if (NO_DAEMON.includes(code)) return Status.UNAVAILABLE;
  if (!Object.hasOwn(ERRORS, code)) return Status.UNKNOWN;
  return ERRORS[code].fault === 'caller' ? Status.INVALID_ARGUMENT : Status.FAILED_PRECONDITION;
}
