/**
 * The shell in one terminal as a state machine: `reduce` returns the state that follows a state and an input, and the
 * facts. Pure: what the kernel and the screen say, and that time has passed, are values in the input. Every input is
 * defined in every state.
 *
 *  input          | what follows
 *  ---------------|----------------------------------------------------------------------------------------------------
 *  mark           | the phase changes as in mark-transitions.ts, if the speaker counts (mark-speakers.ts); each command
 *                 | mark that follows is a fact, and may answer the turn (turn.ts)
 *  written        | a turn begins with each submitted line; a reply is due
 *  interrupted    | noted while the scripts are silent
 *  printed        | the reply has come
 *  answered       | the command line may hold what a program has not read
 *  kept_ahead     | the command line holds what was typed before the prompt, if no line editor reads it
 *  keys_left      | the command line may hold keys that a program has left, if no line editor reads them
 *  kept_taken     | it holds neither: a program has read that
 *  reader         | nothing while the shell's answer to Enter is due; else where it reads, or that the scripts are lost
 *  read           | the shell is waiting, or waits for the rest of a command, or neither; a printed prompt at which a line was not
 *                 | answered by a mark is none
 *  prompt_settled | the shell is waiting, if the marks say so
 *  marks_lost     | the shell is waiting
 *  renumbered     | the place of the prompt's end is lost
 *  exited         | nothing changes any more, except for line numbers: the screen outlives the shell
 */
import {
  dropsKept,
  dropsLine,
  editorModeAfter,
  type EditorMode,
  endsLine,
  interrupts,
  leavesText,
  leavesWords,
  submittedLines,
} from '../input/typed-input.js';
import { hear } from './mark-speakers.js';
import { afterShellMark, withoutInputStart } from './mark-transitions.js';
import type { CommandMark, MarkPlace, Reader, ShellFact, ShellInput } from './shell-facts.js';
import {
  type PromptEnd,
  type ShellState,
  isAtPrompt,
  isDone,
  isInputStartDue,
  isPromptDue,
  reasonForOff,
  remembering,
  shellLevel,
  shellName,
} from './shell-state.js';
import { afterInput, afterMark, forgotten, isUnfinished } from './turn.js';

export interface ShellStep {
  readonly state: ShellState;
  /** In order. */
  readonly facts: readonly ShellFact[];
}

export function reduce(state: ShellState, input: ShellInput): ShellStep {
  if (state.memory.hasExited && input.input !== 'renumbered') return { state, facts: NO_FACTS };
  switch (input.input) {
    case 'mark':
      return onMark(state, input);
    case 'reader':
      return onReader(state, input);
    case 'read':
      return onRead(state, input);
    case 'prompt_settled':
      return { state, facts: isDone(state) ? [waiting(state.memory.lastCode)] : NO_FACTS };
    case 'marks_lost':
      return { state: withoutTurn(state), facts: [waiting(null)] };
    default:
      return { state: afterSilent(state, input), facts: NO_FACTS };
  }
}

/** Whether the next look at a reader depends on what the kernel says of its process: that costs reads of /proc. */
export function needsReader({ phase, memory }: ShellState): boolean {
  const { integration, commands, reply, turn } = memory;
  if (reply === 'echo_due') return false;
  if (integration.kind === 'silent' && integration.wasInterrupted) return true;
  if (phase === 'input') return isUnfinished(turn);
  return phase === 'prompt' || phase === 'unknown' || (phase === 'running' && commands.length <= 1);
}

const NO_FACTS: readonly ShellFact[] = [];

type InputOf<Kind extends ShellInput['input']> = Extract<ShellInput, { input: Kind }>;

/** Inputs from which no fact follows. */
function afterSilent(
  state: ShellState,
  input: InputOf<
    | 'written'
    | 'interrupted'
    | 'printed'
    | 'answered'
    | 'kept_ahead'
    | 'keys_left'
    | 'kept_taken'
    | 'renumbered'
    | 'exited'
  >,
): ShellState {
  const { memory } = state;
  switch (input.input) {
    case 'written':
      return afterWritten(state, input);
    case 'interrupted':
      return memory.integration.kind === 'silent'
        ? remembering(state, { integration: { kind: 'silent', wasInterrupted: true } })
        : state;
    // With each chunk of output.
    case 'printed':
      return memory.reply === 'none' ? state : remembering(state, { reply: 'none' });
    case 'answered':
      return remembering(state, {
        mayHoldAnswers: true,
        mayHoldCommandsAnswers: memory.mayHoldCommandsAnswers === true || state.phase !== 'input',
      });
    case 'kept_ahead':
      return memory.mayHoldWords ? remembering(state, { isKeptAhead: true }) : state;
    case 'keys_left':
      return memory.mayHoldKeys === true ? state : remembering(state, { mayHoldKeys: true });
    case 'kept_taken':
      return memory.isKeptAhead === true || memory.mayHoldKeys === true
        ? remembering(state, { isKeptAhead: false, mayHoldKeys: false })
        : state;
    case 'renumbered':
      return remembering(state, {
        promptBegin: undefined,
        promptEnd: undefined,
        counts: { ...memory.counts, layouts: memory.counts.layouts + 1 },
      });
    default:
      return remembering(state, { hasExited: true });
  }
}

