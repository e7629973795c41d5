/**
 * `npm run trials -- held-up`: lines in shells that are held up, as they are on a machine that does too much: by strace before or behind
 * their system calls, or by SIGSTOP at any instant. Status, output and history of each line are known beforehand. `--from` is the number
 * of the first draw, and repeats it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { T4aError, connect, type Client } from '../src/client/index.js';
import { Random } from './support/random.js';
import type { Report } from './support/report.js';
import { TrialDaemon } from './support/trial-daemon.js';
import { SHELLS, type ShellName } from './shells/setups.js';
import { SETTINGS } from './verdicts/settings.js';

/** `side`: draws side by side. */
export const FLAGS = { from: 0, draws: 40, side: 4 };

const LIMIT_MS = 60_000;
const NAMES = Object.keys(SHELLS) as ShellName[];
/** Calls around a prompt, a read and the start of a program. */
const STOPS = 'SIGSTOP';
const CALLS = [
  STOPS,
  STOPS,
  'read',
  'write',
  'ioctl',
  'pselect6,select,poll,ppoll',
  'rt_sigprocmask',
  'clone,clone3,vfork',
  'wait4',
];

/** @param status that of the line, and of `$?` behind it */
interface Line {
  readonly text: string;
  readonly status: number;
  readonly lines: readonly string[];
}

const LINES: readonly Line[] = [
  { text: 'printf abc', status: 0, lines: ['abc'] },
  { text: 'echo one; echo two', status: 0, lines: ['one', 'two'] },
  { text: 'false', status: 1, lines: [] },
  { text: 'true', status: 0, lines: [] },
  { text: 'cd /', status: 0, lines: [] },
  { text: `sh -c 'exit 3'`, status: 3, lines: [] },
  { text: `sh -c 'sleep 0.1; echo late'`, status: 0, lines: ['late'] },
  { text: 'echo to both >&2', status: 0, lines: ['to both'] },
];

/** Start-up files that change neither output nor lines. */
const QUIET = new Set([
  'vi mode',
  'set -u',
  'HISTCONTROL',
  'no history',
  'a prompt of several lines',
  'a right prompt',
]);

interface Draw {
  readonly number: number;
  readonly text: string;
  readonly shell: ShellName;
  readonly rc: string;
  readonly calls: string;
  readonly delayMs: number;
  readonly isAtExit: boolean;
  /** Each second, third call. */
  readonly step: number;
  readonly lines: readonly { readonly line: Line; readonly isRun: boolean }[];
}

function drawOf(number: number): Draw {
  const random = new Random(Math.imul(number + 1, 0x9e3779b1));
  const shell = random.pick(NAMES);
  const settings = SETTINGS.filter(
    ({ name, rc }) => QUIET.has(name) && shell !== 'sh' && shell !== 'ksh93' && rc[shell] !== undefined,
  );
  const setting = settings.length === 0 || random.chance(0.5) ? undefined : random.pick(settings);
  const [calls, delayMs] = [random.pick(CALLS), random.pick([20, 100, 300, 600])];
  const [isAtExit, step] = [random.chance(0.4), 1 + random.below(3)];
  const lines = Array.from({ length: 4 }, () => ({ line: random.pick(LINES), isRun: random.chance(0.6) }));
  const way = lines.map(({ line, isRun }) => `${isRun ? 'run' : 'type'} ${line.text}`).join(' | ');
  const what = `${shell}${setting === undefined ? '' : `, ${setting.name}`}; ${calls} ${delayMs} ms ${isAtExit ? 'behind' : 'before'}`;
  const rc = (shell === 'sh' || shell === 'ksh93' ? undefined : setting?.rc[shell]) ?? '';
  return { number, text: `${number} ${what} each ${step}.: ${way}`, shell, rc, calls, delayMs, isAtExit, step, lines };
}

