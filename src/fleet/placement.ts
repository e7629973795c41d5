/** The host for a new terminal, where several would do: of two at random the less busy one, so that none is swamped. */
import { isT4aError, T4aError } from '../protocol/errors.js';

/** Hosts that are asked in all, two at a time, until one answers. */
const MAX_ASKED = 6;

/**
 * @param liveTerminals of a host; rejects if it cannot be reached
 * @param random below 1, for the order of the hosts
 * @throws T4aError that of the last host, if none answers
 */
export async function leastBusy(
  names: readonly string[],
  liveTerminals: (host: string) => Promise<number>,
  random: () => number = Math.random,
): Promise<string> {
  const hosts = shuffled(names, random).slice(0, MAX_ASKED);
  let failure: unknown;
  for (let i = 0; i < hosts.length; i += 2) {
    const pair = hosts.slice(i, i + 2);
    const counts = await Promise.allSettled(pair.map(liveTerminals));
    const [best] = counts
      .flatMap((one, at) => (one.status === 'fulfilled' ? [{ host: pair[at] ?? '', count: one.value }] : []))
      .toSorted((a, b) => a.count - b.count);
    if (best !== undefined) return best.host;
    failure = counts.find((one) => one.status === 'rejected')?.reason;
  }
  if (isT4aError(failure)) throw failure;
  throw new T4aError('host_unreachable', `None of ${hosts.length} hosts answers.`, { field: 'host' });
}

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name);
}
