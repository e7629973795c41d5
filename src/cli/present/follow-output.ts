/** `t4a output --follow`: the output of one terminal, in one request after the other, until its program has ended. */
import type { Client } from '../../client/client.js';
import { T4aError } from '../../protocol/errors.js';
import type { Fields, Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { RawOutput } from './output.js';

/** Any length does: the reply comes with the first byte. */
const WAIT_MS = 60_000;

/** @returns the exit status @throws T4aError offset_gone if the reader is slower than the program */
export async function followOutput(
  client: Client,
  { options }: Invocation,
  given: Fields,
  host: Host,
): Promise<number> {
  if (options['json'] === true) {
    throw new T4aError('usage', '--follow prints raw bytes, and --json prints one reply.', {
      hint: 'Give one of them. With --json, "next" is the --since of the next command.',
    });
  }
  const out = new RawOutput(host);
  // Another terminal may be the last one used by then.
  const { id } = await client.call('status', { id: String(given['id']) });
  const each = { ...given, id, wait_ms: Number(given['wait_ms'] ?? 0) || WAIT_MS };
  let since = given['since'] as number | undefined;
  for (;;) {
    const reply = await client.call('output', since === undefined ? each : { ...each, since });
    if (reply.bytes !== undefined) out.write(reply.bytes);
    await host.drained?.();
    if (reply.ended) {
      out.end();
      return 0;
    }
    since = reply.next;
  }
}
