/** Runs command lines of several callers in one process, at once, each with what its caller has. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Caller, workForCallers } from '../base/caller.js';

const callers = new AsyncLocalStorage<Caller>();

export function runFor<T>(caller: Caller, run: () => Promise<T>): Promise<T> {
  workForCallers(() => callers.getStore());
  return callers.run(caller, run);
}
