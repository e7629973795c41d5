/**
 * Subscribe: screens at most 30 times a second, the last one always, and raw output as it comes; then the end, once. A
 * slow client gets the present screen when it reads again, and nothing is queued for it.
 */
import type { Client } from '../client/client.js';
import { sendBy } from '../client/connection.js';
import { Mirror } from '../mirror/mirror.js';
import { isGone, watchFrames } from '../mirror/watcher.js';
import { isT4aError } from '../protocol/errors.js';
import type { Theme } from '../render/theme.js';
import type { MethodContext } from './methods.js';
import { methodName } from './methods.js';
import type { Request, SubscribeEvent } from './messages.js';
import { screenMessageOf } from './screen.js';
import { sessionExitCode } from './session.js';
import { invalidArgument } from './status.js';

const MIN_FRAME_MS = 1000 / 30;

/** Longest wait for output in one request. */
const POLL_MS = 60_000;

/** @returns once the client may be sent more */
export type Emit = (event: SubscribeEvent) => Promise<void>;

export async function subscribe(request: Request, { daemon, signal }: MethodContext, emit: Emit): Promise<void> {
  const { include_screen_updates: hasScreens, include_raw_output: hasRaw } = request;
  if (!hasScreens && !hasRaw) throw invalidArgument('include_screen_updates or include_raw_output must be true.');
  const id = methodName(request);
  await using client = await daemon.connect();
  const { output_bytes: since } = await client.call('status', { id });
  const theme = await daemon.theme();
  // Asked for before anything is sent: a terminal that is removed at once still says how it ended.
  const ending = daemon.end(id, signal);
  ending.catch(() => {
    // Of a caller that has gone; else it is awaited below.
  });
  const mirror = new Mirror();
  mirror.apply(await client.call('watch', { id }, { signal }));
  await emit({ screen_update: { screen: screenMessageOf(id, mirror, theme) } });
  await Promise.all([
    hasScreens ? sendScreens(id, mirror, { client, theme, emit, signal }) : undefined,
    hasRaw ? sendOutput(id, since, { client, emit, signal }) : undefined,
  ]);
  await emit({ session_exited: { exit_code: sessionExitCode(await ending) } });
}

interface Sending {
  readonly client: Client;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

async function sendScreens(
  id: string,
  mirror: Mirror,
  { client, theme, emit, signal }: Sending & { readonly theme: Theme },
): Promise<void> {
  let { since, state } = mirror.question;
  const watched = { send: sendBy(client), id, mirror, signal, minFrameMs: MIN_FRAME_MS };
  const how = mirror.state.alive
    ? await watchFrames(watched, async ({ rev, state: nextState }) => {
        if (rev === since && nextState === state) return true;
        [since, state] = [rev, nextState];
        await emit({ screen_update: { screen: screenMessageOf(id, mirror, theme) } });
        return mirror.state.alive;
      })
    : 'left';
  // Removed before the last change was asked for: the last screen is the one that is known.
  if (how === 'gone') await emit({ screen_update: { screen: screenMessageOf(id, mirror, theme) } });
}

async function sendOutput(id: string, from: number, { client, emit, signal }: Sending): Promise<void> {
  try {
    for (let since = from; ;) {
      const reply = await output(client, id, since, signal);
      since = reply.next;
      if (reply.bytes !== undefined && reply.bytes.length > 0) await emit({ raw_output: reply.bytes });
      if (reply.ended) return;
    }
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Output without what was dropped before this client read it. */
async function output(client: Client, id: string, since: number, signal: AbortSignal) {
  try {
    return await client.call('output', { id, since, wait_ms: POLL_MS }, { signal });
  } catch (error) {
    const first = isT4aError(error) && error.code === 'offset_gone' ? error.details.first : undefined;
    if (first === undefined) throw error;
    return client.call('output', { id, since: first, wait_ms: POLL_MS }, { signal });
  }
}
