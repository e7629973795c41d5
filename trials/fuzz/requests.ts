/** Fuzzed lines against a real daemon: each is answered once, in time, with a known code that is not a defect. */
import type { Header } from '../../src/client/reply-reader.js';
import { ERRORS } from '../../src/protocol/errors.js';
import { Asker } from '../support/asker.js';
import { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { eventually, TrialDaemon } from '../support/trial-daemon.js';
import { COMMANDS, requestLine, type RequestLine } from './request-lines.js';
import { RequestTally } from './request-tally.js';
import { SUBJECT } from './request-values.js';

/** Written at once, on a connection of their own. */
const BATCH = 100;
/** At once, so that one's waits and processes do not hold up the others. */
const CLIENTS = 8;
/** `run`, `kill` and waits take their time; a hang takes longer. */
const BATCH_DEADLINE_MS = 60_000;
/** What the engine keeps for later is no leak; what grows beyond this after the first tenth is one. */
const MAX_GROWTH_BYTES = 150_000_000;
const MAX_GAINED_DESCRIPTORS = 2;
/** A trigger may create a terminal when another one goes. */
const CLEARING_ROUNDS = 20;
/** For the daemon to see that connections and programs have ended. */
const CLOSED_MS = 10_000;

/** Whatever the lines before have set. */
const LIMITS = { max_terminals: 50, max_connections: 1000, max_memory_bytes: 0, max_line_bytes: 1024 * 1024 };

export async function fuzzRequests(
  root: string,
  lines: number,
  seed: number,
): Promise<Report & { tally: RequestTally }> {
  const failures = new Failures();
  const tally = new RequestTally(COMMANDS);
  const daemon = await TrialDaemon.start(root);
  let warm: Memory | undefined;
  let batches = 0;
  const ask = async (until: number): Promise<void> => {
    while (tally.answered < until && !failures.full && !daemon.over) {
      await prepare(daemon);
      // A batch can be repeated alone: its seed is told with what it loses.
      await batch(daemon, seed + batches++, tally, failures);
    }
  };
  const askAll = async (until: number): Promise<unknown> =>
    Promise.all(Array.from({ length: Math.min(CLIENTS, Math.ceil(until / BATCH)) }, () => ask(until)));
  try {
    await askAll(lines / 10);
    if (!daemon.over) warm = await memoryOf(daemon);
    await askAll(lines);
    if (daemon.over) failures.add(`the daemon ended: ${daemon.log.slice(-500)}`);
    if (!daemon.over) await checkEnd(warm, await memoryOf(daemon), daemon, failures);
  } finally {
    await daemon.stop();
    daemon.remove();
  }
  return { figures: tally.figures(), failures: failures.list, tally };
}

/** Most lines are about this terminal, so that they get past its name. */
async function prepare(daemon: TrialDaemon): Promise<void> {
  const asker = new Asker(daemon.socketPath);
  await asker.request({ cmd: 'config', ...LIMITS });
  // Made by lines whose name was made wrong: at the limit nobody could create any more.
  const { terminals } = (await asker.request({ cmd: 'list' })) as { terminals: { id: string; alive: boolean }[] };
  for (const { id } of terminals.filter(({ alive }) => !alive)) await asker.request({ cmd: 'kill', id });
  const named = { cmd: 'create', reuse: true, cmd_args: SUBJECT };
  for (const name of ['other', 'third', 'fuzz']) await asker.request({ ...named, name });
  // What was typed for long has scrolled what mouse and searches look for out of sight.
  await asker.request({ cmd: 'resize', id: 'fuzz', cols: 80, rows: 24 });
  await asker.request({ cmd: 'paste', id: 'fuzz', text: 'OK', submit: true });
  asker.close();
}

async function batch(daemon: TrialDaemon, seed: number, tally: RequestTally, failures: Failures): Promise<void> {
  const random = new Random(seed);
  // One after the other, or all at once with numbers.
  const isNumbered = random.chance(0.5);
  const lines = Array.from({ length: BATCH }, (_, index) => requestLine(random, isNumbered ? index : undefined));
  const asker = new Asker(daemon.socketPath);
  try {
    asker.socket.write(Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from('\n')])));
    const replies = await asker.replies(BATCH, BATCH_DEADLINE_MS);
    for (const [line, reply] of isNumbered ? byNumber(lines, replies) : inOrder(lines, replies)) {
      tally.add(line, reply);
      const code = String(reply.code);
      if (reply.ok !== true && (code === 'internal' || !Object.hasOwn(ERRORS, code))) {
        failures.add(`batch ${seed}: ${code} for ${line?.bytes.toString()}: ${JSON.stringify(reply)}`);
      }
    }
    checkNumbers(lines, replies, isNumbered, failures);
  } catch (error) {
    failures.add(`batch ${seed}: ${String(error)}, without a reply: ${unanswered(lines, asker.waiting, isNumbered)}`);
  } finally {
    asker.close();
  }
}

