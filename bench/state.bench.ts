/** What it costs that programs report their status (OSC 7501), and that Enter waits until a text was read. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseStatusReport } from '../src/events/status/report.js';
import { StatusRecords } from '../src/events/status/records.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const REPORTS = 100_000;
const ROUNDS = 7;
const TERMINALS = 64;
const RECORDS = 256;
const SUBMITS = 15;
const HEARD = 200;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return [await flood(daemon), await submit(daemon), await heard(daemon), memory()];
  } finally {
    await daemon.stop();
  }
}

/** Both of equal length, since a sequence costs by its bytes, too. */
const report = (i: number): string => `\x1b]7501;state=working:progress=${String(i % 100).padStart(2, '0')}\x07`;
const title = (i: number): string =>
  `\x1b]2;${'working, and at work: '.padEnd(27, '.')}${String(i % 100).padStart(2, '0')}\x07`;

async function flood(daemon: BenchDaemon): Promise<Figure> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const reports = await cpuOf(daemon, report);
    ratios.push(reports / (await cpuOf(daemon, title)));
  }
  return {
    name: `CPU of the daemon for ${REPORTS} reports, times that for as many titles`,
    value: median(ratios),
    limit: 1.2,
  };
}

async function cpuOf({ client }: BenchDaemon, sequence: (i: number) => string): Promise<number> {
  const text = Array.from({ length: 1000 }, (_, i) => sequence(i)).join('');
  const script = `process.stdin.once('data', () => {
    const text = ${JSON.stringify(text)};
    let left = ${REPORTS / 1000};
    const more = () => { while (left-- > 0) if (!process.stdout.write(text)) return process.stdout.once('drain', more); console.log('end'); };
    more();
  });
  console.log('ready');`;
  const wait = { until: { text: 'ready' as const }, timeout_ms: 60_000 };
  const { id } = await client.call('create', { cmd_args: [process.execPath, '-e', script], wait });
  const { pid } = await client.call('ping', {});
  const before = cpuSeconds(pid);
  await client.call('type', { id, text: 'go', submit: true, wait: { until: { text: 'end' }, timeout_ms: 60_000 } });
  const used = cpuSeconds(pid) - before;
  await client.call('kill', { id });
  return used;
}

/** Beside the pause alone, which it has had since it exists. */
async function submit({ client }: BenchDaemon): Promise<Figure> {
  const script = 'process.stdin.setRawMode(true).on("data", () => {}); console.log("ready")';
  const { id } = await client.call('create', {
    cmd_args: [process.execPath, '-e', script],
    wait: { until: { text: 'ready' } },
  });
  const times: number[] = [];
  for (let i = 0; i < SUBMITS; i++) {
    const start = performance.now();
    await client.call('type', { id, text: 'a line', submit: true });
    times.push(performance.now() - start);
  }
  await client.call('kill', { id });
  return {
    name: 'type --submit to a program that reads at once, times its pause of 150 ms',
    value: median(times) / 150,
    limit: 1.1,
  };
}

/** From the byte that makes the program say it: to the end of a wait for what it does, and of one for the event of a title. */
async function heard({ client }: BenchDaemon): Promise<Figure> {
  const script = `const says = { w: '7501;state=working', i: '7501;state=idle', a: '2;a', b: '2;b' };
    process.stdin.setRawMode(true).on('data', (key) => process.stdout.write('\\x1b]' + says[key] + '\\x07'));
    console.log('ready');`;
  const { id } = await client.call('create', {
    cmd_args: [process.execPath, '-e', script],
    wait: { until: { text: 'ready' } },
  });
  const timed = async (
    input: string,
    until: { readonly doing: string } | { readonly event: 'title' },
  ): Promise<number> => {
    const start = performance.now();
    await client.call('send', { id, input, wait: { until, timeout_ms: 10_000 } });
    return performance.now() - start;
  };
  const doing: number[] = [];
  const titles: number[] = [];
  for (let i = 0; i < HEARD; i++) {
    const [key, state, title] = i % 2 === 0 ? (['w', 'working', 'a'] as const) : (['i', 'idle', 'b'] as const);
    doing.push(await timed(key, { doing: state }));
    titles.push(await timed(title, { event: 'title' }));
  }
  await client.call('kill', { id });
  return {
    name: "end of a wait for what a program does, after its report, times that for a title's event",
    value: median(doing) / median(titles),
    limit: 1.2,
  };
}

/** In this process, where garbage can be collected. */
function memory(): Figure {
  const msg = Buffer.from('x'.repeat(512)).toString('base64');
  const before = heapUsed();
  const terminals = Array.from({ length: TERMINALS }, () => {
    const records = new StatusRecords();
    for (let i = 0; i < RECORDS; i++) {
      const made = parseStatusReport(`state=working:id=${i}:msg=${msg}`, 1);
      if (made !== undefined) records.apply(made, undefined, i);
    }
    return records;
  });
  const used = heapUsed() - before;
  return {
    name: `memory of the records of ${terminals.length} terminals with ${RECORDS} of 512 bytes each`,
    value: used / 2 ** 20,
    unit: ' MB',
    limit: (TERMINALS * 128) / 1024,
  };
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
