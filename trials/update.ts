/**
 * `npm run trials -- update`: daemons with drawn terminals are replaced beside requests under way, and something goes wrong at a drawn
 * step. What each terminal prints in all is known beforehand: every line, code and event must be there once, whichever daemon
 * serves. `--seed` is the number of the first draw, and repeats it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connect, T4aError } from '../src/client/index.js';
import { Random } from './support/random.js';
import { Failures, type Report } from './support/report.js';
import { eventually, processesOf, TrialDaemon } from './support/trial-daemon.js';
import { FAULTS, type Switch } from './update/faults.js';
import { type DrawnTerminal, drawTerminals, SCROLLBACK } from './update/terminals.js';

export const FLAGS = { draws: 20, seed: 1 };

/** In which the old daemon or the new one answers, whatever has happened. */
const ANSWER_MS = 10_000;

const LIMIT_MS = 60_000;

export async function trial(options: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const failures = new Failures();
  const done = new Map<string, number>();
  for (let number = 0; number < options.draws && !failures.full; number++) {
    const { name, wrong } = await draw(options.root, options.seed + number);
    done.set(name, (done.get(name) ?? 0) + 1);
    for (const each of wrong) failures.add(`draw ${options.seed + number} (${name}): ${each}`);
  }
  return { figures: [['draws', options.draws], ...done], failures: failures.list };
}

/** One switch. @returns its fault, and what is wrong, in words */
export async function draw(root: string, seed: number): Promise<{ name: string; wrong: readonly string[] }> {
  const random = new Random(seed);
  const name = random.pick(Object.keys(FAULTS));
  const drawn = drawTerminals(random);
  const daemon = await TrialDaemon.start(root);
  const wrong: string[] = [];
  try {
    const change = FAULTS[name]?.draw(random, {
      dir: daemon.dir,
      entry: path.join(root, 'dist/daemon.cjs'),
      socketPath: daemon.socketPath,
    });
    if (change !== undefined) await judged(daemon, drawn, change, FAULTS[name]?.outcome === 'over', wrong);
    if (FAULTS[name]?.outcome === 'refused' && daemon.log.includes('replaced by pid')) wrong.push('it was replaced');
    if (FAULTS[name]?.outcome === 'none' && !daemon.log.includes('replaced by pid')) wrong.push('it was not replaced');
    // Lines of the daemon's own: the engine's last words are those of a process without memory.
    const defect = /^\S+Z error .*/m.exec(daemon.log)?.[0];
    if (defect !== undefined) wrong.push(`the log says ${defect.slice(0, 300)}`);
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    wrong.push(...(await left(root, daemon)));
    rmSync(daemon.dir, { recursive: true, force: true, maxRetries: 5 });
  }
  return { name, wrong };
}

