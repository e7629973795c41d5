/** Meaning of errors of the library of NATS. */
import { errors } from '@nats-io/transport-node';

export function isNoResponders(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => one instanceof errors.NoRespondersError);
}

/** The user may not publish or subscribe there. */
export function isRefused(error: unknown): boolean {
  return [error, (error as Error).cause].some((one) => one instanceof errors.PermissionViolationError);
}
