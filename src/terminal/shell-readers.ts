/**
 * Which shell reads the terminal, as far as the system shows that. Marks of one within a command have no proofs, so that who
 * reads decides whether a prompt may be one.
 */
import {
  type AwaitingInput,
  isCertainReader,
  isWaitingForInput,
  type ThreadActivity,
} from '../events/awaiting-input.js';
import type { Reader } from './shell/shell-facts.js';
import { foregroundThreads } from './system/proc/blocked-threads.js';
import { readStat } from './system/processes.js';
import { haveSlept, sleepingReaders } from './system/proc/sleeping-readers.js';
import { hasPiped, isIntegratedShell, isInteractiveShell } from './system/proc/shell-process.js';

/**
 * What may show the prompt of a shell: it passes keys on to one that cannot be seen from here, or is one that is not started like
 * the others. Other programs that read keys are at no prompt, whatever was printed before.
 */
const MAY_BE_SHELLS: readonly string[] = [
  'ssh',
  'mosh-client',
  'telnet',
  'tmux: client',
  'screen',
  'docker',
  'podman',
  'kubectl',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
  'tcsh',
];

/** Shells with a line editor of their own: they read lines in another mode only for `read`. */
const EDITING_SHELLS: readonly string[] = ['bash', 'zsh', 'fish'];

export interface FrozenReaders {
  readonly seen: number | undefined;
  readonly program: number | undefined;
  readonly editor: string | undefined;
}

export class ShellReaders {
  readonly #leader: number;
  readonly #scripts: string;
  /** Within a command; it was seen last to read. */
  #seen: number | undefined;

  readonly #device: string;
  /** The process group in front when a program was seen to read last. */
  #program: number | undefined;
  /** The shell that was seen last to read in raw mode. */
  #editor: string | undefined;
  /** The last reader. */
  #found: Pick<AwaitingInput, 'pid' | 'kind'> | undefined;

  /** @param shell the terminal's @param scripts folder of the scripts that are injected into shells */
  constructor({ pid, device }: { readonly pid: number; readonly device: string }, scripts: string) {
    this.#leader = pid;
    this.#device = device;
    this.#scripts = scripts;
  }

  freeze(): FrozenReaders {
    return { seen: this.#seen, program: this.#program, editor: this.#editor };
  }

  restore({ seen, program, editor }: FrozenReaders): void {
    this.#seen = seen;
    this.#program = program;
    this.#editor = editor;
  }

  readerOf({ pid, kind, process, secrecy }: AwaitingInput): Reader {
    const isEditing = EDITING_SHELLS.includes(process) || this.#editor === nameOf({ pid, process });
    const isElsewhere = secrecy === 'hidden' || (kind === 'line' && isEditing);
    const isShell = !isElsewhere && isInteractiveShell(pid);
    return { isShell, isIntegrated: isShell && isIntegratedShell(pid, this.#scripts) };
  }

  /** @param aid the number of its process, which the scripts give; undefined: of the terminal's shell */
  hasTerminal(aid: string | undefined): boolean | undefined {
    const pid = aid === undefined ? this.#leader : Number(aid);
    // It may have replaced itself by another one.
    const stat = readStat(pid);
    if (stat?.session !== this.#leader) return undefined;
    return stat.group === stat.foregroundGroup && isIntegratedShell(pid, this.#scripts);
  }

  /** A shell within a command still has the terminal, which was seen to read there. */
  get isInnerKnown(): boolean {
    return this.#seen !== undefined && readStat(this.#leader)?.foregroundGroup === this.#seen;
  }

  /** @returns whether the reader may be at the prompt of a shell within a command */
  seeInner({ pid, kind, process }: AwaitingInput): boolean {
    this.#seen = this.#isOther(pid) ? pid : undefined;
    return this.#seen !== undefined || (kind === 'raw' && MAY_BE_SHELLS.includes(process));
  }

  /** Whether the process in front may be at such a prompt; true where the system does not say who is. */
  mayInnerRead(): boolean {
    const group = readStat(this.#leader)?.foregroundGroup;
    if (group === undefined || this.#isOther(group)) return true;
    const process = readStat(group)?.name;
    return process === undefined || MAY_BE_SHELLS.includes(process);
  }

  onReader({ pid, kind, process }: AwaitingInput): void {
    if (kind === 'raw' && isInteractiveShell(pid)) this.#editor = nameOf({ pid, process });
    this.#found = { pid, kind };
    const front = this.#inFront;
    if (pid !== this.#leader && front !== this.#leader) this.#program = front;
  }

  /** A program in front reads the terminal now, or was seen to since it is there. */
  isProgramReading(): boolean {
    const front = this.#inFront;
    if (front === undefined || front === this.#leader) return false;
    return front === this.#program || foregroundThreads(this.#leader, this.#device).some(isWaitingForInput);
  }

  /**
   * To be called before input that ends no line is written. The kernel wakes no reader of lines for it: a reader that has been
   * woken takes keys, and has got it.
   * @returns how many of the readers have slept on since
   */
  sleepOn(): () => 'all' | 'some' | 'none_of_one' {
    const found = this.#found;
    // A signal wakes readers of lines, too, and an event loop wakes by itself.
    const mayTakeKeys = (thread: ThreadActivity): boolean =>
      thread.pid === found?.pid ? found.kind === 'raw' : isCertainReader(thread);
    const readers = sleepingReaders({ pid: this.#leader, device: this.#device }, mayTakeKeys);
    return () => (haveSlept(readers) ? 'all' : readers.length === 1 ? 'none_of_one' : 'some');
  }

  /** What the program in front was seen to read; undefined if it was not seen to since the shell has read. */
  get lastKind(): AwaitingInput['kind'] | undefined {
    return this.#found?.pid === this.#leader ? undefined : this.#found?.kind;
  }

  /** Of bash, which draws its command line on its standard error. */
  get editsThroughPipe(): boolean {
    return hasPiped(this.#leader, 2);
  }

  get #inFront(): number | undefined {
    return readStat(this.#leader)?.foregroundGroup;
  }

  /** The terminal is another process group's than that of its shell. */
  get isOtherInFront(): boolean {
    const stat = readStat(this.#leader);
    return stat !== undefined && stat.group !== stat.foregroundGroup;
  }

  #isOther(pid: number): boolean {
    return isInteractiveShell(pid) && !isIntegratedShell(pid, this.#scripts);
  }
}

/** A process may replace itself by another shell. */
function nameOf({ pid, process }: Pick<AwaitingInput, 'pid' | 'process'>): string {
  return `${pid} ${process}`;
}
