/** What each watcher asks of the daemon of its terminal: one frame after another, and the keyboard. For browsers too. */
import type { ParamsInput, Reply } from '../protocol/registry.js';
import type { Frame, Mirror, MirrorChange } from './mirror.js';

/** @param signal cancels it at the daemon */
export type SendRequest = <Name extends 'watch' | 'control'>(
  cmd: Name,
  params: ParamsInput<Name>,
  signal?: AbortSignal,
) => Promise<Reply<Name>>;

export interface Watched {
  readonly send: SendRequest;
  readonly id: string;
  /** A frame is in it before it is shown. */
  readonly mirror: Mirror;
  /** Ends the loop. */
  readonly signal: AbortSignal;
}

/**
 * Asks for frames until the signal. @param onFrame the next frame is asked for once it resolves: the picture of a slow watcher is late
 * by one frame at most @throws the error of a request, `terminal_not_found` and `connection_lost` among them
 */
export async function watchFrames(
  { send, id, mirror, signal }: Watched,
  onFrame: (frame: Frame, change: MirrorChange) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const frame = await send('watch', { id, ...mirror.question }, signal);
    if (signal.aborted) return;
    await onFrame(frame, mirror.apply(frame));
  }
}

export interface Taking {
  readonly lease_ms?: number;
  readonly force?: boolean;
}

/** Takes the keyboard for one person at one watcher: another of the same name is refused. Without a lease until it is released. */
export function takeKeyboard(send: SendRequest, id: string, how: Taking): Promise<Reply<'control'>> {
  return send('control', { id, action: 'take', person: true, connected: true, exclusive: true, ...how });
}
