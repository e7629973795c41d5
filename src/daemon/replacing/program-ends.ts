/**
 * The ends of programs that other processes have started: the daemons before this one. One of them that has stayed tells them. One that
 * is a stub (stub.ts) waits for none, so that they are looked up here; it ends once the pipe that it reads is closed here.
 */
import { closeSync, fstatSync, statSync } from 'node:fs';
import type { PtyExit } from '../../terminal/pty/pty.js';
import { sendSignal } from '../../terminal/system/processes.js';
import { WatchedProgram } from './ended-program.js';

/** A look takes some 8 µs: of 200 programs, 1.6 % of a core. */
const LOOK_MS = 100;

/** Most looks at a time, the others by turns: 2 % of a core. */
const MOST_LOOKS = 250;

/** A daemon before this one that is a stub, or becomes it. */
export interface Stub {
  /** Descriptor of the pipe that it reads. */
  readonly fd: number;
  /** Programs that it has started, and that live. */
  readonly pids: readonly number[];
  /** Whether it is to live as long as the daemon. */
  readonly stays: boolean;
  /** Absent: a daemon of a version has frozen it that did not give it. */
  readonly pid?: number;
}

interface OwnStub extends Stub {
  readonly pids: number[];
}

interface Awaited {
  readonly program: WatchedProgram;
  readonly listener: (exit: PtyExit) => void;
}

export class ProgramEnds {
  readonly #mostLooks: number;
  readonly #awaited = new Map<number, Awaited>();
  #stubs: readonly OwnStub[] = [];
  #isTold = false;
  #onLast: (() => void)[] = [];

  /** @param mostLooks programs that are looked up at a time */
  constructor(mostLooks = MOST_LOOKS) {
    this.#mostLooks = mostLooks;
  }

  /** Calls back once the program has ended. */
  await(pid: number, listener: (exit: PtyExit) => void): void {
    this.#awaited.set(pid, { program: new WatchedProgram(pid), listener });
  }

  isAwaiting(pid: number): boolean {
    return this.#awaited.has(pid);
  }

  /** Stubs of all daemons before this one; their descriptors are this one's from here on. */
  get stubs(): readonly Stub[] {
    return this.#stubs;
  }

  /** Begins: the daemon before says the ends from here on. */
  begin(stubs: readonly Stub[]): void {
    this.#isTold = true;
    this.#stubs = stubs.map((stub) => ({ ...stub, pids: stub.pids.filter((pid) => this.#awaited.has(pid)) }));
    for (const stub of this.#stubs) this.#closeUnused(stub);
  }

  tell(pid: number, { code, signal }: PtyExit): void {
    const awaited = this.#awaited.get(pid);
    this.#awaited.delete(pid);
    awaited?.program.close();
    for (const stub of this.#stubs) {
      const at = stub.pids.indexOf(pid);
      if (at < 0) continue;
      stub.pids.splice(at, 1);
      this.#closeUnused(stub);
    }
    awaited?.listener({ code, signal });
  }

  /** The daemon before has become a stub, or has ended: it tells nothing any more. */
  askSystem(): void {
    this.#isTold = false;
    for (const resolve of this.#onLast.splice(0)) resolve();
    this.#look();
  }

  /** Resolves once no daemon before has anything to tell. */
  async untilNotTold(): Promise<void> {
    if (this.#isTold) await new Promise<void>((resolve) => this.#onLast.push(resolve));
  }

  #look(): void {
    let looks = Math.min(this.#awaited.size, this.#mostLooks);
    for (const [pid, awaited] of this.#awaited) {
      if (looks-- === 0) break;
      // It is behind the others then.
      this.#awaited.delete(pid);
      this.#awaited.set(pid, awaited);
      const exit = awaited.program.look();
      if (exit !== undefined) this.tell(pid, exit);
    }
    if (this.#awaited.size > 0) setTimeout(() => this.#look(), LOOK_MS).unref();
  }

  /** To be called at the end of the daemon, which closes all pipes. */
  wakeStubs(): void {
    for (const stub of this.#stubs) wake(stub);
  }

  #closeUnused(stub: OwnStub): void {
    if (stub.pids.length > 0 || stub.stays) return;
    wake(stub);
    closeSync(stub.fd);
    this.#stubs = this.#stubs.filter((each) => each !== stub);
  }
}

/** Stopped, it would not see that its pipe is closed. */
function wake({ fd, pid }: Stub): void {
  if (pid === undefined) return;
  try {
    const [own, its] = [fstatSync(fd), statSync(`/proc/${pid}/fd/0`)];
    // The pid may be another process's by now.
    if (own.ino === its.ino && own.dev === its.dev) sendSignal(pid, 'SIGCONT');
  } catch {
    // It has ended, or is no stub yet.
  }
}