function onMark(state: ShellState, { source, mark, place, hasTerminal, isProven }: InputOf<'mark'>): ShellStep {
  const isAnnounced = shellName(state) !== undefined;
  const heard = hear(state.memory.speakers, { source, mark }, { isAnnounced, hasTerminal });
  const known = heard.speakers === state.memory.speakers ? state : remembering(state, { speakers: heard.speakers });
  if (!heard.isHeard) return { state: known, facts: NO_FACTS };
  const { state: marked, marks } = afterShellMark(known, source, mark, isProven);
  const isInner = shellLevel(marked) > 0;
  const answers = shellLevel(known) > 0 && known.memory.turn.kind === 'pending' && marks.length > 0;
  const innerAnswers = isInner && (answers || known.memory.innerAnswers);
  let noted = innerAnswers === marked.memory.innerAnswers ? marked : remembering(marked, { innerAnswers });
  for (const each of marks) noted = afterCommandMark(noted, each, place);
  return { state: noted, facts: marks.map((each) => ({ fact: 'mark', mark: each })) };
}

function afterCommandMark(state: ShellState, mark: CommandMark, place: InputOf<'mark'>['place']): ShellState {
  const { turn, counts, lastCode, refusedSince = 0, mayHoldText, mayHoldWords, holdsText, promptEnd } = state.memory;
  const { editorMode, promptBegin } = state.memory;
  const isRefused = mark.mark === 'line_refused';
  const isCommand = mark.mark === 'command_start' || mark.mark === 'command_done';
  return remembering(state, {
    turn: afterMark(turn, mark),
    counts: {
      ...counts,
      marks: counts.marks + 1,
      ends: counts.ends + (mark.mark === 'command_done' || isRefused ? 1 : 0),
      prompts: counts.prompts + (mark.mark === 'prompt_start' ? 1 : 0),
    },
    lastCode: mark.mark === 'command_done' ? mark.code : mark.mark === 'command_start' ? null : lastCode,
    refusedSince: isCommand ? 0 : refusedSince + (isRefused ? 1 : 0),
    mayHoldText: isRefused ? mark.isKept : mayHoldText,
    mayHoldWords: isRefused ? mark.isKept : mayHoldWords,
    editorMode: mark.mark === 'prompt_start' && editorMode === 'interrupted' ? 'text' : editorMode,
    promptBegin: mark.mark === 'prompt_start' ? { line: place.line, col: place.col } : promptBegin,
    promptEnd:
      mark.mark === 'input_start'
        ? {
            line: place.line,
            col: place.col,
            ...(mark.isAtEnd === true ? { isAtEnd: true } : {}),
            ...colsBefore(promptBegin, place),
          }
        : promptEnd,
    holdsText: mark.mark === 'input_start' ? mark.holdsText === true : mark.mark !== 'prompt_start' && holdsText,
  });
}

function colsBefore(begin: MarkPlace | undefined, end: MarkPlace): Pick<PromptEnd, 'colsBefore'> {
  const isOneRow = begin?.line !== undefined && begin.line === end.line && begin.col > 0 && begin.col < end.col;
  return isOneRow ? { colsBefore: begin.col } : {};
}

function afterWritten(
  state: ShellState,
  { text, isOfProgram = false, isHandedOver = false }: InputOf<'written'>,
): ShellState {
  const { turn, seesWaiting, mayHoldText, mayHoldWords, mayHoldAnswers, holdsText } = state.memory;
  const { editorMode, reply, counts, isKeptAhead = false, mayHoldCommandsAnswers = false } = state.memory;
  const { mayHoldKeys = false } = state.memory;
  const isPromptAhead = state.phase === 'unknown' || isPromptDue(state);
  // fish prints nothing after Ctrl+C on an empty line.
  const answersDropping = isAtPrompt(state) && shellName(state) !== 'fish';
  const hasEcho = /[\r\n]/.test(text) || (dropsLine(text) && answersDropping);
  const next = remembering(state, {
    turn: afterInput(turn, text, { isRunning: state.phase === 'running', isPromptAhead, seesWaiting }),
    counts: { ...counts, lines: counts.lines + submittedLines(text) + (dropsLine(text) ? 1 : 0) },
    mayHoldText: leavesText(text, mayHoldText),
    mayHoldWords: leavesWords(text, mayHoldWords),
    isKeptAhead: !isHandedOver && !dropsKept(text) && isKeptAhead,
    // Enter before the prompt may be a key that is left, too.
    mayHoldKeys: !interrupts(text) && !(isAtPrompt(state) && endsLine(text)) && mayHoldKeys,
    holdsText: !endsLine(text) && holdsText,
    mayHoldAnswers: !endsLine(text) && mayHoldAnswers,
    mayHoldCommandsAnswers: !endsLine(text) && mayHoldCommandsAnswers,
    editorMode: isOfProgram ? editorMode : modeAfter(state, text),
    reply: hasEcho || reply === 'echo_due' ? 'echo_due' : 'due',
  });
  return interrupts(text) ? afterSilent(next, { input: 'interrupted' }) : next;
}

