/** `events` of one host, or of all as one stream, which says when a host comes, goes, and has been started anew. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventFilter } from '../../client/event-stream.js';
import { LOCAL } from '../address.js';
import { T4aError } from '../../protocol/errors.js';
import type { Call, Handler } from '../../rpc/service.js';
import { isPattern, needsOneHost } from '../host-pattern.js';
import { addressed } from '../addressed.js';
import { failureOf } from './failure.js';
import type { HostLinks } from './host-links.js';
import { passedOn, assertNotPassed } from './passed.js';
import { MergedLines } from '../merged-lines.js';

/** Longest wait for all hosts before a stream of all of them begins: a slow one holds up no other. */
const SUBSCRIBE_MS = 2000;

/** Between attempts to reach a host that has gone; a random part keeps many gateways apart. */
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 30_000;

export function events(links: HostLinks): Handler<'events'> {
  return async ({ ack, shared, since, ...filter }, call) => {
    if (shared && call.req === undefined) {
      throw wrong('shared', '"shared" needs a "req": the lines of the stream carry it.');
    }
    const host = call.host ?? (filter.terminal === undefined ? undefined : LOCAL);
    if (isPattern(host) && filter.terminal !== undefined) throw needsOneHost(host);
    const lines = new MergedLines();
    const reply =
      host === undefined || isPattern(host)
        ? await ofAll(links, { ...filter, since }, lines, call)
        : await ofOne(links, host, { ...filter, ...(since === undefined ? {} : { since }) }, lines, call);
    if (shared) return { reply, stream: lines, shared: true };
    return ack ? { reply, stream: lines } : { stream: lines };
  };
}

/** Ends with the stream of its host. */
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
  void (async () => {
    try {
      for await (const line of stream) await lines.put(addressed(host, { ...line, host }), line);
    } catch (error) {
      if (!lines.signal.aborted) await lines.put({ event: 'host', host, state: 'down', ...failureOf(error) });
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

/** Until nobody reads any more. @param onAnswer called once it is known whether the host answers */
async function followed(
  links: HostLinks,
  host: string,
  { filter, call, lines }: { readonly filter: EventFilter; readonly call: Call; readonly lines: MergedLines },
  onAnswer: () => void,
): Promise<void> {
  const { signal } = lines;
  let retryMs = FIRST_RETRY_MS;
  let known: string | undefined;
  let isDown = false;
  const down = async (failure: object): Promise<void> => {
    if (!isDown && !signal.aborted) await lines.put({ event: 'host', host, state: 'down', ...failure });
    isDown = true;
  };
  while (!signal.aborted) {
    try {
      const client = await links.to(host, signal, false);
      await client.reach({ signal });
      const passed = passedOn(links.instance, call, client.daemon);
      const stream = client.events({ ...filter, ...passed }, { signal });
      await stream.subscribed;
      const { instance } = client.daemon;
      const state = known === undefined || known === instance ? 'up' : 'restarted';
      known = instance;
      isDown = false;
      retryMs = FIRST_RETRY_MS;
      void lines.put({ event: 'host', host, state, instance });
      onAnswer();
      for await (const line of stream) await lines.put(addressed(host, { ...line, host }), line);
    } catch (error) {
      await down(failureOf(error));
    }
    onAnswer();
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    await delay(retryMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {
      // Nobody reads any more.
    });
  }
}

function wrong(field: string, says: string): T4aError {
  return new T4aError('invalid_field', says, { field });
}
