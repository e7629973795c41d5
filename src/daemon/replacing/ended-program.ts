/**
 * How a program has ended that nothing has waited for: the system keeps it as a zombie, with its status in /proc/PID/stat (proc_pid_stat(5),
 * fields 3, 20 and 52). The file stays open, so that a pid that is given out again is never taken for it.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { errnoOf } from '../../base/errno.js';
import type { PtyExit } from '../../terminal/pty/pty.js';
import { sendSignal } from '../../terminal/system/processes.js';

export const UNKNOWN_END: PtyExit = { code: null, signal: null };

/** Places of the fields behind the name. */
const STATE = 0;
const THREADS = 17;
const STATUS = 49;

/** Capability 19 (capabilities(7)): it shows the status of each user's program. */
const SYS_PTRACE = 1n << 19n;

const ROOM = Buffer.allocUnsafeSlow(2048);
const PARENTHESIS = 0x29;
const ZOMBIE = 0x5a;

export class WatchedProgram {
  readonly #pid: number;
  #file: number | undefined;

  /** To be made while the program has a parent that has not waited for it. */
  constructor(pid: number) {
    this.#pid = pid;
    try {
      this.#file = openSync(`/proc/${pid}/stat`, 'r');
    } catch {
      // Gone, hidden, no /proc, or no descriptor: the pid alone has to do.
    }
  }

  /** @returns undefined while it lives; nulls if its status is not known */
  look(): PtyExit | undefined {
    if (this.#file === undefined) return sendSignal(this.#pid, 0) === 'gone' ? UNKNOWN_END : undefined;
    let length: number;
    try {
      length = readSync(this.#file, ROOM, 0, ROOM.length, 0);
    } catch (error) {
      if (errnoOf(error) === 'ESRCH') return UNKNOWN_END;
      throw error;
    }
    // The name may hold parentheses: the last one closes it.
    const close = ROOM.subarray(0, length).lastIndexOf(PARENTHESIS);
    if (ROOM[close + 2] !== ZOMBIE) return undefined;
    const fields = ROOM.toString('latin1', close + 2, length).split(' ');
    // Its first thread alone may have ended.
    return fields[STATE] === 'Z' && Number(fields[THREADS]) <= 1 ? this.#exit(Number(fields[STATUS])) : undefined;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** @param status as wait(2) has it; 0 also where it is not shown */
  #exit(status: number): PtyExit {
    if (status === 0 && !showsStatus(this.#pid)) return UNKNOWN_END;
    const signal = status & 0x7f;
    return signal === 0 ? { code: (status >> 8) & 0xff, signal: null } : { code: null, signal };
  }
}

/** ptrace(2), "Ptrace access mode checking": all ids are the daemon's, or it has the capability. */
function showsStatus(pid: number): boolean {
  try {
    const own = readFileSync('/proc/self/status', 'latin1');
    const [, capabilities = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(own) ?? [];
    if ((BigInt(`0x${capabilities}`) & SYS_PTRACE) !== 0n) return true;
    const other = readFileSync(`/proc/${pid}/status`, 'latin1');
    return ['Uid', 'Gid'].every((kind) => {
      const ids = new RegExp(`^${kind}:\\s*(\\d+)\\s+(\\d+)\\s+(\\d+)`, 'm');
      const [, effective] = [...(ids.exec(own) ?? [])].slice(1);
      return ids
        .exec(other)
        ?.slice(1)
        .every((id) => id === effective);
    });
  } catch {
    return false;
  }
}
