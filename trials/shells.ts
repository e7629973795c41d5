/**
 * `npm run trials -- shells`: drives the shells that people use, plain and with prompts and plugins, and judges of each what a
 * harness relies on. What is not installed is left out by name. `--only` takes the set-ups whose name holds it.
 */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../src/client/index.js';
import { SET_UPS, SHELLS, type SetUp } from './shells/setups.js';
import { SshHost } from './shells/ssh-host.js';
import { judge, VERDICTS, type Session } from './shells/verdicts.js';
import type { Report } from './support/report.js';
import { TrialDaemon } from './support/trial-daemon.js';

/** `side`: set-ups side by side. */
export const FLAGS = { only: '', side: 4 };

type Options = typeof FLAGS & { readonly root: string };
type Figures = [string, string][];

const START_MS = 60_000;

export async function trial({ root, only, side }: Options): Promise<Report> {
  const chosen = SET_UPS.filter(({ name }) => name.includes(only));
  const usable = chosen.filter(({ needs }) => needs.every(isThere));
  const daemon = await TrialDaemon.start(root);
  const client = await connect({ socketPath: daemon.socketPath });
  const host = await SshHost.start(daemon.dir);
  const wrong = new Map<string, string[]>();
  try {
    const queue = [...usable];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        wrong.set(next.name, await examine(next, client, host));
      }
    };
    await Promise.all(Array.from({ length: side }, worker));
  } finally {
    await client.close();
    await host?.stop();
    await daemon.stop();
    daemon.remove();
  }
  const judged = Object.keys(VERDICTS).length + 1 - (host === undefined ? 1 : 0);
  const figures: Figures = usable.map(({ name }) => [name, `${judged - (wrong.get(name)?.length ?? 0)} of ${judged}`]);
  for (const { name, needs } of chosen.filter((each) => !usable.includes(each))) {
    figures.push([name, `left out: no ${needs.filter((need) => !isThere(need)).join(', ')}`]);
  }
  if (host === undefined) figures.push(['ssh', 'left out: no sshd']);
  const failures = [...wrong].flatMap(([name, list]) => list.map((each) => `${name}: ${each}`));
  figures.push(['verdicts right', `${usable.length * judged - failures.length} of ${usable.length * judged}`]);
  return { figures, failures };
}

/** @returns what was wrong, one sentence for each verdict */
async function examine(setUp: SetUp, client: Client, host: SshHost | undefined): Promise<string[]> {
  const home = mkdtempSync('/tmp/t4a-shell-');
  const wrong: string[] = [];
  let started = await start(setUp, home, client, host);
  try {
    if (!started.hasPrompt) wrong.push('first prompt: no prompt was told');
    for (const [name, verdict] of Object.entries(VERDICTS)) {
      const problem = await judge(verdict, started.session);
      if (problem === undefined) continue;
      wrong.push(`${name}: ${problem}`);
      // What is wrong with one says nothing of the next.
      await client.call('kill', { id: started.session.id }).catch(() => {});
      started = await start(setUp, home, client, host);
    }
  } finally {
    await client.call('kill', { id: started.session.id }).catch(() => {});
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return wrong;
}

async function start(
  { shell: name, rc, args = [], env = {} }: SetUp,
  home: string,
  client: Client,
  host: SshHost | undefined,
): Promise<{ session: Session; hasPrompt: boolean }> {
  const shell = SHELLS[name];
  const rcFile = path.join(home, shell.rcFile);
  mkdirSync(path.dirname(rcFile), { recursive: true });
  // Where it is missing, fish starts programs of its own that read all manual pages.
  mkdirSync(path.join(home, '.local/share/fish/generated_completions'), { recursive: true });
  writeFileSync(rcFile, `${rc}\n`);
  const isNamedAnew = shell.program !== name;
  const program = isNamedAnew ? path.join(home, name) : name;
  if (isNamedAnew && !existsSync(program)) symlinkSync(find(shell.program) ?? '', program);
  const { id, wait } = await client.call('create', {
    cmd_args: [program, ...args],
    cwd: home,
    env: {
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local/share'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      ...(shell.rcFile === '.shrc' ? { ENV: rcFile } : {}),
      ...env,
    },
    wait: { until: { done: true }, timeout_ms: START_MS },
  });
  const session = { client, id, shell, command: program, host };
  return { session, hasPrompt: wait?.outcome === 'matched' };
}

/** A program on the PATH, or a file. */
function isThere(need: string): boolean {
  return need.startsWith('/') ? existsSync(need) : find(need) !== undefined;
}

function find(program: string): string | undefined {
  const places = (process.env['PATH'] ?? '').split(':').map((folder) => path.join(folder, program));
  return places.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // ENOENT, EACCES: not in this folder.
    }
  });
}
