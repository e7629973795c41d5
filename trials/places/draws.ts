/** Draws of what may happen to the files of a daemon, and what is right after it: every daemon is found, or says that it is not. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from '../../src/client/index.js';
import { Random } from '../support/random.js';
import { eventually, processesOf, TrialDaemon } from '../support/trial-daemon.js';

export interface PlaceDraw {
  readonly kind: string;
  readonly text: string;
  /** @returns what was wrong, one sentence each */
  readonly wrong: (root: string) => Promise<string[]>;
}

/** For what hangs: the machine may be busy. */
const LIMIT_MS = 30_000;
const KINDS = { removed, 'one home': shared, killed, 'no home': homeless } as const;

export function placeDraw(number: number): PlaceDraw {
  const random = new Random(Math.imul(number + 1, 0x9e3779b1));
  const kind = random.pick(Object.keys(KINDS) as (keyof typeof KINDS)[]);
  const { text, wrong } = KINDS[kind](random);
  const judged = async (root: string): Promise<string[]> => {
    const folder = new Folder(root);
    const found: string[] = [];
    try {
      await wrong(folder, (isRight, sentence) => void (isRight || found.push(sentence)));
    } catch (error) {
      found.push(error instanceof Error ? error.message : String(error));
    } finally {
      await folder.remove();
    }
    return found;
  };
  return { kind, text: `${number} ${kind}: ${text}`, wrong: judged };
}

type Expect = (isRight: boolean, sentence: string) => void;
type Drawn = { readonly text: string; readonly wrong: (folder: Folder, expect: Expect) => Promise<void> };

/** One directory with one socket, and all that was started there. */
class Folder {
  readonly root: string;
  readonly dir = mkdtempSync('/tmp/t4a-trial-');
  readonly socket = path.join(this.dir, 's');
  readonly lock = path.join(this.dir, 's.lock');
  readonly #daemons: TrialDaemon[] = [];

  constructor(root: string) {
    this.root = root;
  }

  async daemon(env: Readonly<Record<string, string>> = {}): Promise<TrialDaemon> {
    const daemon = await TrialDaemon.start(this.root, this.dir, env);
    this.#daemons.push(daemon);
    return daemon;
  }

  /** What a daemon says that does not start; undefined for one that does. */
  async refusal(env: Readonly<Record<string, string>>): Promise<string | undefined> {
    return this.daemon(env).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
  }

