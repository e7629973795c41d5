/** Round trips and pushes on an otherwise idle daemon. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const ROUND_TRIPS = 2000;
const BELLS = 300;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    const { client } = daemon;
    const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; cat'] });
    const texts: number[] = [];
    for (let i = 0; i < ROUND_TRIPS; i++) {
      const start = performance.now();
      await client.call('text', { id });
      texts.push(performance.now() - start);
    }
    const bells = await bellLatencies(daemon.dir, client);
    return [
      {
        name: '`text` round trip, median',
        value: median(texts),
        unit: ' ms',
        limit: 1,
        note: `p99 ${percentile(texts, 99).toFixed(2)} ms`,
      },
      {
        name: 'bell, from the write in the child to the line at a subscriber, median',
        value: median(bells),
        unit: ' ms',
        limit: 2,
        note: `p99 ${percentile(bells, 99).toFixed(2)} ms`,
      },
    ];
  } finally {
    await daemon.stop();
  }
}

/** The child tells the time of its write through a socket of its own: one clock, since both ask the same system. */
async function bellLatencies(
  dir: string,
  client: Awaited<ReturnType<typeof startBenchDaemon>>['client'],
): Promise<number[]> {
  const side = path.join(dir, 'side');
  const server = createServer();
  server.listen(side);
  await once(server, 'listening');
  const script = `
    const s = require('net').connect(process.argv[1]);
    s.on('data', () => { const t = process.hrtime.bigint(); require('fs').writeSync(1, '\\x07'); s.write(t + '\\n'); });`;
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const { id } = await client.call('create', { cmd_args: [process.execPath, '-e', script, side] });
  const [socket] = await connected;
  const events = client.events({ terminal: id, types: ['bell'] })[Symbol.asyncIterator]();
  const latencies: number[] = [];
  // The first bell is rung again until the subscription is there.
  let heard = false;
  let next = events.next().finally(() => (heard = true));
  while (!heard) {
    socket.write('x');
    await once(socket, 'data');
    await new Promise(setImmediate);
  }
  await next;
  for (let i = 0; i < BELLS; i++) {
    next = events.next();
    const told = once(socket, 'data') as Promise<[Buffer]>;
    socket.write('x');
    await next;
    const arrived = process.hrtime.bigint();
    const [rung] = await told;
    latencies.push(Number(arrived - BigInt(rung.toString().trim())) / 1e6);
  }
  await events.return?.();
  await client.call('kill', { id });
  server.close();
  return latencies;
}
