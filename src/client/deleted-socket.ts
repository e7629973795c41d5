/** A socket that was deleted: its daemon makes it anew within a second. Who has heard of a daemon there tries for so long. */
import { isT4aError } from '../protocol/errors.js';

const AWAY_MS = 3000;
const TRY_MS = 50;

/** @throws what the last call threw */
export async function whileAway<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  const endMs = performance.now() + AWAY_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isAway = isT4aError(error) && error.code === 'daemon_unreachable';
      if (!isAway || performance.now() >= endMs) throw error;
    }
    // Loaded only here: most clients find a daemon at once.
    await process.getBuiltinModule('node:timers/promises').setTimeout(TRY_MS);
  }
}
