/**
 * One speaker for each shell. fish 4 marks its prompts and commands itself, and people have hooks of their own, besides
 * the injected marks: the same thing would be reported twice, the second time late or wrong. The injected marks carry an
 * `aid`; if the shell that has the prompt speaks with one, marks of OSC 133 without it count for nothing.
 *
 * A shell without an `aid` is heard if none with one has the prompt: from its first prompt within a command of
 * another, and until that one speaks again. 633 and 7777 are not touched: they have no `aid`, and add what 133 lacks.
 *
 * Pure: the stack of speakers, outermost first, is a part of the shell's state (shell-state.ts).
 */
import { OSC_133, type ShellMark, type SourcedMark, hasAid } from './osc-marks.js';

export interface Speaker {
  /** Undefined: the scripts have announced a shell that marks itself, too, and its `aid` is not known yet. */
  readonly source: string | undefined;
  /** While its command runs, a prompt is that of a shell in it. */
  readonly phase: 'prompt' | 'running' | 'ended';
  readonly marksStarts: boolean;
  /** It also speaks without its `aid`. */
  readonly isDouble: boolean;
}

export interface Hearing {
  readonly speakers: readonly Speaker[];
  /** The mark counts. */
  readonly isHeard: boolean;
}

export interface HearingContext {
  /** The injected scripts have announced a shell. */
  readonly isAnnounced: boolean;
  /**
   * Whether the shell of `terminalQuestion` has the terminal itself, and not a program in it; undefined if unknown.
   * For the first shell: only if it will announce itself.
   */
  readonly hasTerminal: boolean | undefined;
}

/** Shells within shells that are kept apart; the outermost is forgotten first. */
const MAX_NESTING = 16;

/** Shells that mark everything without any script. */
const SELF_MARKING: readonly string[] = ['fish'];

type MarkName = ShellMark['mark'];

const PHASES: Partial<Record<MarkName, Speaker['phase']>> = {
  prompt_start: 'prompt',
  input_start: 'prompt',
  command_start: 'running',
  command_done: 'ended',
};

/** The shell whose hold on the terminal decides whether the mark counts: of an undefined `aid`, the first shell. */
export function terminalQuestion(
  speakers: readonly Speaker[],
  { source, mark: { mark } }: SourcedMark,
  isAnnounced: boolean,
): { readonly aid: string | undefined } | undefined {
  if (source !== OSC_133) return undefined;
  const top = speakers.at(-1);
  if (top === undefined) return isAnnounced ? undefined : { aid: undefined };
  if (top.source === undefined || top.source === OSC_133 || top.phase !== 'running' || !top.isDouble) return undefined;
  return isOfPrompt(mark) ? { aid: top.source.slice(OSC_133.length + 1) } : undefined;
}

export function hear(speakers: readonly Speaker[], { source, mark }: SourcedMark, context: HearingContext): Hearing {
  if (mark.mark === 'shell') return { speakers: announce(speakers, mark.name, mark.off), isHeard: true };
  if (source === OSC_133) return hearUnnamed(speakers, mark.mark, context);
  return hasAid(source) ? speak(hearNamed(speakers, source, mark.mark), mark.mark) : { speakers, isHeard: true };
}

function announce(speakers: readonly Speaker[], name: string, off: string | undefined): readonly Speaker[] {
  if (off !== undefined) return [];
  return SELF_MARKING.includes(name) ? push(speakers, { ...newSpeaker(undefined), isDouble: true }) : speakers;
}

function hearUnnamed(
  speakers: readonly Speaker[],
  mark: MarkName,
  { isAnnounced, hasTerminal }: HearingContext,
): Hearing {
  const unheard = { speakers, isHeard: false };
  const top = speakers.at(-1);
  // The user's start-up files are being read: something in them asks.
  const isStarting = !isAnnounced && hasTerminal === true;
  if (top === undefined) return isStarting ? unheard : speakUnnamed(push(speakers, newSpeaker(OSC_133)), mark);
  if (top.source === OSC_133) return speakUnnamed(speakers, mark);
  if (top.phase === 'running') {
    if (isOfPrompt(mark)) {
      // `read` of fish 4 marks what it asks as a prompt.
      const isBuiltin = top.isDouble && top.source !== undefined && hasTerminal === true;
      return isBuiltin ? unheard : speakUnnamed(push(speakers, newSpeaker(OSC_133)), mark);
    }
    if (mark !== 'command_done') return unheard;
    // Hooks of a shell in it may mark ends and nothing else: no speaker to remember.
    if (!top.isDouble) return { speakers, isHeard: true };
    // Its own end, and the next prompt is its own as well.
    return { speakers: replaceTop(speakers, { ...top, phase: 'ended' }), isHeard: false };
  }
  const isWithin = speakers.at(-2)?.source === OSC_133;
  // After an end its own prompt would follow, and be marked with its name first.
  if (isWithin && (!top.isDouble || top.phase === 'ended')) return speakUnnamed(speakers.slice(0, -1), mark);
  return { speakers: replaceTop(speakers, { ...top, isDouble: true }), isHeard: false };
}

/** The speaker ends up on top. */
function hearNamed(speakers: readonly Speaker[], source: string, mark: MarkName): readonly Speaker[] {
  const level = speakers.findLastIndex((speaker) => speaker.source === source);
  // What was started in it has ended.
  if (level !== -1) return speakers.slice(0, level + 1);
  const top = speakers.at(-1);
  const isInner = top?.phase === 'running' && isOfPrompt(mark);
  const isKnown = top !== undefined && (top.source === undefined || (top.source === OSC_133 && !isInner));
  if (!isKnown) return push(speakers, newSpeaker(source));
  // It has spoken without its `aid` before.
  return replaceTop(speakers, { ...top, source, isDouble: true });
}

function speakUnnamed(speakers: readonly Speaker[], mark: MarkName): Hearing {
  const top = speakers.at(-1);
  // An end where nothing ran: the shell around it reports the end of its command, and will once more with its `aid`.
  const isOfOuter = top?.marksStarts === true && top.phase !== 'running' && speakers.length > 1;
  const said = speak(speakers, mark);
  return mark === 'command_done' && isOfOuter ? { ...said, isHeard: false } : said;
}

/** The speaker on top has made the mark. */
function speak(speakers: readonly Speaker[], mark: MarkName): Hearing {
  const top = speakers.at(-1);
  if (top === undefined) return { speakers, isHeard: true };
  const marksStarts = top.marksStarts || mark === 'command_start';
  const phase = PHASES[mark] ?? top.phase;
  if (marksStarts === top.marksStarts && phase === top.phase) return { speakers, isHeard: true };
  return { speakers: replaceTop(speakers, { ...top, marksStarts, phase }), isHeard: true };
}

function isOfPrompt(mark: MarkName): boolean {
  return mark === 'prompt_start' || mark === 'input_start';
}

function push(speakers: readonly Speaker[], speaker: Speaker): readonly Speaker[] {
  return [...speakers, speaker].slice(-MAX_NESTING);
}

function replaceTop(speakers: readonly Speaker[], top: Speaker): readonly Speaker[] {
  return [...speakers.slice(0, -1), top];
}

function newSpeaker(source: string | undefined): Speaker {
  return { source, phase: 'prompt', marksStarts: false, isDouble: false };
}
