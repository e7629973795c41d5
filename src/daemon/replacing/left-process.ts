/**
 * The process of a daemon that was replaced. It stays as the parent of its programs: the system tells their ends to it alone, and it
 * passes them on. It ends with the last of them, and with the daemon that has taken over.
 */
import type { FrameChannel } from './frame-channel.js';
import { collectGarbage } from '../../terminal/system/collect-garbage.js';
import type { NewFrame, OldFrame } from './frames.js';

/** For the last message to leave. */
const LAST_WORDS_MS = 100;

/** @param ends of its programs and of its connections; resolves never: the process ends */
export async function stayForPrograms(
  channel: FrameChannel<OldFrame, NewFrame>,
  ends: readonly Promise<unknown>[],
  exit: () => void,
): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => void channel.send({ kind: 'end', signal }));
  }
  // The programs' terminals are open there, too.
  channel.onEnd = exit;
  collectGarbage();
  await Promise.allSettled(ends);
  setTimeout(exit, LAST_WORDS_MS);
}
