/**
 * Daemons that run and cannot be reached: their socket and lock were removed, and another daemon has the place. Their programs go on
 * unseen. Found in /proc; on a system without it their own log is all there is.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { warning, type Finding } from './finding.js';

const DAEMON_FILE = 'daemon.cjs';

/** @param servingPid of the daemon that answers there; undefined if none does */
export function examineHiddenDaemons(socketPath: string, servingPid: number | undefined): Finding[] {
  return processes()
    .filter((pid) => pid !== servingPid && isDaemonOf(pid, socketPath))
    .map((pid) =>
      warning(
        'hidden daemon',
        `pid ${pid} runs for ${socketPath} and cannot be reached, since its socket was removed`,
        servingPid === undefined
          ? `It is back in a second; otherwise "kill ${pid}" ends it and its terminals.`
          : `It is back once pid ${servingPid} has ended (t4a shutdown); "kill ${pid}" ends it and its terminals.`,
      ),
    );
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  } catch {
    return [];
  }
}

/** Whether a process is a daemon of a socket, by its command line and its initial environment. */
function isDaemonOf(pid: number, socketPath: string): boolean {
  try {
    const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    // Behind options of Node, if there are any.
    const entry = words.findIndex((word) => basename(word) === DAEMON_FILE);
    if (entry === -1) return false;
    const args = words.slice(entry + 1);
    const named = args[args.indexOf('--socket') + 1];
    if (args.includes('--socket')) return named === socketPath;
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`T4A_SOCKET=${socketPath}`);
  } catch {
    // EACCES: another user's. ENOENT, ESRCH: it has ended.
    return false;
  }
}
