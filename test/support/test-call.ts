/** A call of no connection, for tests of handlers. */
import type { Call } from '../../src/rpc/service.js';

/** One for all, as of one client. */
const CONNECTION = { onGone: () => ({ dispose: () => {} }) };

export function testCall(own: Partial<Call> = {}): Call {
  return {
    cmd: 'type',
    req: undefined,
    signal: new AbortController().signal,
    behind: false,
    caughtUp: () => Promise.resolve(),
    cancel: () => false,
    connection: CONNECTION,
    ...own,
  };
}
