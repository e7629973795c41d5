/** How soon, how surely and at what cost the daemon knows: events, settling, silence, and the truth table. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { startDaemon } from '../test/support/daemon.js';
import { formatTruthTable, runTruthTable, type TruthRow, type Verdict } from '../test/support/truth.js';
import { TRUTH_PROGRAMS } from '../test/support/truth-programs.js';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

type BenchDaemon = Awaited<ReturnType<typeof startBenchDaemon>>;

const TIMES = 200;
const FLOODS = 20;
const SUBSCRIBERS = 100;

/** What the child writes, and the event that it brings about. */
const SEQUENCES = [
  { event: 'bell', sequence: '\\x07' },
  { event: 'title', sequence: '\\x1b]2;title N\\x07' },
  { event: 'command_done', sequence: '\\x1b]133;C\\x07\\x1b]133;D;0\\x07' },
] as const;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  const daemon = await startBenchDaemon(root);
  try {
    for (const { event, sequence } of SEQUENCES) {
      const latencies = await eventLatencies(daemon, event, sequence, TIMES);
      figures.push(
        {
          name: `${event}, from the write in the child to the line, median`,
          value: median(latencies),
          unit: ' ms',
          limit: 2,
        },
        { name: `${event}, the same, p99`, value: percentile(latencies, 99), unit: ' ms', limit: 10 },
      );
    }
    figures.push(...(await exits(daemon, TIMES)));
    figures.push(await fanOut(daemon), await settling(daemon), await idleError(daemon));
    const floods = await Promise.all(
      Array.from({ length: FLOODS }, () => daemon.client.call('create', { cmd_args: ['yes', 'a line of a flood'] })),
    );
    const flooded = await eventLatencies(daemon, 'bell', '\\x07', TIMES / 4);
    figures.push({
      name: `bell while ${FLOODS} other terminals flood, p99`,
      value: percentile(flooded, 99),
      unit: ' ms',
      limit: 100,
      note: `median ${median(flooded).toFixed(1)} ms`,
    });
    for (const { id } of floods) await daemon.client.call('kill', { id });
  } finally {
    await daemon.stop();
  }
  return [...figures, ...(await truthTable())];
}

/** The child tells the time of its write through a socket of its own: one clock, since both ask the same system. */
async function eventLatencies(
  { dir, client }: BenchDaemon,
  event: (typeof SEQUENCES)[number]['event'],
  sequence: string,
  times: number,
): Promise<number[]> {
  const side = path.join(dir, `side-${event}-${performance.now()}`);
  const server = createServer();
  server.listen(side);
  await once(server, 'listening');
  const script = `
    let n = 0;
    const s = require('net').connect(process.argv[1]);
    s.on('data', () => {
      const t = process.hrtime.bigint();
      require('fs').writeSync(1, '${sequence}'.replace('N', String(n++)));
      s.write(t + '\\n');
    });`;
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const { id } = await client.call('create', { cmd_args: [process.execPath, '-e', script, side] });
  const [socket] = await connected;
  const stream = client.events({ terminal: id, types: [event], since: 0 });
  const events = stream[Symbol.asyncIterator]();
  const latencies: number[] = [];
  for (let i = 0; i < times; i++) {
    const next = events.next();
    const told = once(socket, 'data') as Promise<[Buffer]>;
    socket.write('x');
    await next;
    const arrived = process.hrtime.bigint();
    const [written] = await told;
    // The first one finds the subscription on its way.
    if (i > 0) latencies.push(Number(arrived - BigInt(written.toString().trim())) / 1e6);
  }
  await events.return?.();
  await client.call('kill', { id });
  server.close();
  return latencies;
}

/**
 * The last act of a child is to tell the time through a socket of its own and to leave by _exit(2), without anything of
 * an interpreter's to be tidied up; what the kernel tidies up after it is in the figure. Its last output, a title, is not on
 * the screen yet then: the daemon reads and parses it before it tells of the exit. In turns with the same program as a child
 * of Node's, without a terminal: most of the time is the system's.
 */
