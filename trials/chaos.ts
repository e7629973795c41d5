/** `npm run chaos`: rounds of faults, several at once, beside busy cores; after each, one daemon or none, and nothing left behind. */
import { ERRORS } from '../src/protocol/errors.js';
import { T4aError } from '../src/client/index.js';
import { FAULTS, EXPECTED, manyStarters } from './chaos/faults.js';
import { Rig } from './chaos/rig.js';
import { startBusyLoops } from './support/busy-loops.js';
import { Random } from './support/random.js';
import { Failures, type Report } from './support/report.js';

/** With their defaults; a seed of 0 is replaced by a random one, which is printed. `busy`: cores kept busy beside it. */
export const FLAGS = { rounds: 20, starters: 100, busy: 2, seed: 0 };

const FAULTS_A_ROUND = 4;

export async function trial(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const busyLoops = startBusyLoops(options.busy);
  try {
    return await rounds(options);
  } finally {
    busyLoops.stop();
  }
}

async function rounds(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const failures = new Failures();
  const done = new Map<string, number>();
  if (options.starters > 0) {
    await round(options.root, `${options.starters} starters`, failures, (rig) => manyStarters(rig, options.starters));
  }
  for (let number = 0; number < options.rounds && !failures.full; number++) {
    // A round can be repeated alone: its seed is printed with its failure.
    const seed = options.seed + number;
    const random = new Random(seed);
    const names = Array.from({ length: FAULTS_A_ROUND }, () => random.pick(Object.keys(FAULTS)));
    for (const name of names) done.set(name, (done.get(name) ?? 0) + 1);
    await round(options.root, `round ${seed} (${names.join('; ')})`, failures, async (rig) => {
      await Promise.all(names.map((name) => attempt(() => FAULTS[name]?.(rig, random))));
    });
  }
  return { figures: [['rounds', options.rounds], ...done], failures: failures.list };
}

async function round(root: string, name: string, failures: Failures, act: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = new Rig(root);
  try {
    await act(rig);
    for (const wrong of await rig.check()) failures.add(`${name}: ${wrong}`);
    const defect = /.* error .*/.exec(rig.log)?.[0];
    if (defect !== undefined) failures.add(`${name}: the log says ${defect.slice(0, 300)}`);
  } catch (error) {
    failures.add(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    rig.remove();
  }
}

async function attempt(fault: () => Promise<void> | undefined): Promise<void> {
  try {
    await fault();
  } catch (error) {
    const isExpected = error instanceof T4aError && error.code in ERRORS && EXPECTED.includes(error.code);
    if (!isExpected) throw error;
  }
}
