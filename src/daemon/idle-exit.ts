/** Stops an unused daemon: after `timeoutMs` without a terminal and without a client. */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';

/** Longest delay past the timeout; a check compares two numbers. */
const CHECK_MS = 1000;

export function leaveWhenUnused(clock: Clock, timeoutMs: number, isUsed: () => boolean, leave: () => void): Disposable {
  let unusedSinceMs = clock.now();
  let timer: Disposable | undefined;
  const check = (): void => {
    if (isUsed()) unusedSinceMs = clock.now();
    const leftMs = unusedSinceMs + timeoutMs - clock.now();
    if (leftMs <= 0) return leave();
    timer = clock.after(Math.min(leftMs, CHECK_MS), check);
  };
  check();
  return { dispose: () => timer?.dispose() };
}
