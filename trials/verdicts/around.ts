/**
 * Draws of what is around a program: signals that it counts itself as it is ended, limits and variables that it reads itself.
 * From FIRST_OF_PEOPLE on each tenth draw is one of these.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '../../src/client/index.js';
import { Random } from '../support/random.js';
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

/** Notes each signal in a file of its own name, and goes on, or ends a while after the first. */
const COUNTER = `
import os, signal, sys
folder, ends, name, *others = sys.argv[1:]
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
    notes.write(signal.Signals(info.si_signo).name + ' '); notes.flush()
    if ends == 'ends' and left is None: left = 3
`;

type End = (client: Client, id: string, graceMs: number) => Promise<unknown>;

const ENDS: Readonly<Record<string, End>> = {
  kill: (client, id, grace_ms) => client.call('kill', { id, grace_ms }),
  'kill twice': (client, id, grace_ms) => Promise.all([1, 2].map(() => client.call('kill', { id, grace_ms }))),
  'kill of a tree': (client, id, grace_ms) => client.call('kill', { id, grace_ms, tree: true }),
  'kill that keeps it': (client, id, grace_ms) => client.call('kill', { id, grace_ms, keep: true }),
};

function ending(random: Random): Around {
  const way = random.pick(Object.keys(ENDS));
  const ends = random.chance(0.5);
  const others = [[], ['member'], ['member', 'own-group']][random.below(3)] ?? [];
  const graceMs = 400 + random.below(400);
  const text = `${way}: of a program that ${ends ? 'ends at the first signal' : 'goes on'}, and ${others.length} more`;
  return {
    text,
    wrong: async (client) => {
      const folder = mkdtempSync('/tmp/t4a-verdict-');
      try {
        const cmd_args = ['python3', '-c', COUNTER, folder, ends ? 'ends' : 'stays', 'leader', ...others];
        const { id } = await client.call('create', { cmd_args });
        const notes = (): [string, string[]][] =>
          readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8').trim().split(' ')]);
        while (notes().filter(([, [first]]) => first === 'up').length <= others.length) await pause();
        await ENDS[way]?.(client, id, graceMs);
        const wrong: string[] = [];
        for (const [name, [, ...signals]] of notes()) {
          if (new Set(signals).size !== signals.length)
            wrong.push(`${name} got ${signals.join(', ')}: one of them twice`);
          if (name === 'leader' && signals[0] !== 'SIGHUP')
            wrong.push(`the leader got ${signals.join(', ')}, not SIGHUP`);
          if (!ends && !signals.includes('SIGTERM')) wrong.push(`${name} got ${signals.join(', ')}, and no SIGTERM`);
          if (ends && name === 'leader' && signals.includes('SIGTERM'))
            wrong.push(`the leader got ${signals.join(', ')}: it had time to end by itself`);
        }
        await client.call('kill', { id, grace_ms: 0 }).catch(() => {}); // It is gone, but where it is kept.
        return wrong;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
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
