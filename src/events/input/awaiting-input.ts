/**
 * Whether the foreground program waits for a key or a line, decided from what its threads are blocked in. Pure: who asks
 * the system is daemon/proc/.
 *
 * A read of the terminal is certain, and so is waiting for the terminal alone without a time limit. An event loop that
 * watches the terminal among others would take a key, but may be busy with something else: likely. It becomes certain
 * while a shell's marks say that its prompt is up. Programs that may not be looked into (setuid) are judged by the
 * terminal's flags alone: lines without echo are how passwords are asked for.
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

/** What one thread of the foreground group is doing. */
export interface ThreadActivity {
  readonly pid: number;
  readonly thread: number;
  readonly process: string;
  readonly blockedIn:
    | { readonly kind: 'read'; readonly terminal: boolean }
    /** `others`: further descriptors that it waits for. */
    | { readonly kind: 'poll'; readonly terminal: boolean; readonly others: number; readonly timeLimit: boolean }
    /** Asleep in a system call that may not be looked at. */
    | { readonly kind: 'hidden' }
    /** Running, or asleep in something that is no input. */
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

/** Whether looking at the flags can be spared: nobody reads whatever they are. */
export function mayAwaitInput(threads: readonly ThreadActivity[]): boolean {
  return threads.some(isWaitingForInput);
}

/** By what it is blocked in; of a thread that may not be looked into it is only possible. */
export function isWaitingForInput({ blockedIn }: ThreadActivity): boolean {
  return blockedIn.kind === 'hidden' || ('terminal' in blockedIn && blockedIn.terminal);
}

/** That it is no password is certain only of lines: a program in raw mode may ask for one. */
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

/** From what `stty -a` prints: one word for each flag, with a `-` before it when it is off. */
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
