/**
 * Decides from the system calls of its threads whether the foreground program waits for a key or a line. Pure:
 * daemon/system/proc/ queries the system.
 *
 * A read of the terminal is certain, and so is waiting for the terminal alone without a time limit. An event loop that
 * watches the terminal among others would take a key, but may be busy with something else: likely. So is a reader beside
 * work: of another thread or process of the group that runs, or waits for a time. It becomes certain while a shell's marks
 * report a prompt. Programs that may not be inspected (setuid) are judged by the terminal's flags alone: lines without echo
 * are the way to ask for passwords.
 */

import { type InputSecrecy, type TerminalFlags, inputSecrecy } from './secrecy.js';

export type InputKind = 'password' | 'line' | 'raw';

export interface AwaitingInput {
  readonly kind: InputKind;
  readonly pid: number;
  /** Name of the process. */
  readonly process: string;
  readonly certain: boolean;
  readonly secrecy: InputSecrecy;
}

/** Activity of one thread of the foreground group. */
export interface ThreadActivity {
  readonly pid: number;
  readonly thread: number;
  readonly process: string;
  readonly blockedIn:
    | { readonly kind: 'read'; readonly terminal: boolean }
    /** `others`: further descriptors that it waits for. */
    | { readonly kind: 'poll'; readonly terminal: boolean; readonly others: number; readonly timeLimit: boolean }
    /** Asleep in a system call that may not be read. */
    | { readonly kind: 'hidden' }
    /** Running, or asleep in a call other than for input. `work`: it runs, waits for a time alone, or for a time or a thread. */
    | { readonly kind: 'other'; readonly work?: 'runs' | 'sleeps' | 'pauses' };
}

/** Facts of a reader beyond the threads of its group. */
export interface ReaderSurroundings {
  /** A shell's marks report a prompt. */
  readonly atShellPrompt: boolean;
  /** The group or what it has started has used the processor since an earlier look. */
  readonly isComputing?: boolean;
  /** Whether a thread passes keys on to a program elsewhere. */
  readonly passesOn?: (thread: ThreadActivity) => boolean;
}

export function decideAwaitingInput(
  threads: readonly ThreadActivity[],
  flags: TerminalFlags,
  { atShellPrompt, isComputing = false, passesOn = () => false }: ReaderSurroundings,
): AwaitingInput | undefined {
  const secrecy = inputSecrecy(flags, atShellPrompt);
  const kind = inputKind(flags, secrecy);
  let likely: AwaitingInput | undefined;
  for (const thread of threads) {
    const { pid, process, blockedIn } = thread;
    const verdict = judge(blockedIn, kind);
    if (verdict === 'certain') {
      const isBesideWork = isComputing || threads.some((other) => mayWorkBeside(other, thread));
      return { kind, pid, process, certain: atShellPrompt || !(isBesideWork || passesOn(thread)), secrecy };
    }
    if (verdict === 'likely') likely ??= { kind, pid, process, certain: atShellPrompt, secrecy };
  }
  return likely;
}

/** Whether the flags matter: without a possible reader they need not be read. */
export function mayAwaitInput(threads: readonly ThreadActivity[]): boolean {
  return threads.some(isWaitingForInput);
}

/** Judged by its system call; for a thread that may not be inspected it is only possible. */
export function isWaitingForInput({ blockedIn }: ThreadActivity): boolean {
  return blockedIn.kind === 'hidden' || ('terminal' in blockedIn && blockedIn.terminal);
}

/** Certain but for what goes on beside it. */
export function isCertainReader({ blockedIn }: ThreadActivity): boolean {
  return judge(blockedIn, 'line') === 'certain';
}

/** Only a line is certainly no password: a program in raw mode may ask for one. */
function inputKind({ canonical }: TerminalFlags, secrecy: InputSecrecy): InputKind {
  if (!canonical) return 'raw';
  return secrecy === 'hidden' ? 'password' : 'line';
}

function judge(blockedIn: ThreadActivity['blockedIn'], kind: InputKind): 'certain' | 'likely' | 'no' {
  switch (blockedIn.kind) {
    case 'read':
      return blockedIn.terminal ? 'certain' : 'no';
    case 'poll':
      if (!blockedIn.terminal) return 'no';
      return blockedIn.others === 0 && !blockedIn.timeLimit ? 'certain' : 'likely';
    case 'hidden':
      return kind === 'password' ? 'likely' : 'no';
    default:
      return 'no';
  }
}

/**
 * Whether it may bring the reader's program to an end without input. Idle threads of runtimes wait for others with a time limit, so
 * that counts in a main thread alone. A reader in a side thread does not hold up a thread that waits for another program.
 */
function mayWorkBeside({ pid, thread, blockedIn }: ThreadActivity, reader: ThreadActivity): boolean {
  if (pid === reader.pid && thread === reader.thread) return false;
  const isSide = pid === reader.pid && reader.thread !== reader.pid;
  switch (blockedIn.kind) {
    case 'other':
      return blockedIn.work === 'pauses' ? thread === pid : blockedIn.work !== undefined;
    case 'poll':
      if (blockedIn.terminal) return false;
      return blockedIn.others === 0 ? blockedIn.timeLimit : isSide;
    case 'read':
      return isSide && !blockedIn.terminal;
    default:
      return false;
  }
}

/** Flags in the output of `stty -a`: one word for each, with a `-` before it if it is off. */
export function parseSttyFlags(output: string): TerminalFlags | undefined {
  const words = new Set(output.split(/[\s;]+/));
  const canonical = flag(words, 'icanon');
  const echo = flag(words, 'echo');
  return canonical === undefined || echo === undefined ? undefined : { canonical, echo };
}

function flag(words: ReadonlySet<string>, name: string): boolean | undefined {
  if (words.has(name)) return true;
  return words.has(`-${name}`) ? false : undefined;
}