/** Other editors than those of bash and fish drop their line at each Ctrl+C. */
function modeAfter(state: ShellState, text: string): EditorMode {
  const mode = editorModeAfter(text, state.memory.editorMode);
  const keepsMode = ['bash', 'fish'].includes(shellName(state) ?? '') && state.memory.turn.seesPrompts;
  return mode === 'interrupted' && !keepsMode ? 'text' : mode;
}

function onReader(before: ShellState, { isFirst, reader }: InputOf<'reader'>): ShellStep {
  // Every shell answers Enter with something, and most of them Ctrl+C. Until then it may not have got the input, which goes
  // through a queue of the kernel's.
  if (before.memory.reply === 'echo_due') return { state: before, facts: NO_FACTS };
  const state = before.memory.reply === 'none' ? before : remembering(before, { reply: 'none' });
  const { integration } = state.memory;
  const isAtCommandLine = reader?.isShell === true;
  if (
    integration.kind === 'silent' &&
    integration.wasInterrupted &&
    isFirst &&
    isAtCommandLine &&
    reader.isIntegrated
  ) {
    return {
      state: remembering(state, { integration: { kind: 'silent', wasInterrupted: false } }),
      facts: [{ fact: 'scripts_lost' }],
    };
  }
  const isCommand = state.phase === 'running' && !isUnmarked(state, reader);
  const at = isCommand ? 'command' : isAtPrompt(state) ? 'prompt' : 'elsewhere';
  return {
    state: state.phase === 'prompt' && isAtCommandLine ? withoutInputStart(state) : state,
    facts: [{ fact: 'reader', at }],
  };
}

function onRead(state: ShellState, { asksForMore, reader }: InputOf<'read'>): ShellStep {
  // Some hooks mark ends and no prompts.
  if (isAtPrompt(state) || state.phase === 'done') {
    const isDue = isInputStartDue(state);
    const isUnread = !isDue && isUnfinished(state.memory.turn);
    // The shell has marked no start, and the command reads.
    if (isUnread && !asksForMore && reader?.isShell === false) return { state, facts: NO_FACTS };
    if (asksForMore || isUnread) {
      // The prompt was printed, and what reads marks nothing.
      const isPrinted = shellLevel(state) > 0 && !state.memory.innerAnswers;
      if (isPrinted) return { state: withoutTurn(withoutInner(state)), facts: [waiting(null)] };
      const { turn } = state.memory;
      const isRefused = !asksForMore && turn.kind === 'pending' && turn.isDrawnAgain === true;
      // bash has put a line there instead, to be verified or edited. zsh may draw a prompt anew for the rest of a command.
      const after =
        isRefused && shellName(state) === 'bash' ? remembering(withoutTurn(state), { holdsText: true }) : state;
      return { state: after, facts: [{ fact: 'unfinished', isRefused }] };
    }
    return isDue ? { state, facts: NO_FACTS } : { state: withoutTurn(state), facts: [waiting(state.memory.lastCode)] };
  }
  return isUnmarked(state, reader) ? { state: withoutTurn(state), facts: [waiting(null)] } : { state, facts: NO_FACTS };
}

/** A shell in a shell, or in its place (`exec zsh`), that has no scripts and takes a command line. */
function isUnmarked(state: ShellState, reader: Reader | undefined): boolean {
  if (state.memory.commands.length > 1 || (state.phase !== 'running' && state.phase !== 'unknown')) return false;
  return reader?.isShell === true && !(reader.isIntegrated && reasonForOff(state) === undefined);
}

/** Its proven command runs, and no shell within it is known. */
function withoutInner({ memory }: ShellState): ShellState {
  return { phase: 'running', memory: { ...memory, commands: memory.commands.slice(0, 1) } };
}

/** All that was submitted is known to have been read. */
function withoutTurn(state: ShellState): ShellState {
  return remembering(state, { turn: forgotten(state.memory.turn) });
}

function waiting(code: number | null): ShellFact {
  return { fact: 'waiting', code };
}
