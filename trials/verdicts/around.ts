/**
 * Draws of what is around a program: signals that it counts itself as it is ended, limits and variables that it reads itself.
 * From FIRST_OF_PEOPLE on each tenth draw is one of these.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Client, connect } from '../../src/client/index.js';
import { Random } from '../support/random.js';
import { TrialDaemon } from '../support/trial-daemon.js';
import { FIRST_OF_PEOPLE } from './people.js';

const call = promisify(execFile);
const LIMIT_MS = 30_000;

export interface Around {
  readonly text: string;
  /** @returns what was wrong, one sentence each */
  readonly wrong: (client: Client, root: string) => Promise<string[]>;
}

/** Undefined for a number that is another draw's. */
export function aroundOf(number: number): Around | undefined {
  if (number < FIRST_OF_PEOPLE || number % 10 !== 9) return undefined;
  const random = new Random(Math.imul(number + 1, 0x27d4eb2f));
  const { text, wrong } = random.chance(0.6) ? ending(random) : inheriting(random);
  return { text: `${number} ${text}`, wrong };
}

/** Notes each signal and its time in a file of its own name, and goes on, or ends a while after the first. One that is started again ends. */
const COUNTER = `
import os, signal, sys, time
folder, ends, name, *others = sys.argv[1:]
if os.path.exists(os.path.join(folder, name)): sys.exit()
ALL = [signal.SIGHUP, signal.SIGTERM, signal.SIGINT]
signal.pthread_sigmask(signal.SIG_BLOCK, ALL)
signal.signal(signal.SIGHUP, lambda *_: None)
for other in others:
    if os.fork() == 0:
        if other.startswith('own'): os.setpgid(0, 0)
        name, others = other, []
        break
notes = open(os.path.join(folder, name), 'a', 1)
notes.write('up '); notes.flush()
left = None
while left is None or left > 0:
    info = signal.sigtimedwait(ALL, 0.05) if left is not None else signal.sigwaitinfo(ALL)
    if left is not None: left -= 1
    if info is None: continue
    notes.write('%s@%d ' % (signal.Signals(info.si_signo).name, time.monotonic() * 1000)); notes.flush()
    if ends == 'ends' and left is None: left = 3
`;

interface Ending {
  readonly client: Client;
  readonly daemon: TrialDaemon;
  readonly cmd_args: string[];
  readonly graceMs: number;
  /** All of its processes wait for signals. */
  readonly isUp: () => Promise<void>;
}

/** Each starts the program and comes back once it has ended. */
const ENDS: Readonly<Record<string, (ending: Ending) => Promise<unknown>>> = {
  kill: killing(({ client, graceMs: grace_ms }, id) => client.call('kill', { id, grace_ms })),
  'kill twice': killing(({ client, graceMs: grace_ms }, id) =>
    Promise.all([1, 2].map(() => client.call('kill', { id, grace_ms }))),
  ),
  'kill of a tree': killing(({ client, graceMs: grace_ms }, id) => client.call('kill', { id, grace_ms, tree: true })),
  'kill that keeps it': killing(({ client, graceMs: grace_ms }, id) =>
    client.call('kill', { id, grace_ms, keep: true }),
  ),
  restart: killing(({ client, graceMs: grace_ms }, id) => client.call('restart', { id, grace_ms })),
  shutdown: killing(async ({ client, daemon }) => {
    await client.call('shutdown', {});
    await daemon.exited;
  }),
  'the deadline of run': async ({ client, cmd_args, isUp }) => {
    const run = client.call('run', { cmd_args, timeout_ms: UP_MS });
    await isUp();
    return run;
  },
  'the end of the client that it is tied to': async ({ client, daemon, cmd_args, isUp }) => {
    const own = await connect({ socketPath: daemon.socketPath });
    await own.call('create', { cmd_args, tied: true });
    await isUp();
    await own.close();
    for (let left = 1; left > 0; left = (await client.call('list', {})).terminals.length) await pause();
  },
};

/** Python starts within it, on a busy machine too. */
const UP_MS = 5000;

function killing(end: (ending: Ending, id: string) => Promise<unknown>): (ending: Ending) => Promise<unknown> {
  return async (ending) => {
    const { id } = await ending.client.call('create', { cmd_args: ending.cmd_args });
    await ending.isUp();
    return end(ending, id);
  };
}

