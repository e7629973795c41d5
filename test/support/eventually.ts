import { vi } from 'vitest';

/** A machine may be slow: vitest's own second is no bound of what is tested. */
const BOUND_MS = 60_000;

/** Tries until it does not throw. @throws what it threw last */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: BOUND_MS });
}
