/** `events` of one host, or of all as one stream, which says when a host comes, goes, and has been started anew. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventFilter } from '../../client/event-stream.js';
import { LOCAL } from '../address.js';
import { T4aError } from '../../protocol/errors.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';
import type { Call, Handler } from '../../rpc/service.js';
import { isPattern, needsOneHost } from '../host-pattern.js';
import { addressed } from '../addressed.js';
import { type FollowedHost, followHost } from '../followed-host.js';
import { failureOf } from './failure.js';
import type { HostLinks } from './host-links.js';
import { passedOn, assertNotPassed } from './passed.js';
import { MergedLines } from '../merged-lines.js';

/** Longest wait for all hosts before a stream of all of them begins: a slow one holds up no other. */
const SUBSCRIBE_MS = 2000;

export function events(links: HostLinks): Handler<'events'> {
  // Each has a connection to its host, and may begin with all events that are kept there.
  const openings = new OneAtATime();
  return async ({ ack, shared, since, ...filter }, call) => {
    if (shared && call.req === undefined) {
      throw wrong('shared', '"shared" needs a "req": the lines of the stream carry it.');
    }
    const host = call.host ?? (filter.terminal === undefined ? undefined : LOCAL);
    if (isPattern(host) && filter.terminal !== undefined) throw needsOneHost(host);
    const lines = new MergedLines();
    const reply =
      host === undefined || isPattern(host)
        ? await openings.run(call, () => ofAll(links, { ...filter, since }, lines, call))
        : await openings.run(call, () =>
            ofOne(links, host, { ...filter, ...(since === undefined ? {} : { since }) }, lines, call),
          );
    if (shared) return { reply, stream: lines, shared: true };
    return ack ? { reply, stream: lines } : { stream: lines };
  };
}

/** One stream of events. A terminal's ends with the stream of its host; a host's goes on once it is reached again. */
async function ofOne(
  links: HostLinks,
  host: string,
  filter: EventFilter,
  lines: MergedLines,
  call: Call,
): Promise<{ readonly seq: number }> {
  const client = await links.to(host, lines.signal);
  const passed = passedOn(links.instance, call, client.daemon);
  const stream = client.events({ ...filter, ...passed }, { signal: lines.signal, outlives: true });
  const seq = await stream.subscribed;
  const { instance } = client.daemon;
  void (async () => {
    let last = filter.since ?? seq;
    try {
      for await (const line of stream) {
        if ('seq' in line && Number.isSafeInteger(line.seq)) last = line.seq;
        await lines.put(addressed(host, { ...line, host }), line);
      }
    } catch (error) {
      if (lines.signal.aborted) return;
      await lines.put({ event: 'host', host, state: 'down', ...failureOf(error) });
      if (filter.terminal !== undefined) return;
      await followed(links, host, { filter, call, lines, from: { instance, seq: last } });
    }
  })();
  return { seq };
}

async function ofAll(
  links: HostLinks,
  { since, ...filter }: EventFilter,
  lines: MergedLines,
  call: Call,
): Promise<Record<string, never>> {
  if (since !== undefined) throw wrong('since', '"since" needs a "host": each host numbers its own events.');
  assertNotPassed(links.instance, call);
  const subscribed = links.names(call.host).map(
    (host) =>
      new Promise<void>((resolve) => {
        void followed(links, host, { filter, call, lines }, resolve);
      }),
  );
  await Promise.race([Promise.all(subscribed), delay(SUBSCRIBE_MS, undefined, { ref: false, signal: call.signal })]);
  return {};
}

interface Followed {
  readonly filter: EventFilter;
  readonly call: Call;
  readonly lines: MergedLines;
  readonly from?: FollowedHost['from'];
}

/** Until nobody reads any more. @param onAnswer called once it is known whether the host answers */
function followed(
  links: HostLinks,
  host: string,
  { filter, call, lines, from }: Followed,
  onAnswer?: () => void,
): Promise<void> {
  return followHost({
    client: () => links.to(host, lines.signal, false),
    filter: (client) => ({ ...filter, ...passedOn(links.instance, call, client.daemon) }),
    from,
    signal: lines.signal,
    put: (line) => lines.put(addressed(host, { ...line, host }), line),
    failureOf,
    onAnswer,
  });
}

function wrong(field: string, says: string): T4aError {
  return new T4aError('invalid_field', says, { field });
}
