/**
 * A machine with an empty /tmp and /run of its own, for tests of what lies there by default: a mount namespace, which
 * only root can make. It ends with the test, and with it all that runs there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { cacheHome } from './daemon.js';
import { tempDir } from './temp-dir.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the project and Node are seen in there: their own paths may be hidden, or not for everybody. */
export const PROJECT = '/run/project';
export const NODE = '/run/node';

/** Of compiled code, a folder for each user: machines that come later need not compile it again. */
const CACHES = '/run/caches';

/** Root's may have folders that no other user may read. */
const PATH = '/usr/local/bin:/usr/bin:/bin';

const SCRIPT = `
set -e
mount -t tmpfs -o mode=755 tmpfs /run
mkdir ${PROJECT}
mount --bind "$0" ${PROJECT}
touch ${NODE}
mount --bind "$1" ${NODE}
mkdir ${CACHES}
mount --bind "$2" ${CACHES}
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t proc proc /proc
echo ready
exec cat`;

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PrivateMachine {
  /** Runs a program as that user, who need not exist. */
  readonly run: (uid: number, program: string, args: readonly string[]) => Promise<Ended>;
  readonly t4a: (uid: number, ...args: string[]) => Promise<Ended>;
}

export async function privateMachine(): Promise<PrivateMachine> {
  const caches = path.join(cacheHome === '' ? tempDir().path : cacheHome, 'users');
  mkdirSync(caches, { recursive: true });
  chmodSync(caches, 0o1777);
  // The first process of a namespace of processes takes all others with it.
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const first = spawn('unshare', [...namespaces, 'sh', '-c', SCRIPT, ROOT, process.execPath, caches], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    first.stdin.end();
    if (first.exitCode === null) await once(first, 'exit');
  });
  await once(first.stdout, 'data');
  const inside = ['--target', childOf(first.pid ?? -1), '--mount', '--pid'];

  const run: PrivateMachine['run'] = async (uid, program, args) => {
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const environment = [`PATH=${PATH}`, `HOME=/tmp/home-${uid}`, `PYTHONPATH=${PROJECT}/clients/python`];
    environment.push(`XDG_CACHE_HOME=${CACHES}/${uid}`);
    const command = ['env', '-i', '-C', '/', ...environment, program, ...args];
    const child = spawn('nsenter', [...inside, '--', ...as, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { status, stdout, stderr };
  };
  return { run, t4a: (uid, ...args) => run(uid, NODE, [`${PROJECT}/dist/cli.cjs`, ...args]) };
}

function childOf(parent: number): string {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
}