function ending(random: Random): Around {
  const way = random.pick(Object.keys(ENDS));
  const ends = random.chance(0.5);
  const others = [[], ['member'], ['member', 'own-group']][random.below(3)] ?? [];
  const graceMs = 400 + random.below(400);
  const text = `${way}: of a program that ${ends ? 'ends at the first signal' : 'goes on'}, and ${others.length} more`;
  return {
    text,
    wrong: async (_client, root) => {
      const folder = mkdtempSync('/tmp/t4a-verdict-');
      const daemon = await TrialDaemon.start(root);
      const client = await connect({ socketPath: daemon.socketPath });
      try {
        await client.call('config', { kill_grace_ms: graceMs });
        const cmd_args = ['python3', '-c', COUNTER, folder, ends ? 'ends' : 'stays', 'leader', ...others];
        const notes = (): [string, string[]][] =>
          readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8').trim().split(' ')]);
        const isUp = async (): Promise<void> => {
          while (notes().filter(([, [first]]) => first === 'up').length <= others.length) await pause();
        };
        await ENDS[way]?.({ client, daemon, cmd_args, graceMs, isUp });
        return notes().flatMap(([name, [, ...noted]]) => judgeSignals(name, noted, ends, graceMs));
      } finally {
        await client.close();
        await daemon.stop();
        daemon.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function judgeSignals(name: string, noted: readonly string[], ends: boolean, graceMs: number): string[] {
  const signals = noted.map((each) => each.split('@')[0] ?? '');
  const [firstMs, secondMs] = noted.map((each) => Number(each.split('@')[1]));
  const wrong: string[] = [];
  const got = `${name} got ${noted.join(', ')}`;
  if (new Set(signals).size !== signals.length) wrong.push(`${got}: one of them twice`);
  if (name === 'leader' && signals[0] !== 'SIGHUP') wrong.push(`${got}, not SIGHUP first`);
  if (!ends && !signals.includes('SIGTERM')) wrong.push(`${got}, and no SIGTERM`);
  if (ends && name === 'leader' && signals.includes('SIGTERM')) wrong.push(`${got}: it had time to end by itself`);
  // A busy machine may show it the first signal late.
  const isAtOnce = firstMs !== undefined && secondMs !== undefined && secondMs - firstMs < graceMs / 2;
  if (!ends && isAtOnce) wrong.push(`${got}: less than ${graceMs} ms between them`);
  return wrong;
}

const MARKERS = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'GEMINI_CLI',
  'OPENCODE',
  'AI_AGENT',
];
/** A person's own: they stay beside a marker, too. */
const KEPT = ['CLAUDE_CODE_USE_BEDROCK', 'CODEX_HOME', 'EDITOR', 'LESS', 'T4A_TRIAL_OWN'];
const OF_PIPES: Readonly<Record<string, string>> = { NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat' };

/** Of a daemon of its own: the limits are those of the shell that started it. */
function inheriting(random: Random): Around {
  const some = <T>(items: readonly T[]): T[] => items.filter(() => random.chance(0.4));
  const markers = random.chance(0.6) ? some(MARKERS) : [];
  const [kept, pipes] = [some(KEPT), some(Object.keys(OF_PIPES))];
  const [files, mask] = [random.pick([256, 512, 1024, 4096]), random.pick(['0022', '0027', '0077', '0002'])];
  const keeps = random.chance(0.2);
  const variables = [...markers, ...kept, ...pipes];
  return {
    text: `inherited: ${files} open files, umask ${mask}, ${variables.join(' ')}${keeps ? ', --keep-agent-env' : ''}`,
    wrong: async (_client, root) => {
      const dir = mkdtempSync('/tmp/t4a-verdict-');
      const t4a = `"${process.execPath}" "${path.join(root, 'dist/cli.cjs')}"`;
      const show = `ulimit -Sn; umask; env | grep -E '^(${[...MARKERS, ...KEPT, ...Object.keys(OF_PIPES)].join('|')})=' | sort`;
      const script = `ulimit -Sn ${files}; umask ${mask}
        ${t4a} run ${keeps ? '--keep-agent-env ' : ''}-- sh -c "$T4A_TRIAL_SHOW"; ${t4a} shutdown >/dev/null 2>&1`;
      const bare = Object.entries(process.env).filter(([name]) => !isDrawn(name));
      const env = {
        ...Object.fromEntries(bare),
        ...Object.fromEntries(variables.map((name) => [name, OF_PIPES[name] ?? 'x'])),
        HOME: dir,
        T4A_SOCKET: path.join(dir, 's'),
        T4A_TRIAL_SHOW: show,
      };
      try {
        const { stdout } = await call('sh', ['-c', script], { env, timeout: LIMIT_MS });
        const isWithin = markers.length > 0 && !keeps;
        const stays = [...kept, ...(isWithin ? [] : pipes), ...(keeps ? markers : [])];
        const right = [String(files), mask, ...stays.map((name) => `${name}=${OF_PIPES[name] ?? 'x'}`).toSorted()];
        const found = stdout.trim().split('\n');
        const inOrder = [...found.slice(0, 2), ...found.slice(2).toSorted()];
        return inOrder.join('\n') === right.join('\n') ? [] : [`${inOrder.join(' ')} instead of ${right.join(' ')}`];
      } finally {
        rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

function isDrawn(name: string): boolean {
  return (
    name.startsWith('T4A_') ||
    [...MARKERS, ...KEPT, ...Object.keys(OF_PIPES)].includes(name) ||
    /^(?:CLAUDE|CODEX|AGENT)/.test(name)
  );
}

const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20));
