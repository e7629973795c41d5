/** The time of day, as one that cannot be set back: "five seconds ago" is by the time that has passed. */
import type { Clock } from './clock.js';

/**
 * Returns milliseconds since the Unix epoch. Where the clock is set back, they go on by monotonic time; where it is set
 * ahead, or the machine has slept, they follow it.
 */
export function onwardTime(clock: Clock): () => number {
  let offsetMs = -Infinity;
  return () => {
    const nowMs = clock.now();
    offsetMs = Math.max(offsetMs, clock.wallNow() - nowMs);
    return nowMs + offsetMs;
  };
}
