/**
 * The few requests of JetStream that recordings need. The stream is the operator's: it is looked for, and never made or changed.
 * Consumers are of one read, have a name that cannot be guessed, and the subjects of one host: the server refuses them any other.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { ServerConnection } from './server-connection.js';
import { newToken } from './subjects.js';

const API = '$JS.API';
const ANSWER_MS = 5000;
/** Messages of the server that wait here at most: with events of some 300 bytes 77 KB. */
const BATCH = 256;
/** A consumer that nothing is read of is removed by the server. */
const INACTIVE_NS = 30_000_000_000;

/** Requests that an agent publishes for it. @param events subjects of its own events */
export function requestsOf(events: string): string[] {
  return [`${API}.STREAM.NAMES`, `${API}.CONSUMER.CREATE.*.*.${events}`, `${API}.CONSUMER.MSG.NEXT.*.*`];
}

/** Name of the stream that has all of these subjects; undefined: none, or no JetStream. @throws Error if it cannot be said */
export async function jetStreamOf(nats: NatsConnection, events: string): Promise<string | undefined> {
  const { streams } = await asked(nats, 'STREAM.NAMES', { subject: events });
  const [name] = Array.isArray(streams) ? (streams as unknown[]) : [];
  return typeof name === 'string' && /^[^\s.*>/\\]{1,255}$/.test(name) ? name : undefined;
}

/**
 * What the stream has of these subjects now, oldest first; `last`: the one that came last. A batch is asked for once the former
 * one was read. @throws Error of the server, or of its silence
 */
export async function* readStream(
  { nats, inbox }: ServerConnection,
  stream: string,
  events: string,
  { deliver, signal }: { readonly deliver: 'all' | 'last'; readonly signal: AbortSignal },
): AsyncGenerator<Msg, void, void> {
  const name = newToken();
  const { num_pending: pending } = await asked(nats, `CONSUMER.CREATE.${stream}.${name}.${events}`, {
    stream_name: stream,
    config: {
      name,
      deliver_policy: deliver,
      ack_policy: 'none',
      filter_subject: events,
      inactive_threshold: INACTIVE_NS,
      mem_storage: true,
    },
  });
  let left = Number(pending);
  const subject = `${inbox}.${newToken()}`;
  const came: (Msg | Error)[] = [];
  let wake = NOTHING;
  const subscription = nats.subscribe(subject, {
    callback: (error, message) => {
      came.push(error ?? message);
      wake();
    },
  });
  const next = (): Promise<Msg> => {
    const silent = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    return new Promise((resolve, reject) => {
      const failed = (): void => reject(silent.reason as Error);
      silent.addEventListener('abort', failed, { once: true });
      wake = () => {
        const first = came.shift();
        if (first === undefined) return;
        wake = NOTHING;
        silent.removeEventListener('abort', failed);
        if (first instanceof Error) reject(first);
        else resolve(first);
      };
      if (silent.aborted) failed();
      else wake();
    });
  };
  try {
    while (left > 0) {
      const batch = Math.min(left, BATCH);
      nats.publish(`${API}.CONSUMER.MSG.NEXT.${stream}.${name}`, JSON.stringify({ batch, no_wait: true }), {
        reply: subject,
      });
      for (let i = 0; i < batch; i++) {
        const message = await next();
        // 404 and 408: what was counted has been removed since.
        if (message.headers !== undefined && message.headers.code >= 400) return;
        left--;
        yield message;
      }
    }
  } finally {
    wake = NOTHING;
    subscription.unsubscribe();
  }
}

const NOTHING = (): void => {};

async function asked(nats: NatsConnection, what: string, request: object): Promise<Readonly<Record<string, unknown>>> {
  const reply = await nats.request(`${API}.${what}`, JSON.stringify(request), { timeout: ANSWER_MS });
  const answer = reply.json<Readonly<Record<string, unknown>>>();
  const { description } = (answer['error'] ?? {}) as { readonly description?: unknown };
  if (answer['error'] !== undefined) throw new Error(`JetStream says ${JSON.stringify(description ?? 'no')}`);
  return answer;
}