async function judged(
  { socketPath, process: old }: TrialDaemon,
  drawn: readonly DrawnTerminal[],
  change: Switch,
  mayBeOver: boolean,
  wrong: string[],
): Promise<void> {
  const client = await connect({ socketPath, autoStart: false });
  const { instance } = client.daemon;
  const events = client.events({ since: 0 });
  const seqs: number[] = [];
  let isRead = false;
  const reading = (async () => {
    for await (const line of events) {
      if ('seq' in line) seqs.push(line.seq);
      isRead ||= line.event === 'published' && line.name === LAST;
    }
  })().catch(codeOf);
  await client.call('create', { name: 'typed', cmd_args: ['sh', '-c', ECHO], scrollback: MOST_TYPED });
  await client.call('wait', { id: 'typed', until: { text: 'begun' }, timeout_ms: LIMIT_MS });
  for (const [at, { script, before }] of drawn.entries()) {
    await client.call('create', { name: `d${at}`, cmd_args: ['sh', '-c', script], scrollback: SCROLLBACK });
    if (before !== undefined)
      await client.call('wait', { id: `d${at}`, until: { text: before }, timeout_ms: LIMIT_MS });
  }
  const typing = new Typing(client);
  // Over a wait and a call that types, whose answers are looked at below.
  const ends = drawn.map(({ lines }, at) =>
    client.call('wait', { id: `d${at}`, until: { text: lines.at(-1) ?? '' }, timeout_ms: LIMIT_MS }).catch(codeOf),
  );
  if (change.descriptors !== undefined && old.pid !== undefined)
    limited(old.pid, `--nofile=${change.descriptors}:${MOST_DESCRIPTORS}`);
  if (change.fileBytes !== undefined && old.pid !== undefined) limited(old.pid, `--fsize=${change.fileBytes}:`);
  const replacing = replaceAll(socketPath, change);
  if (change.beside !== undefined) {
    await delay(change.beside.afterMs);
    if (change.beside.signal !== undefined && old.pid !== undefined) old.kill(change.beside.signal);
    change.beside.happens?.();
    if (change.beside.cmd !== undefined) await client.call(change.beside.cmd, {}).catch(codeOf);
  }
  const outcomes = await replacing;
  await typing.stop();
  if (change.descriptors !== undefined && old.pid !== undefined)
    limited(old.pid, `--nofile=${MOST_DESCRIPTORS}:${MOST_DESCRIPTORS}`);
  if (change.fileBytes !== undefined) for (const { pid } of processesOf(socketPath)) limited(pid, '--fsize=unlimited:');
  let isThere = await answers(socketPath, instance);
  const found: string[] = [];
  try {
    if (isThere) await looked(client, drawn, ends, typing, found);
  } catch (error) {
    // One that is ended at any instant may end now: it answers for as long as its programs take to end.
    if (!mayBeOver || !(await isEnding(socketPath, instance))) throw error;
    isThere = false;
  }
  if (isThere) {
    wrong.push(...found);
    await client.call('publish', { name: LAST });
    if (!(await eventually(() => isRead, ANSWER_MS))) wrong.push(`the events end with ${seqs.at(-1)}`);
    const gap = seqs.findIndex((seq, at) => seq !== at + 1);
    if (gap !== -1) wrong.push(`event ${seqs[gap]} follows ${seqs[gap - 1]}`);
  } else if (!mayBeOver) wrong.push(`no daemon answers with the terminals: ${JSON.stringify(outcomes)}`);
  events.close();
  await reading;
  await client.close();
}

async function looked(
  client: Client,
  drawn: readonly DrawnTerminal[],
  ends: readonly Promise<unknown>[],
  typing: Typing,
  wrong: string[],
): Promise<void> {
  const typed = await linesOf(client, 'typed', `<${typing.count - 1}>`);
  const expected = ['begun', ...Array.from({ length: typing.count }, (_, at) => `<${at}>`)];
  if (typing.count > 0) compare('what was typed', typed, expected, wrong);
  for (const [at, { kind, typed: word, lines, code, title }] of drawn.entries()) {
    const id = `d${at}`;
    if (word !== '') await client.call('type', { id, text: word, submit: true });
    const { outcome } = (await ends[at]) as { readonly outcome?: string };
    if (outcome !== 'matched') wrong.push(`the wait for the end of ${kind}: ${JSON.stringify(await ends[at])}`);
    const end = await client.call('wait', { id, until: { exit: true }, timeout_ms: LIMIT_MS });
    if (end.exit_code !== code) wrong.push(`${kind} ends with ${JSON.stringify(end).slice(0, 200)}, not ${code}`);
    const shown = await linesOf(client, id);
    compare(kind, shown.slice(-lines.length), lines, wrong);
    const status = await client.call('status', { id });
    if (title !== undefined && status.title !== title) wrong.push(`${kind} has the title ${status.title}`);
  }
}

async function linesOf(client: Client, id: string, until?: string): Promise<readonly string[]> {
  if (until !== undefined) await client.call('wait', { id, until: { text: until }, timeout_ms: LIMIT_MS });
  const { lines } = await client.call('text', { id, region: 'all', trim: true });
  return lines.filter((line) => line !== '');
}

