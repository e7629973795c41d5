/** Fuzzed lines against a real daemon: each is answered once, in time, with a known code that is not a defect. */
import { ERRORS } from '../../src/protocol/errors.js';
import { Asker } from '../support/asker.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { TrialDaemon } from '../support/trial-daemon.js';
import { requestLine } from './request-lines.js';

/** Written at once on a connection of their own. */
const BATCH = 100;
/** `run`, `kill` and waits take their time; a hang takes longer. */
const BATCH_DEADLINE_MS = 60_000;
/** What the engine keeps for later is no leak; what grows beyond this after the first tenth is one. */
const MAX_GROWTH_BYTES = 150_000_000;

export async function fuzzRequests(root: string, lines: number, random: Random): Promise<Report> {
  const failures = new Failures();
  const codes = new Map<string, number>();
  const daemon = await TrialDaemon.start(root);
  let warm: Memory | undefined;
  let done = 0;
  try {
    for (; done < lines && !failures.full; done += BATCH) {
      await batch(daemon, random, codes, failures);
      if (daemon.over) {
        failures.add(`the daemon ended: ${daemon.log.slice(-500)}`);
        break;
      }
      if (done <= lines / 10) warm = await memoryOf(daemon);
    }
    if (!daemon.over) checkGrowth(warm, await memoryOf(daemon), failures);
    if (/ error /.test(daemon.log)) failures.add(`the log has an error: ${/.* error .*/.exec(daemon.log)?.[0]}`);
  } finally {
    await daemon.stop();
    daemon.remove();
  }
  const refused = [...codes.values()].reduce((sum, count) => sum + count, 0);
  return {
    figures: [
      ['request lines', done],
      ['refused', `${refused} with ${codes.size} codes`],
    ],
    failures: failures.list,
  };
}

async function batch(
  daemon: TrialDaemon,
  random: Random,
  codes: Map<string, number>,
  failures: Failures,
): Promise<void> {
  const lines = Array.from({ length: BATCH }, () => requestLine(random));
  const asker = new Asker(daemon.socketPath);
  try {
    // Most lines are about this one, so that they get past its name.
    await asker.request({ cmd: 'create', name: 'fuzz', reuse: true, cmd_args: ['cat'] });
    asker.socket.write(Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
    const replies = await asker.replies(BATCH, BATCH_DEADLINE_MS);
    for (const [index, { ok, code }] of replies.entries()) {
      if (ok === true) continue;
      const name = String(code);
      codes.set(name, (codes.get(name) ?? 0) + 1);
      if (name === 'internal' || !Object.hasOwn(ERRORS, name)) {
        failures.add(`${name} for ${lines[index]?.toString()}: ${JSON.stringify(replies[index])}`);
      }
    }
  } catch (error) {
    failures.add(`${String(error)}, with ${JSON.stringify(lines.map(String))}`);
  } finally {
    asker.close();
  }
}

interface Memory {
  readonly rss: number;
  readonly descriptors: number;
}

/** With all terminals gone, so that what is left is the daemon's own. */
async function memoryOf(daemon: TrialDaemon): Promise<Memory> {
  const asker = new Asker(daemon.socketPath);
  const { terminals } = (await asker.request({ cmd: 'list' })) as { terminals: { id: string }[] };
  await Promise.all(terminals.map(({ id }) => endTerminal(daemon.socketPath, id)));
  const stats = (await asker.request({ cmd: 'stats' })) as { memory: { rss: number }; descriptors: number };
  asker.close();
  return { rss: stats.memory.rss, descriptors: stats.descriptors };
}

async function endTerminal(socketPath: string, id: string): Promise<void> {
  const asker = new Asker(socketPath);
  await asker.request({ cmd: 'kill', id });
  asker.close();
}

function checkGrowth(before: Memory | undefined, after: Memory, failures: Failures): void {
  if (before === undefined) return;
  if (after.rss - before.rss > MAX_GROWTH_BYTES) failures.add(`memory grew from ${before.rss} to ${after.rss} bytes`);
  if (after.descriptors > before.descriptors + 2) {
    failures.add(`descriptors grew from ${before.descriptors} to ${after.descriptors}`);
  }
}
