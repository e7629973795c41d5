/**
 * Fuzzed output through real pseudoterminals: floods in raw mode, several at once, read by slow clients, beside a bystander.
 * Every byte must arrive, every program end by itself, every reply come whole, and memory stay where it was.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../../src/client/index.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { SlowReader, addProblems } from '../support/slow-reader.js';
import { TrialDaemon } from '../support/trial-daemon.js';
import { costlyBytes } from './costly-bytes.js';
import { vtBytes } from './vt-bytes.js';

const AT_ONCE = 3;
const SLOW_READERS = 2;
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;
/** Made once and repeated: making it takes longer than printing it. */
const PIECE_BYTES = 64 * 1024;
/** A flood takes a second or two beside busy loops; a hang takes longer. */
const FLOOD_DEADLINE_MS = 120_000;
const GREETING_DEADLINE_MS = 20_000;
const TAIL_BYTES = 16 * 1024;
/** Floods of {@link costlyBytes}. */
const COSTLY_SHARE = 0.4;
/** Beyond what the first floods took; events of 16 KB that are kept for replay are some of it. */
const MAX_GROWTH_BYTES = 200_000_000;

const BYSTANDER = 'bystander';
const BYSTANDER_SCRIPT = 'while read -r line; do echo "heard: $line"; done';

export async function fuzzFloods(root: string, bytes: number, random: Random): Promise<Report> {
  const failures = new Failures();
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const ids = Array.from({ length: AT_ONCE }, (_, i) => `flood${i}`);
  let done = 0;
  let floods = 0;
  let baseline: number | undefined;
  let mostBytes = 0;
  const slow = Array.from({ length: SLOW_READERS }, () => slowReader(daemon, ids, random));
  try {
    await client.call('create', { name: BYSTANDER, cmd_args: ['sh', '-c', BYSTANDER_SCRIPT] });
    while (done < bytes && !failures.full && !daemon.over) {
      const sizes = ids.map(() => MIN_BYTES + random.below(MAX_BYTES - MIN_BYTES));
      await Promise.all(ids.map((id, i) => flood(daemon, client, id, sizes[i] ?? 0, random, failures)));
      done += sizes.reduce((sum, size) => sum + size, 0);
      floods += sizes.length;
      await greet(client, floods, failures);
      const { memory } = await client.call('stats', {});
      if (done >= bytes / 10) baseline ??= memory.rss;
      mostBytes = Math.max(mostBytes, memory.rss);
    }
    const grown = mostBytes - (baseline ?? mostBytes);
    if (grown > MAX_GROWTH_BYTES) failures.add(`memory grew by ${grown} bytes from ${baseline}`);
    for (const reader of slow) addProblems(reader, failures);
    const { faults } = await client.call('stats', {});
    if (faults > 0) failures.add(`${faults} faults: ${/.* error .*/.exec(daemon.log)?.[0] ?? 'not in the log'}`);
  } catch (error) {
    failures.add(`${String(error)}; the log ends with ${daemon.log.slice(-500)}`);
  } finally {
    for (const reader of slow) reader.stop();
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  return {
    figures: [
      ['floods in raw mode', floods],
      ['bytes of floods', done],
      ['most memory between floods, MB', Math.round(mostBytes / 1e6)],
      ['replies to slow readers', slow.reduce((sum, { replies }) => sum + replies, 0)],
    ],
    failures: failures.list,
  };
}

async function flood(
  daemon: TrialDaemon,
  client: Client,
  id: string,
  size: number,
  random: Random,
  failures: Failures,
): Promise<void> {
  const output = random.chance(COSTLY_SHARE) ? costlyBytes(random, size) : repeatedBytes(random, size);
  const file = path.join(daemon.dir, id);
  writeFileSync(file, output);
  // Raw mode first: until then the terminal adds a carriage return to each line feed.
  await client.call('create', { name: id, cmd_args: ['sh', '-c', 'stty raw -echo; exec cat "$0"', file] });
  const { outcome } = await client.call('wait', { id, until: [{ exit: true }], timeout_ms: FLOOD_DEADLINE_MS });
  const { exit_code: code, signal } = await client.call('status', { id });
  const { output: arrived } = await client.call('debug', { id, tail_bytes: TAIL_BYTES });
  await client.call('kill', { id });
  const what = `a flood of ${size} bytes`;
  if (outcome !== 'matched' || code !== 0) failures.add(`${what} ended with ${outcome}, ${code}, ${signal}`);
  if (arrived.bytes !== size) failures.add(`of ${what} ${arrived.bytes} arrived`);
  if (!Buffer.from(arrived.base64, 'base64').equals(output.subarray(-TAIL_BYTES))) {
    failures.add(`the end of ${what} is another`);
  }
}

function repeatedBytes(random: Random, size: number): Buffer {
  const piece = vtBytes(random, PIECE_BYTES);
  return Buffer.concat(Array.from({ length: Math.ceil(size / piece.length) }, () => piece)).subarray(0, size);
}

async function greet(client: Client, number: number, failures: Failures): Promise<void> {
  const text = `still here ${number}`;
  const { wait } = await client.call('type', {
    id: BYSTANDER,
    text,
    submit: true,
    wait: { until: [{ text: `heard: ${text}` }], timeout_ms: GREETING_DEADLINE_MS },
  });
  if (wait?.outcome !== 'matched') failures.add(`the bystander did not hear ${JSON.stringify(text)}: ${wait?.outcome}`);
}

function slowReader(daemon: TrialDaemon, ids: readonly string[], random: Random): SlowReader {
  const requests = (): object => {
    const id = random.pick(ids);
    return random.pick([
      { cmd: 'screenshot', id },
      { cmd: 'text', id, region: 'all', format: random.pick(['plain', 'ansi', 'cells', 'html']) },
      { cmd: 'debug', id, tail_bytes: TAIL_BYTES },
    ]);
  };
  return new SlowReader(daemon.socketPath, requests, (code) => code === 'terminal_not_found');
}
