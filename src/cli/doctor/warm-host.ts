/** The process beside the daemon that runs command lines for the native client, as `/proc` shows it. */
import { readFileSync, readdirSync } from 'node:fs';
import { passed, type Finding } from './finding.js';

/** Nothing on a system without `/proc`. */
export function examineWarmHost(socketPath: string): Finding[] {
  if (process.platform !== 'linux') return [];
  const hosts = processes().filter((pid) => isHostOf(pid, socketPath));
  if (hosts.length === 0) return [passed('native client', 'no process runs for it: the next call by it starts one')];
  return hosts.map((pid) => passed('native client', `pid ${pid} runs for it, ${memoryOf(pid)}`));
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function isHostOf(pid: string, socketPath: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0__serve-cli\0${socketPath}\0`);
  } catch {
    // ENOENT, ESRCH: it has ended.
    return false;
  }
}

function memoryOf(pid: string): string {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kilobytes !== undefined) return `${Math.round((Number(kilobytes) * 1024) / 1e6)} MB`;
  } catch {
    // It has ended since.
  }
  return 'its memory is not known';
}
