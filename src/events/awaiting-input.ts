/**
 * Decides from the system calls of its threads whether the foreground program waits for a key or a line. Pure:
 * daemon/system/proc/ queries the system.
 *
 * A read of the terminal is certain, and so is waiting for the terminal alone without a time limit. An event loop that
 * watches the terminal among others would take a key, but may be busy with something else: likely. It becomes certain
 * while a shell's marks report a prompt. Programs that may not be inspected (setuid) are judged by the terminal's flags
 * alone: lines without echo are the way to ask for passwords.
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
    /** Running, or asleep in a call other than for input. */
    | { readonly kind: 'other' };
}

export function decideAwaitingInput(
  threads: readonly ThreadActivity[],
  flags: TerminalFlags,
  atShellPrompt: boolean,
): AwaitingInput | undefined {
  const secrecy = inputSecrecy(flags, atShellPrompt);
  const kind = inputKind(flags, secrecy);
  let likely: AwaitingInput | undefined;
  for (const { pid, process, blockedIn } of threads) {
    const verdict = judge(blockedIn, kind);
    if (verdict === 'certain') return { kind, pid, process, certain: true, secrecy };
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

/** From the output of `stty -a`: one word for each flag, with a `-` before it if it is off. */
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
