/**
 * A processor that this machine emulates: the README's main job, `doctor`, and pictures compared with this machine's. Answers
 * of the kernel are this machine's, too, so what the daemon reads out of /proc cannot be tried.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, TrialDaemon } from '../support/trial-daemon.js';
import { CHECKOUT } from './checkout.js';
import { compare, picturesOf, type Difference } from './pictures.js';
import { record, type Recording } from './recordings.js';
import type { System } from './system.js';

export interface EmulatedResult {
  readonly job: string;
  readonly doctor: string;
  readonly differences: readonly Difference[];
  readonly failures: readonly string[];
}

const T4A = `node ${CHECKOUT}/dist/cli.cjs`;
const PLACE = 'tmp/t4a-trial';
const START_MS = 60_000;

/** The first minute of the README, without the person who watches. */
const MAIN_JOB = `set -e
export T4A_SOCKET=$HOME/t4a.sock
${T4A} create --name build
${T4A} type build 'echo made of $((6 * 7)); (exit 3)' --submit
${T4A} wait build --done --timeout 60000
${T4A} text build
${T4A} commands build
${T4A} screenshot build -o build.png
${T4A} kill build
${T4A} run --timeout 60000 --screenshot hello.png -- ls -la --color /
${T4A} shutdown`;

export async function tryEmulated(system: System, root: string, into: string): Promise<EmulatedResult> {
  const failures: string[] = [];
  const job = await system.tryAsUser(MAIN_JOB);
  const isDone = job.status === 0 && job.output.includes('made of 42') && job.output.includes('"code":3');
  if (!isDone) failures.push(`the main job ended with ${job.status}: ${job.output.slice(-1500)}`);
  const doctor = await system.tryAsUser(`T4A_SOCKET=$HOME/t4a.sock ${T4A} doctor`);
  if (doctor.status !== 0) failures.push(`doctor ended with ${doctor.status}: ${doctor.output}`);
  const recordings = await record(root);
  const here = await hereOf(root, recordings);
  const there = await thereOf(system, recordings);
  const differences: Difference[] = [];
  for (const { name } of recordings) {
    differences.push(await compare(name, here.get(name) ?? Buffer.of(), there.get(name) ?? Buffer.of(), into));
  }
  return { job: isDone ? 'done' : 'failed', doctor: doctor.output, differences, failures };
}

async function hereOf(root: string, recordings: readonly Recording[]): Promise<Map<string, Buffer>> {
  const daemon = await TrialDaemon.start(root);
  try {
    for (const { name, bytes } of recordings) writeFileSync(path.join(daemon.dir, name), bytes);
    return await picturesOf(daemon.socketPath, recordings, ({ name }) => path.join(daemon.dir, name));
  } finally {
    await daemon.stop();
    daemon.remove();
  }
}

/** Its socket is a file of this machine's as well. As root: nobody is asked whose socket is another user's. */
async function thereOf(system: System, recordings: readonly Recording[]): Promise<Map<string, Buffer>> {
  const place = system.path(PLACE);
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(place);
  for (const { name, bytes } of recordings) writeFileSync(path.join(place, name), bytes);
  const stop = system.start(['node', `${CHECKOUT}/dist/daemon.cjs`, '--socket', `/${PLACE}/s`]);
  try {
    const socketPath = path.join(place, 's');
    if (!(await eventually(() => existsSync(socketPath), START_MS)))
      throw new Error('the emulated daemon does not start');
    return await picturesOf(socketPath, recordings, ({ name }) => `/${PLACE}/${name}`);
  } finally {
    await stop();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}