function compare(what: string, shown: readonly string[], expected: readonly string[], wrong: string[]): void {
  const at = expected.findIndex((line, row) => line !== shown[row]);
  if (at === -1 && shown.length === expected.length) return;
  wrong.push(`${what}: line ${at} is ${JSON.stringify(shown[at])}, not ${JSON.stringify(expected[at])}`);
}

/** Lines of which all are kept. */
const MOST_TYPED = 200_000;

/** Name of the event behind all others. */
const LAST = 'last';

/** Prints what it reads. */
const ECHO = 'stty -echo; echo begun; while read -r x; do echo "<$x>"; done';

/** Types a line after the other, each once the one before is answered. */
class Typing {
  count = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(client: Client) {
    this.#done = this.#type(client);
  }

  async #type(client: Client): Promise<void> {
    try {
      for (; !this.#isOver; this.count++) await client.call('send', { id: 'typed', input: `${this.count}\r` });
    } catch (error) {
      // The daemon has gone; that it has not is looked at elsewhere.
      if (!(error instanceof T4aError)) throw error;
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

async function replaceAll(socketPath: string, { entry, withinMs, times }: Switch): Promise<readonly unknown[]> {
  return Promise.all(
    Array.from({ length: times }, async () => {
      try {
        await using client = await connect({ socketPath, autoStart: false });
        return await client.call('replace', { entry, within_ms: withinMs });
      } catch (error) {
        return codeOf(error);
      }
    }),
  );
}

const MOST_DESCRIPTORS = 1024;

/** More are open already: none can be opened. A process that has ended has no limits. */
function limited(pid: number, limit: string): void {
  spawnSync('prlimit', ['--pid', String(pid), limit]);
}

function codeOf(error: unknown): unknown {
  if (error instanceof T4aError) return { code: error.code, message: error.message };
  throw error;
}

/** Whether the daemon of that instance answers in time. */
async function answers(socketPath: string, instance: string | undefined): Promise<boolean> {
  for (const endMs = performance.now() + ANSWER_MS; performance.now() < endMs; await delay(50)) {
    const found = await instanceAt(socketPath);
    if (found !== undefined) return found === instance;
  }
  return false;
}

async function isEnding(socketPath: string, instance: string | undefined): Promise<boolean> {
  for (const endMs = performance.now() + ANSWER_MS; performance.now() < endMs; await delay(50)) {
    if ((await instanceAt(socketPath)) !== instance) return true;
  }
  return false;
}

/** Apart: in a loop, what esbuild makes of `await using` throws the error of an earlier turn again. */
async function instanceAt(socketPath: string): Promise<string | undefined> {
  try {
    await using client = await connect({ socketPath, autoStart: false, timeoutMs: 2000 });
    return client.daemon.instance;
  } catch {
    // Not yet, or no more.
    return undefined;
  }
}

/** Ends the draw: what is left of it, in words. */
async function left(root: string, { socketPath, dir }: TrialDaemon): Promise<readonly string[]> {
  const wrong: string[] = [];
  try {
    // Where one was killed, the next one removes what it has left.
    const daemonEntry = path.join(root, 'dist/daemon.cjs');
    await using client = await connect({ socketPath, daemonEntry, timeoutMs: ANSWER_MS });
    await client.call('shutdown', {});
  } catch (error) {
    wrong.push(`no daemon answers at the end: ${String(error)}`);
  }
  if (!(await eventually(() => processesOf(socketPath).length === 0, LIMIT_MS / 2))) {
    wrong.push(`left in the process table: ${JSON.stringify(processesOf(socketPath))}`);
    for (const { pid } of processesOf(socketPath)) process.kill(pid, 'SIGKILL');
  }
  const files = readdirSync(dir).filter((file) => !MAY_STAY.includes(file) && !file.startsWith('.'));
  if (files.length > 0) wrong.push(`left in the directory: ${files.join(', ')}`);
  return wrong;
}

/** The log, and the programs of the trial. */
const MAY_STAY = ['s.log', 'fake.cjs', 'killed.cjs', 'package', 'package-moved', 'other'];
