/**
 * Which marks count once a shell of the injected scripts runs a command: those with a proof (terminal/shell/mark-proofs.ts).
 * What is printed without one ends nothing, starts nothing and is no announcement. A prompt without a proof may be that of
 * a shell within the command: it is held until a shell is seen to read there, or what may pass keys on to one elsewhere
 * (ssh, docker). Marks without a proof then make a level within the command (`shellLevel` of terminal/shell/shell-state.ts).
 */
import { OSC_133, T4A, type SourcedMark, parseShellMark } from './shell/osc-marks.js';
import { type FrozenProofs, MarkProofs } from './shell/mark-proofs.js';
import { type ShellState, reasonForOff, shellName } from './shell/shell-state.js';
import type { OscMessage } from '../vt/screen-effects.js';
import type { TerminalSetup } from './setup.js';

/**
 * `counts`: as in a shell without proofs; `unproven`: between the commands of a shell with proofs, or in one whose start the
 * shell does not mark. `at_shell`: counts only while the shell itself has the terminal. `event`: is published, and nothing else.
 */
export type Verdict = 'proven' | 'counts' | 'unproven' | 'at_shell' | 'dropped' | 'held' | 'event';

export interface HeldMark {
  readonly message: OscMessage;
  readonly cwd: string | undefined;
}

/** The shell marks nothing, or nothing any more. */
export interface MarksOff {
  readonly name: string;
  readonly reason: string;
}

/** A prompt has two marks; a few of several hooks. */
const MOST_HELD = 8;

export interface FrozenGuard {
  readonly proofs: FrozenProofs | undefined;
  readonly own: string | undefined;
  readonly held: readonly HeldMark[];
  readonly isUnread: boolean;
  /** Absent before a shell has announced itself with a proof. */
  readonly announced?: string | undefined;
}

export class MarkGuard {
  readonly #proofs: MarkProofs | undefined;
  readonly #file: TerminalSetup['markSeed'];
  /** Of the shell whose marks are proven. */
  #own: string | undefined;
  #held: HeldMark[] = [];
  #isUnread = false;
  /** The proof of the announcement, which each prompt for more of bash has: it can compute nothing at that prompt. */
  #announced: string | undefined;

  constructor(file: TerminalSetup['markSeed']) {
    this.#file = file;
    this.#proofs = file?.seed === undefined ? undefined : new MarkProofs(file.seed, file);
  }

  freeze(): FrozenGuard {
    return {
      proofs: this.#proofs?.freeze(),
      own: this.#own,
      held: this.#held,
      isUnread: this.#isUnread,
      announced: this.#announced,
    };
  }

  restore({ proofs, own, held, isUnread, announced }: FrozenGuard): void {
    if (proofs !== undefined) this.#proofs?.restore(proofs);
    this.#own = own;
    this.#held = [...held];
    this.#isUnread = isUnread;
    this.#announced = announced;
  }

  /** The shell asks for the rest of its line, of which a command has run: this one has printed all that it prints. */
  asksAfterCommand({ code, data }: OscMessage, state: ShellState): boolean {
    if (code !== 133 || this.#own === undefined || !isRunning(state, this.#own)) return false;
    const [kind, ...fields] = data.split(';');
    if (kind !== 'P' || !fields.includes(`aid=${this.#own.slice(`${OSC_133};`.length)}`)) return false;
    return this.#announced !== undefined && fields.includes(this.#announced);
  }

  /** The shell has read the rest, and runs it. A mark that a program prints takes nothing away. */
  runsRest({ code, data }: OscMessage, state: ShellState): boolean {
    return code === 133 && data.startsWith('C') && isOpen(state, this.#own);
  }

  /** @param isEntered a line was entered at the prompt: its proof is over */
  judge(message: OscMessage, cwd: string | undefined, state: ShellState, isEntered = false): Verdict {
    const proofs = this.#proofs;
    const parsed = parseShellMark(message);
    if (proofs === undefined) return 'counts';
    if (proofs.accepts(message.data, isEntered || isOpen(state, this.#own))) {
      this.#file?.remove();
      if (parsed !== undefined && parsed.source !== T4A) this.#own = parsed.source;
      if (parsed?.mark.mark === 'shell') this.#announced = proofField(message.data);
      this.#held = [];
      this.#isUnread = false;
      return 'proven';
    }
    if (!proofs.hasBegun && parsed?.mark.mark === 'shell') this.#isUnread = true;
    if (!proofs.hasBegun || reasonForOff(state) !== undefined) return 'counts';
    // A prompt for more, which has a proof, or another mark of a prompt.
    if (parsed === undefined) return isRunning(state, this.#own) || !hasPlainMore(state) ? 'dropped' : 'at_shell';
    if (parsed.source === this.#own || parsed.mark.mark === 'shell') return 'dropped';
    if (isRunning(state, this.#own)) return this.#withinCommand(parsed, message, cwd);
    // At its prompt: of hooks of the user's, which tell the same, of a background job, or of a command whose start is not marked.
    return this.#own !== undefined && !isOpen(state, this.#own) ? 'unproven' : 'counts';
  }

  /** A start that the shell has not marked itself (terminal/shell/typed-commands.ts) is its own. */
  proves(source: string | undefined): boolean {
    return source !== undefined && source === this.#own;
  }

  /** Why marks of the scripts have no proofs, if so. */
  get warning(): string | undefined {
    const { failure } = this.#file ?? {};
    const why = failure ?? (this.#isUnread ? 'the shell could not read their seed' : undefined);
    if (why === undefined) return undefined;
    return `The marks of its shell have no proofs (${why}): what a program prints may be taken for the start or the end of a command.`;
  }

  get holdsPrompt(): boolean {
    return this.#held.length > 0;
  }

  /** Somebody reads at the prompt that was held. */
  release(): readonly HeldMark[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  dispose(): void {
    this.#file?.remove();
  }

  #withinCommand({ source, mark: { mark } }: SourcedMark, message: OscMessage, cwd: string | undefined): Verdict {
    if (source === T4A) return 'event';
    if (mark !== 'prompt_start' && mark !== 'input_start') return 'dropped';
    if (mark === 'prompt_start') this.#held = this.#held.filter((each) => each.message.code !== message.code);
    if (this.#held.length < MOST_HELD) this.#held.push({ message: { ...message }, cwd });
    return 'held';
  }
}

function proofField(data: string): string | undefined {
  return data.split(';').find((field) => field.startsWith('proof='));
}

/** ksh and mksh expand nothing in their prompt for more, which has no proofs then. */
function hasPlainMore(state: ShellState): boolean {
  return shellName(state)?.includes('ksh') === true;
}

/** A command of that shell has not ended, whatever is within it: the proof of its prompt is over. */
function isOpen({ memory }: ShellState, own: string | undefined): boolean {
  return own !== undefined && memory.commands[0]?.provenBy === own;
}

/** The command of that shell has the terminal, and no shell within it is known. */
function isRunning(state: ShellState, own: string | undefined): boolean {
  return isOpen(state, own) && state.phase === 'running' && state.memory.commands.length === 1;
}

/** `7777;done;CODE` that a program prints within a command: told, and the end of nothing. */
export function doneAlone(message: Pick<OscMessage, 'code' | 'data'>) {
  const mark = parseShellMark(message)?.mark;
  if (mark?.mark !== 'command_done') return [];
  return [{ mark: { ...mark, command: undefined, n: undefined }, record: undefined }];
}