/** Those before which nothing is missing: of lines without numbers the first alone is known. */
function unanswered(lines: readonly RequestLine[], replies: readonly Header[], isNumbered: boolean): string {
  const numbers = new Set(replies.map(({ req }) => req));
  const missing = isNumbered
    ? lines.filter(({ intact }, index) => intact && !numbers.has(index))
    : lines.slice(replies.length, replies.length + 1);
  return JSON.stringify(missing.map(({ bytes }) => String(bytes)));
}

type Answered = readonly (readonly [line: RequestLine | undefined, reply: Header])[];

function inOrder(lines: readonly RequestLine[], replies: readonly Header[]): Answered {
  return replies.map((reply, index) => [lines[index], reply]);
}

/** Lines whose bytes were changed have no number, and neither have their replies. */
function byNumber(lines: readonly RequestLine[], replies: readonly Header[]): Answered {
  return replies.map((reply) => [typeof reply['req'] === 'number' ? lines[reply['req']] : undefined, reply]);
}

function checkNumbers(
  lines: readonly RequestLine[],
  replies: readonly Header[],
  isNumbered: boolean,
  failures: Failures,
): void {
  const numbers = replies.map(({ req }) => req).filter((req) => req !== undefined);
  const distinct = new Set(numbers);
  const intact = isNumbered ? lines.flatMap(({ intact }, index) => (intact ? [index] : [])) : [];
  if (distinct.size !== numbers.length) failures.add(`a request was answered twice: ${JSON.stringify(numbers)}`);
  for (const number of intact) {
    if (!distinct.has(number)) failures.add(`no answer has the number of ${String(lines[number]?.bytes)}`);
  }
}

interface Memory {
  readonly rss: number;
  /** What each is open on. */
  readonly descriptors: readonly string[];
  readonly faults: number;
}

/** With all terminals gone, so that what is left is the daemon's own. */
async function memoryOf(daemon: TrialDaemon): Promise<Memory> {
  const asker = new Asker(daemon.socketPath);
  for (let round = 0; round < CLEARING_ROUNDS; round++) {
    const { terminals } = (await asker.request({ cmd: 'list' })) as { terminals: { id: string }[] };
    if (terminals.length === 0) break;
    await Promise.all(terminals.map(({ id }) => endTerminal(daemon.socketPath, id)));
  }
  const stats = (await asker.request({ cmd: 'stats' })) as { memory: { rss: number }; faults: number };
  asker.close();
  return { rss: stats.memory.rss, descriptors: daemon.descriptors, faults: stats.faults };
}

async function endTerminal(socketPath: string, id: string): Promise<void> {
  const asker = new Asker(socketPath);
  await asker.request({ cmd: 'kill', id });
  asker.close();
}

async function checkEnd(
  before: Memory | undefined,
  after: Memory,
  daemon: TrialDaemon,
  failures: Failures,
): Promise<void> {
  // The log is bounded: the first of many errors may be gone from it.
  if (after.faults > 0)
    failures.add(`${after.faults} faults: ${/.* error .*/.exec(daemon.log)?.[0] ?? 'not in the log'}`);
  if (before === undefined) return;
  if (after.rss - before.rss > MAX_GROWTH_BYTES) failures.add(`memory grew from ${before.rss} to ${after.rss} bytes`);
  const most = before.descriptors.length + MAX_GAINED_DESCRIPTORS;
  if (!(await eventually(() => daemon.descriptors.length <= most, CLOSED_MS))) {
    failures.add(`descriptors grew from ${before.descriptors.join(' ')} to ${daemon.descriptors.join(' ')}`);
  }
}
