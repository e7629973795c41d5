/**
 * The process of a daemon that was replaced. It stays as the parent of its programs: the system tells their ends to it alone. It becomes
 * a stub, or passes the ends on. It ends with the last of them, and with the daemon that has taken over.
 */
import type { FrameChannel } from './frame-channel.js';
import { collectGarbage } from '../../terminal/system/collect-garbage.js';
import type { NewFrame, OldFrame } from './frames.js';
import { becomeStub } from './stub.js';

/** Milliseconds for the last message to leave. */
const LAST_WORDS_MS = 100;

/** Between two turns of the collector. */
const TURN_MS = 1000;

export interface Left {
  /** The ends of programs that it is to pass on. */
  readonly programs: readonly Promise<void>[];
  /** Resolves once its connections are closed. */
  readonly connections: Promise<unknown>;
  /** Programs whose parent it is, and that live. */
  readonly living: ReadonlySet<number>;
  /** Stub that it is to become, and when: ends may be told to it. */
  readonly stub: { readonly pipe: number; readonly cat: string; readonly from: Promise<void> } | undefined;
  /** Whether it is to live as long as the daemon that has taken over. */
  readonly stays: boolean;
  /** Lets go of what the daemon had. */
  readonly forget: () => void;
}

/** Signals that end a daemon are the other one's from the step on in which it takes over: none gets lost in between. */
export function passOnSignals(channel: FrameChannel<OldFrame, NewFrame>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => void channel.send({ kind: 'end', signal }));
  }
}

/** Resolves never, or before its end: the process ends. */
export async function stayForPrograms(
  channel: FrameChannel<OldFrame, NewFrame>,
  { programs, connections, living, stub, stays, forget }: Left,
  exit: () => void,
): Promise<void> {
  // The programs' terminals are open there, too.
  channel.onEnd = exit;
  await Promise.allSettled([connections]);
  if (stub !== undefined) {
    await stub.from;
    await channel.sent();
    // The ends of all others are looked up where it is replaced.
    if (living.size === 0 && !stays) return void setTimeout(exit, LAST_WORDS_MS);
    await becomeStub(stub, living, () => channel.sent());
  }
  forget();
  // What this step holds goes with it. Pages that the first turn has emptied go back in the second.
  for (const turnMs of [0, TURN_MS]) setTimeout(collectGarbage, turnMs).unref();
  await Promise.allSettled(programs);
  if (!stays) setTimeout(exit, LAST_WORDS_MS);
}
