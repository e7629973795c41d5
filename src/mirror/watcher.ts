/** The loop of each watcher of a terminal: one frame after another. For browsers too. */
import type { ParamsInput, Reply } from '../protocol/registry.js';
import type { Frame, Mirror, MirrorChange } from './mirror.js';

/** @param signal cancels it at the daemon */
export type SendRequest = <Name extends 'watch' | 'control' | 'resize'>(
  cmd: Name,
  params: ParamsInput<Name>,
  signal?: AbortSignal,
) => Promise<Reply<Name>>;

export interface Watched {
  readonly send: SendRequest;
  readonly id: string;
  /** Screen that has each frame before it is shown. */
  readonly mirror: Mirror;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  /** Least time from one frame to the request of the next. Default: 0. */
  readonly minFrameMs?: number;
}

/**
 * Asks for frames until the watcher has left, or the terminal is gone. @param onFrame the next frame is asked for once it resolves: the
 * picture of a slow watcher is late by one frame at most. False: it leaves @throws other errors of a request, `connection_lost` among them
 */
export async function watchFrames(
  { send, id, mirror, signal, minFrameMs = 0 }: Watched,
  onFrame: (frame: Frame, change: MirrorChange) => Promise<unknown>,
): Promise<'left' | 'gone'> {
  try {
    while (!signal.aborted) {
      const frame = await send('watch', { id, ...mirror.question }, signal);
      if (signal.aborted) break;
      const shownAtMs = performance.now();
      if ((await onFrame(frame, mirror.apply(frame))) === false) break;
      const restMs = minFrameMs - (performance.now() - shownAtMs);
      if (restMs > 0) await pause(restMs, signal);
    }
    return 'left';
  } catch (error) {
    if (signal.aborted) return 'left';
    if (isGone(error)) return 'gone';
    throw error;
  }
}

/** Whether the terminal of a request has been removed. @param error of a client of any kind */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'terminal_not_found';
}

/** Pause that the signal ends. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
  });
}