  /** @param user as whom it runs, if not as this one */
  t4a(args: readonly string[], env: Readonly<Record<string, string>> = {}, user?: number): Promise<Said> {
    const options = {
      cwd: this.dir,
      env: { PATH: process.env['PATH'], T4A_SOCKET: this.socket, HOME: this.dir, ...env },
      timeout: LIMIT_MS,
      ...(user === undefined ? {} : { uid: user, gid: user }),
    };
    return new Promise((resolve) => {
      const file = [path.join(this.root, 'dist/cli.cjs'), ...args];
      execFile(process.execPath, file, options, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : (error.code ?? -1), stdout, stderr }),
      );
    });
  }

  /** Of the daemon that answers, without starting one. */
  async servingPid(): Promise<number | undefined> {
    try {
      const client = await connect({ socketPath: this.socket, autoStart: false });
      const { pid } = await client.call('ping', {});
      await client.close();
      return pid;
    } catch {
      return undefined; // None, for now.
    }
  }

  daemonPids(): number[] {
    return processesOf(this.socket).flatMap(({ pid, command }) => (command.includes('daemon.cjs') ? [pid] : []));
  }

  async remove(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.stop();
    for (const pid of this.daemonPids()) process.kill(pid, 'SIGTERM');
    await eventually(() => this.daemonPids().length === 0, LIMIT_MS);
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Said {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const FILES = { 'the socket': ['s'], 'the lock': ['s.lock'], 'socket and lock': ['s', 's.lock'] } as const;

/** Within the second between two looks of the daemon, and beyond. */
function removed(random: Random): Drawn {
  const rounds = Array.from({ length: 1 + random.below(3) }, () => ({
    afterMs: random.below(1300),
    what: random.pick(Object.keys(FILES) as (keyof typeof FILES)[]),
    isFollowed: random.chance(0.7),
  }));
  const words = rounds.map(
    ({ afterMs, what, isFollowed }) => `${what} after ${afterMs} ms${isFollowed ? ', then list' : ''}`,
  );
  return {
    text: words.join('; '),
    wrong: async (folder, expect) => {
      const first = await folder.daemon();
      const made = await folder.t4a(['create', '--name', 'kept', '--', 'cat']);
      expect(made.status === 0, `create: ${made.stderr}`);
      for (const { afterMs, what, isFollowed } of rounds) {
        await setTimeout(afterMs);
        for (const file of FILES[what]) rmSync(path.join(folder.dir, file), { force: true });
        if (isFollowed) await folder.t4a(['list']);
      }
      // Each look comes within a second: by then it is back, or has said that it is not.
      const said = (): boolean => existsSync(folder.socket) && existsSync(folder.lock);
      expect(await eventually(said, LIMIT_MS), 'socket and lock are not there again');
      for (let turn = 0; turn <= rounds.length; turn++) {
        let serving = await folder.servingPid();
        for (; serving === undefined; serving = await folder.servingPid()) await setTimeout(50);
        if (serving === first.process.pid) break;
        const hidden = `another daemon (pid ${serving}) has the socket`;
        expect(await eventually(() => first.log.includes(hidden), LIMIT_MS), `the log of the first has no "${hidden}"`);
        const { stdout } = await folder.t4a(['doctor']);
        expect(stdout.includes(`pid ${first.process.pid} runs for`), `doctor does not name the first: ${stdout}`);
        process.kill(serving, 'SIGTERM');
      }
      const { stdout } = await folder.t4a(['list']);
      expect(stdout.includes('kept'), `the terminal of the first daemon is not in the list: ${stdout}`);
      const alone = await eventually(() => folder.daemonPids().length === 1, LIMIT_MS);
      expect(alone, `daemons are left: ${folder.daemonPids().join(', ')}, and the first is ${first.process.pid}`);
    },
  };
}

/** Shows a process another name, start and numbers of processes than those of this machine. */
const MACHINE = `
  const fs = require('node:fs'); const os = require('node:os');
  const { host, boot, pids } = JSON.parse(process.env.T4A_TRIAL_MACHINE);
  const { readFileSync, readlinkSync } = fs;
  os.hostname = () => host;
  fs.readFileSync = (file, ...more) => (file === '/proc/sys/kernel/random/boot_id' ? boot : readFileSync(file, ...more));
  fs.readlinkSync = (file, ...more) => (file === '/proc/self/ns/pid' ? pids : readlinkSync(file, ...more));
`;

/** Longer than the owner of a lock goes without renewing it. */
const UNRENEWED_MS = 60_000;

function shared(random: Random): Drawn {
  const among = random.pick(['machine', 'container'] as const);
  const first = random.pick(['ends', 'is killed', 'loses its lock', 'loses socket and lock'] as const);
  const afterMs = random.below(1300);
  const place = (name: string): string =>
    JSON.stringify({
      host: `host-${name}`,
      boot: among === 'machine' ? `boot-${name}` : 'boot-of-both',
      pids: `pid:[${name === 'a' ? 1 : 2}]`,
    });
  return {
    text: `two of one ${among === 'machine' ? 'network' : 'machine, in containers'}; the first ${first} after ${afterMs} ms`,
    wrong: async (folder, expect) => {
      const script = path.join(folder.dir, 'machine.cjs');
      writeFileSync(script, MACHINE);
      const of = (name: string) => ({ NODE_OPTIONS: `--require=${script}`, T4A_TRIAL_MACHINE: place(name) });
      const a = await folder.daemon(of('a'));
      const made = await folder.t4a(['create', '--name', 'of-a', '--', 'cat']);
      expect(made.status === 0, `create: ${made.stderr}`);
      const inode = lstatSync(folder.socket).ino;
      const refused = async (when: string): Promise<void> => {
        const says = await folder.refusal(of('b'));
        expect(says?.includes('host-a') === true, `${when}: the second is not refused with the first's name: ${says}`);
      };
      await refused('beside the first');
      expect(lstatSync(folder.socket).ino === inode, 'the socket of the first was replaced');
      await setTimeout(afterMs);
      if (first === 'ends') await a.stop();
      else if (first === 'is killed') {
        a.process.kill('SIGKILL');
        await a.exited;
        await refused('after its end by SIGKILL');
        // A container's lock is judged by its age, and a machine's is for a person to remove.
        const old = new Date(Date.now() - UNRENEWED_MS);
        if (among === 'machine') rmSync(folder.lock);
        else utimesSync(folder.lock, old, old);
      } else
        for (const file of first === 'loses its lock' ? ['s.lock'] : ['s', 's.lock'])
          rmSync(path.join(folder.dir, file));
      const says = await folder.refusal(of('b'));
      // The lock of the first may be back before the second looks, or its socket answers.
      if (says !== undefined) {
        const isFirst = (await folder.servingPid()) === a.process.pid;
        expect(
          first.startsWith('loses') && isFirst,
          `the second does not start, and the first does not serve: ${says}`,
        );
        return;
      }
      const second = lstatSync(folder.socket).ino;
      if (!first.startsWith('loses')) return;
      const has = /another daemon \(pid \d+ of (?:the machine|another container,) "host-b"\) has the socket/;
      expect(await eventually(() => has.test(a.log), LIMIT_MS), `the first does not name the second: ${a.log}`);
      expect(lstatSync(folder.socket).ino === second, 'the first has replaced the socket of the second');
    },
  };
}

const SHELLS = ['bash', 'zsh', 'dash', 'fish'] as const;

function killed(random: Random): Drawn {
  const shells = Array.from({ length: 1 + random.below(4) }, () => random.pick(SHELLS));
  const afterMs = random.below(400);
  const isBeside = random.chance(0.5);
  return {
    text: `after ${afterMs} ms, while ${shells.join(', ')} start${isBeside ? ', beside a daemon that lives' : ''}`,
    wrong: async (folder, expect) => {
      const tmp = path.join(folder.dir, 'tmp');
      mkdirSync(tmp);
      for (const rc of ['.bashrc', '.zshrc', '.shrc']) writeFileSync(path.join(folder.dir, rc), 'sleep 5\n');
      const env = { TMPDIR: tmp, ENV: path.join(folder.dir, '.shrc') };
      const seeds = (): string[] => readdirSync(tmp).filter((name) => name.startsWith('t4a-marks-'));
      const dead = await folder.daemon(env);
      const client = await connect({ socketPath: folder.socket });
      for (const shell of shells) await client.call('create', { cmd_args: [shell] });
      await setTimeout(afterMs);
      dead.process.kill('SIGKILL');
      await dead.exited;
      await client.close();
      const other = isBeside ? new Folder(folder.root) : undefined;
      try {
        await other?.daemon({ ...env, HOME: folder.dir });
        await other?.t4a(['create', '--name', 'beside', '--', 'bash']);
        const living = seeds().filter((name) => !name.includes(`-${dead.process.pid}-`));
        await folder.daemon(env);
        const left = (): string[] => seeds().filter((name) => name.includes(`-${dead.process.pid}-`));
        expect(await eventually(() => left().length === 0, LIMIT_MS), `seeds are left: ${left().join(', ')}`);
        // The shell has read its seed by now, or a sweep has taken it: marks without proofs are no longer believed.
        if (living.length > 0) {
          const run = await other?.t4a(['run', '--id', 'beside', '--timeout', '30s', '--', 'echo', 'hi']);
          expect(run?.stdout === 'hi\n', `beside it: ${run?.stdout}${run?.stderr}`);
        }
        const passing = readdirSync(folder.dir).filter((name) => /^s\.(?:start|lock\.)|^\.t4a/.test(name));
        expect(passing.length === 0, `left beside the socket: ${passing.join(', ')}`);
      } finally {
        await other?.remove();
      }
    },
  };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['list'],
  ['hosts'],
  ['config'],
  ['rules'],
  ['doctor'],
  ['crew', 'list'],
  ['crew', 'presets'],
  ['crew', 'trust'],
  ['run', '--', 'echo', 'hi'],
  ['create', '--wait', 'done', '--', 'bash'],
];
const STRANGER = 61_234;

/** As root alone, who can become another user. */
function homeless(random: Random): Drawn {
  const commands = COMMANDS.filter(() => random.chance(0.4));
  const home = random.pick(['of another user', 'that is missing', 'that is a file'] as const);
  return {
    text: `a home ${home}: ${commands.map((words) => words.join(' ')).join('; ')}`,
    wrong: async (folder, expect) => {
      const user = process.getuid?.() === 0 ? STRANGER : undefined;
      if (user === undefined && home === 'of another user') return;
      const [there, own] = [path.join(folder.dir, 'home'), path.join(folder.dir, 'own')];
      if (home === 'of another user') mkdirSync(there, { mode: 0o700 });
      if (home === 'that is a file') writeFileSync(there, '');
      mkdirSync(own);
      if (user !== undefined) chownSync(own, user, user);
      if (user !== undefined) chmodSync(folder.dir, 0o755);
      const env = { HOME: there, T4A_SOCKET: path.join(own, 's') };
      const ask = (words: readonly string[]) => folder.t4a(words, env, user);
      try {
        for (const words of commands) {
          const { status, stdout, stderr } = await ask(words);
          const isRefused = /EACCES|EPERM|ENOTDIR|cannot be read|broken/.test(
            words[0] === 'doctor' ? stderr : stdout + stderr,
          );
          expect(status === 0 && !isRefused, `${words.join(' ')}: status ${status}, ${stderr}${stdout.slice(0, 300)}`);
        }
      } finally {
        await ask(['shutdown']);
      }
    },
  };
}