async function exits({ dir, client }: BenchDaemon, times: number): Promise<Figure[]> {
  const side = path.join(dir, 'side-exit');
  const server = createServer();
  server.listen(side);
  await once(server, 'listening');
  // time.monotonic_ns and process.hrtime are one clock.
  const script = `
import os, socket, sys, time
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.recv(1)
os.write(1, b"\\x1b]2;gone\\x07")
s.send(b"%d\\n" % time.monotonic_ns())
os._exit(0)`;
  const program = ['-S', '-c', script, side];
  /** From the program's last act to `ended`, in milliseconds. */
  const latency = async (connected: Promise<[Socket]>, ended: () => Promise<unknown>): Promise<number> => {
    const [socket] = await connected;
    const told = once(socket, 'data') as Promise<[Buffer]>;
    const end = ended();
    socket.write('x');
    await end;
    const arrived = process.hrtime.bigint();
    const [written] = await told;
    return Number(arrived - BigInt(written.toString().trim())) / 1e6;
  };
  const [ours, nodes]: [number[], number[]] = [[], []];
  for (let i = 0; i < times; i++) {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const { id } = await client.call('create', { cmd_args: ['python3', ...program] });
    const stream = client.events({ terminal: id, types: ['exit'] });
    await stream.subscribed;
    const events = stream[Symbol.asyncIterator]();
    ours.push(await latency(connected, () => events.next()));
    await events.return?.();
    await client.call('kill', { id });
    const connectedAgain = once(server, 'connection') as Promise<[Socket]>;
    const child = spawn('python3', program, { stdio: ['ignore', 'ignore', 'inherit'] });
    nodes.push(await latency(connectedAgain, () => once(child, 'exit')));
  }
  server.close();
  const figure = (name: string, of: (latencies: readonly number[]) => number, limit: number): Figure => ({
    name: `exit, from the last act of the child to the line, times what Node takes to tell of its own child's: ${name}`,
    value: of(ours) / of(nodes),
    limit,
    note: `${of(ours).toFixed(2)} ms against ${of(nodes).toFixed(2)} ms`,
  });
  return [figure('median', median, 2.5), figure('p99', (latencies) => percentile(latencies, 99), 5)];
}

/** What one more subscriber adds to the time until the last of them has an event. */
async function fanOut({ client }: BenchDaemon): Promise<Figure> {
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  const round = async (subscribers: number): Promise<number> => {
    const streams = Array.from({ length: subscribers }, () => client.events({ terminal: id, types: ['bell'] }));
    await Promise.all(streams.map((stream) => stream.subscribed));
    const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
    const times: number[] = [];
    for (let i = 0; i < 30; i++) {
      const start = performance.now();
      await client.call('send', { id, input: '\x07\n' });
      await Promise.all(iterators.map((iterator) => iterator.next()));
      times.push(performance.now() - start);
    }
    await Promise.all(iterators.map((iterator) => iterator.return?.()));
    return median(times);
  };
  const one = await round(1);
  const many = await round(SUBSCRIBERS);
  await client.call('kill', { id });
  return {
    name: `fan-out to ${SUBSCRIBERS} subscribers, cost of each, both sides in one process less one connection`,
    value: ((many - one) / (SUBSCRIBERS - 1)) * 1000,
    unit: ' µs',
    note: `${one.toFixed(2)} ms for 1, ${many.toFixed(2)} ms for ${SUBSCRIBERS}`,
  };
}

async function settling({ client }: BenchDaemon): Promise<Figure> {
  const spin = 'printf "work "; while :; do for c in - + x o; do printf "\\b%s" $c; sleep 0.1; done; done';
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', spin] });
  const { outcome, elapsed_ms: elapsedMs } = await client.call('wait', { id, until: { settled_ms: 500 } });
  await client.call('kill', { id });
  if (outcome !== 'matched') throw new Error(`settled under a spinner: ${outcome}`);
  return { name: 'settled (500 ms) found under a spinner of 10 Hz', value: elapsedMs, unit: ' ms', limit: 2000 };
}

async function idleError({ client }: BenchDaemon): Promise<Figure> {
  const { id } = await client.call('create', { cmd_args: ['cat'], idle_timeout_ms: 200 });
  const events = client.events({ terminal: id, types: ['idle', 'bell'] });
  await events.subscribed;
  const iterator = events[Symbol.asyncIterator]();
  const errors: number[] = [];
  for (let i = 0; i < 10; i++) {
    await client.call('send', { id, input: '\x07\n' });
    let last = 0;
    for (;;) {
      const { value } = (await iterator.next()) as { value: { event: string; ts: number } };
      if (value.event === 'idle') {
        errors.push(Math.abs(value.ts - last - 200));
        break;
      }
      last = value.ts;
    }
  }
  await iterator.return?.();
  await client.call('kill', { id });
  return { name: 'idle (200 ms), its error, worst of 10', value: Math.max(...errors), unit: ' ms', limit: 20 };
}

async function truthTable(): Promise<Figure[]> {
  const daemon = await startDaemon();
  try {
    const rows = await runTruthTable(daemon, TRUTH_PROGRAMS, 4);
    console.log(formatTruthTable(rows));
    const count = (...verdicts: Verdict[]): number =>
      rows.filter((row: TruthRow) => verdicts.includes(row.verdict)).length;
    return [
      { name: `truth table of ${rows.length} programs: false done`, value: count('false-done'), limit: 0 },
      { name: 'truth table: false busy', value: count('false-busy'), limit: 0 },
      { name: 'truth table: wrong kind of prompt, or exit code', value: count('wrong-kind', 'wrong-code'), limit: 0 },
    ];
  } finally {
    await daemon.stop();
  }
}
