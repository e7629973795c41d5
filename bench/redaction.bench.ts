/** What masking costs a recording of a flood, beside the same recording without, in turns on one daemon. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';
import { colouredLog, plainLines } from './support/print-outs.js';

const OUTPUT_BYTES = 10_000_000;
const ROUNDS = 7;

/** Ten, as a team would write them: each has a fixed text. */
const TEN = {
  known: false,
  variables: [],
  patterns: [
    'tok_[A-Za-z0-9]{20,}',
    'sess-[0-9a-f]{32}',
    'password=\\S+',
    'secret: \\S+',
    'AKIA[0-9A-Z]{16}',
    'ghp_[A-Za-z0-9]{36}',
    'xoxb-[0-9A-Za-z-]+',
    'Bearer [A-Za-z0-9._-]+',
    'postgres://\\S+:\\S+@',
    'pin=[0-9]+',
  ],
};
const NONE = { known: false, variables: [], patterns: [] };

const KINDS: readonly { readonly name: string; readonly print: (length: number) => string }[] = [
  { name: 'coloured log', print: colouredLog },
  { name: 'plain text', print: plainLines },
];

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    const figures: Figure[] = [];
    for (const { name, print } of KINDS) {
      const file = path.join(daemon.dir, 'output');
      writeFileSync(file, print(OUTPUT_BYTES));
      const rounds: { readonly off: Cost; readonly ten: Cost }[] = [];
      // The first is spent in the compiler.
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push({ off: await recorded(daemon, file, NONE), ten: await recorded(daemon, file, TEN) });
      }
      figures.push(...compared(name, rounds.slice(1)));
    }
    return figures;
  } finally {
    await daemon.stop();
  }
}

function compared(kind: string, rounds: readonly { readonly off: Cost; readonly ten: Cost }[]): Figure[] {
  const ratio = (key: keyof Cost) => median(rounds.map(({ off, ten }) => ten[key] / off[key]));
  const note = (key: keyof Cost) =>
    `${median(rounds.map(({ ten }) => ten[key])).toFixed(2)} s against ${median(rounds.map(({ off }) => off[key])).toFixed(2)} s`;
  const what = `10 MB of ${kind}, recorded with ten patterns of redaction, times without`;
  return [
    { name: `${what}: until the screen is right`, value: ratio('seconds'), limit: 1.3, note: note('seconds') },
    { name: `${what}: processor time of the daemon`, value: ratio('cpuSeconds'), note: note('cpuSeconds') },
  ];
}

/** The recording is ended within the measured time: what is held back is masked, too. */
async function recorded({ client, dir }: BenchDaemon, file: string, redact: typeof TEN): Promise<Cost> {
  await client.call('config', { redact });
  const { pid } = await client.call('ping', {});
  const { id } = await client.call('create', { cmd_args: ['sh'] });
  const cast = path.join(dir, 'flood.cast');
  await client.call('record', { id, path: cast });
  const cpu = cpuSecondsOf(pid);
  const start = performance.now();
  await client.call('run', { id, command: `cat '${file}'`, max_lines: 1 });
  await client.call('record', { id, action: 'stop' });
  const cost = { seconds: (performance.now() - start) / 1000, cpuSeconds: cpuSecondsOf(pid) - cpu };
  await client.call('kill', { id });
  rmSync(cast);
  return cost;
}

/** Of all threads, by the kernel's ticks of 10 ms. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