async function judged(draw: Draw, client: Client): Promise<string[]> {
  const home = mkdtempSync('/tmp/t4a-held-up-');
  const { program, rcFile } = SHELLS[draw.shell];
  const link = path.join(home, draw.shell);
  const rc = path.join(home, rcFile);
  mkdirSync(path.dirname(rc), { recursive: true });
  writeFileSync(rc, `${draw.rc}\n`);
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
  symlinkSync(found, link);
  let holder: AsyncDisposable | undefined;
  let id = '';
  try {
    const wait = { until: { done: true }, timeout_ms: LIMIT_MS } as const;
    const made = await client.call('create', { cmd_args: [link], env: { HOME: home, ENV: rc, HISTFILE: '' }, wait });
    id = made.id;
    const { pid } = await client.call('status', { id });
    if (pid === null) throw new Error('the shell has ended');
    holder = draw.calls === STOPS ? stopping(draw, pid) : await traced(draw, pid, home);
    const wrong: string[] = [];
    for (const { line, isRun } of draw.lines)
      wrong.push(...(await (isRun ? ran(client, id, line) : typed(client, id, line))));
    return wrong;
  } catch (error) {
    return [error instanceof T4aError ? `${error.code}: ${error.message}` : String(error)];
  } finally {
    await holder?.[Symbol.asyncDispose]();
    if (id !== '') await client.call('kill', { id, grace_ms: 100 }).catch(() => {}); // It may have ended.
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function ran(client: Client, id: string, { text, status, lines }: Line): Promise<string[]> {
  const seen = await client.call('run', { id, command: text, timeout_ms: LIMIT_MS });
  const wrong = compare(
    text,
    { outcome: 'done', status, lines },
    { outcome: seen.outcome, status: seen.exit_code, lines: seen.lines },
  );
  return [...wrong, ...(await last(client, id, text, status))];
}

async function typed(client: Client, id: string, { text, status }: Line): Promise<string[]> {
  const wait = { until: { done: true }, timeout_ms: LIMIT_MS } as const;
  const seen = await client.call('type', { id, text, submit: true, wait });
  const right = { outcome: 'matched', status };
  const wrong = compare(`type ${text}`, right, { outcome: seen.wait?.outcome, status: seen.wait?.exit_code });
  return [...wrong, ...(await last(client, id, text, status))];
}

async function last(client: Client, id: string, text: string, status: number): Promise<string[]> {
  const { commands } = await client.call('commands', { id, last: 1 });
  const [record] = commands;
  return compare(`the record of ${text}`, { text, status }, { text: record?.command ?? null, status: record?.code });
}

function compare(what: string, right: object, seen: object): string[] {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(right)];
  return a === b ? [] : [`${what}: ${a} instead of ${b}`];
}

/** @returns once it has the shell */
async function traced({ calls, delayMs, isAtExit, step }: Draw, pid: number, dir: string): Promise<AsyncDisposable> {
  const inject = `${calls}:delay_${isAtExit ? 'exit' : 'enter'}=${delayMs * 1000}:when=1+${step}`;
  const args = ['-p', String(pid), '-o', path.join(dir, 'trace'), '-e', `trace=${calls}`, '-e', `inject=${inject}`];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [told] = (await once(tracer.stderr, 'data')) as [Buffer];
  if (!told.includes('attached')) throw new Error(`strace: ${told.toString().trim()}`);
  return {
    [Symbol.asyncDispose]: async () => {
      if (tracer.exitCode !== null) return;
      tracer.kill('SIGINT');
      await once(tracer, 'exit');
    },
  };
}

/** Stops and continues the shell in turns, each for a time that the draw gives the most of. */
function stopping({ number, delayMs }: Draw, pid: number): AsyncDisposable {
  const random = new Random(number);
  let isOver = false;
  const turns = async (): Promise<void> => {
    while (!isOver) {
      process.kill(pid, 'SIGSTOP');
      await setTimeout(random.below(delayMs));
      process.kill(pid, 'SIGCONT');
      await setTimeout(random.below(100));
    }
  };
  const done = turns();
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await done;
    },
  };
}

export async function trial({ root, from, draws, side }: typeof FLAGS & { readonly root: string }): Promise<Report> {
  const missing = ['strace', ...new Set(NAMES.map((name) => SHELLS[name].program))].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  );
  if (missing.length > 0) throw new Error(`this trial needs ${missing.join(', ')}`);
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath });
  const queue = Array.from({ length: draws }, (_, at) => drawOf(from + at));
  const failures: string[] = [];
  try {
    const worker = async (): Promise<void> => {
      for (let draw = queue.shift(); draw !== undefined; draw = queue.shift()) {
        const wrong = await judged(draw, client);
        if (wrong.length > 0) failures.push(`${draw.text}\n      ${wrong.join('\n      ')}`);
      }
    };
    await Promise.all(Array.from({ length: side }, worker));
  } finally {
    await client.close();
    await daemon.stop();
    daemon.remove();
  }
  return {
    figures: [
      ['draws', draws],
      ['right', draws - failures.length],
    ],
    failures,
  };
}
