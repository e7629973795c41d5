/**
 * One speaker for each shell. fish 4 marks its prompts and commands itself, and people have hooks of their own, besides
 * the injected marks: the same thing would be told twice, the second time late or wrong. The injected marks carry an
 * `aid`; where the shell that has the prompt speaks with one, marks of OSC 133 without it count for nothing.
 *
 * A shell without an `aid` is heard where none with one has the prompt: from its first prompt within a command of
 * another, and until that one speaks again. 633 and 7777 are not touched: they have no `aid`, and add what 133 lacks.
 */
import { OSC_133, type SourcedMark, tellsAid } from './osc-marks.js';

/** Shells within shells that are told apart; the outermost is forgotten first. */
const MAX_NESTING = 16;

/** Shells that mark everything without being told to. */
const SELF_MARKING: readonly string[] = ['fish'];

type ShellMark = SourcedMark['mark']['mark'];

const PHASES: Partial<Record<ShellMark, Speaker['phase']>> = {
  prompt_start: 'prompt',
  input_start: 'prompt',
  command_start: 'running',
  command_done: 'ended',
};

interface Speaker {
  /** Undefined: the scripts have announced a shell that marks itself, too, and its `aid` is not known yet. */
  source: string | undefined;
  /** While its command runs, whoever draws a prompt is a shell in it. */
  phase: 'prompt' | 'running' | 'ended';
  tellsStarts: boolean;
  /** It also speaks without its `aid`. */
  isDouble: boolean;
}

/**
 * Whether the shell with that `aid` has the terminal itself, and not a program in it; undefined where nobody knows.
 * Without an `aid`: the first shell, if it will announce itself.
 */
export type HasTerminal = (aid: string | undefined) => boolean | undefined;

export class MarkSpeakers {
  readonly #hasTerminal: HasTerminal;
  /** Outermost first. */
  #speakers: Speaker[] = [];
  #isAnnounced = false;

  constructor(hasTerminal: HasTerminal) {
    this.#hasTerminal = hasTerminal;
  }

  /** Takes note of the mark. @returns whether it counts */
  hears({ source, mark }: SourcedMark): boolean {
    if (mark.mark === 'shell') {
      this.#announce(mark.name, mark.off);
      return true;
    }
    if (source !== OSC_133 && !tellsAid(source)) return true;
    const speaker = source === OSC_133 ? this.#withoutAid(mark.mark) : this.#withAid(source, mark.mark);
    if (speaker === undefined) return false;
    const { phase } = speaker;
    if (mark.mark === 'command_start') speaker.tellsStarts = true;
    speaker.phase = PHASES[mark.mark] ?? phase;
    if (mark.mark !== 'command_done' || phase === 'running') return true;
    // Nothing ran in that shell: the shell around it tells the end of its command, and will once more with its `aid`.
    return !(source === OSC_133 && speaker.tellsStarts && this.#speakers.length > 1);
  }

  /** Its start-up files ask something. */
  #isStarting(): boolean {
    return !this.#isAnnounced && this.#hasTerminal(undefined) === true;
  }

  #announce(name: string, off: string | undefined): void {
    this.#isAnnounced = true;
    if (off !== undefined) this.#speakers = [];
    else if (SELF_MARKING.includes(name)) this.#push(undefined).isDouble = true;
  }

  #withoutAid(mark: ShellMark): Speaker | undefined {
    const top = this.#speakers.at(-1);
    if (top === undefined) return this.#isStarting() ? undefined : this.#push(OSC_133);
    if (top.source === OSC_133) return top;
    if (top.phase === 'running') {
      if (mark === 'prompt_start' || mark === 'input_start')
        return this.#isBuiltin(top) ? undefined : this.#push(OSC_133);
      if (mark !== 'command_done') return undefined;
      // Hooks of a shell in it may tell ends and nothing else: nobody to be remembered.
      if (!top.isDouble) return newSpeaker(OSC_133);
      // Its own end, and the prompt that it tells next is its own as well.
      top.phase = 'ended';
      return undefined;
    }
    const isWithin = this.#speakers.at(-2)?.source === OSC_133;
    // After an end, its own prompt is the next that it would tell, and that one by its name first.
    if (isWithin && (!top.isDouble || top.phase === 'ended')) return this.#backTo(this.#speakers.length - 2);
    top.isDouble = true;
    return undefined;
  }

  /** `read` of fish 4 marks what it asks as a prompt. */
  #isBuiltin({ source, isDouble }: Speaker): boolean {
    return isDouble && source !== undefined && this.#hasTerminal(source.slice(OSC_133.length + 1)) === true;
  }

  #withAid(source: string, mark: ShellMark): Speaker {
    const level = this.#levelOf(source);
    if (level !== -1) return this.#backTo(level);
    const top = this.#speakers.at(-1);
    const isInner = top?.phase === 'running' && (mark === 'prompt_start' || mark === 'input_start');
    const isKnown = top !== undefined && (top.source === undefined || (top.source === OSC_133 && !isInner));
    if (!isKnown) return this.#push(source);
    // It has spoken without it before.
    top.source = source;
    top.isDouble = true;
    return top;
  }

  #levelOf(source: string): number {
    return this.#speakers.findLastIndex((speaker) => speaker.source === source);
  }

  /** What was started in it has ended. */
  #backTo(level: number): Speaker {
    const [speaker = newSpeaker(undefined)] = this.#speakers.splice(level);
    this.#speakers.push(speaker);
    return speaker;
  }

  #push(source: string | undefined): Speaker {
    const speaker = newSpeaker(source);
    this.#speakers = [...this.#speakers, speaker].slice(-MAX_NESTING);
    return speaker;
  }
}

function newSpeaker(source: string | undefined): Speaker {
  return { source, phase: 'prompt', tellsStarts: false, isDouble: false };
}
