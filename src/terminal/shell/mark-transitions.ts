/**
 * From the marks of several hooks in one terminal to one story: each command starts once and ends once. Pure; the marks
 * that count (mark-speakers.ts) go in, and the next state with what they bring about comes out.
 *
 * Hooks overlap (injected marks, the user's own 133, 633 or 7777), shells nest, and some hooks report an end at every
 * prompt whether or not a command ran. An end is judged in this order:
 *  1. from a source that reported a start: ends that command, and all that was nested in it; one whose start has a proof is
 *     ended by its source alone;
 *  2. while a command runs: ends it;
 *  3. from a source that has not reported the last end yet: repeats that end, so it is dropped;
 *  4. at the prompt of a shell that reports starts: no command ran (an empty line was entered), so it is dropped;
 *  5. before anything was typed at a shell: no command ran, and the shell is where an end leads;
 *  6. else, and always of one that says so (`alone`), a new end, of a command whose start is not reported.
 * A prompt of the source whose command still runs ends that command without a code.
 *
 *  phase   | prompt_start | input_start | command_start  | command_done      | line_refused | shell | shell;off
 *  --------|--------------|-------------|----------------|-------------------|--------------|-------|----------
 *  unknown | prompt       | input       | running, same¹ | done, same²       | same         | same  | unknown
 *  prompt  | prompt       | input       | running, same¹ | done, same²       | same         | same  | unknown
 *  input   | prompt       | input       | running, same¹ | done, same²       | same         | same  | unknown
 *  running | prompt       | input       | running        | done              | same         | same  | unknown
 *  done    | prompt       | input       | running, same¹ | done              | same         | same  | unknown
 *  ¹ of what the mark calls a blank line or a comment  ² rules 3 and 4
 */
import { OSC_133, type ShellMark, hasAid } from './osc-marks.js';
import type { CommandMark } from './shell-facts.js';
import {
  type Integration,
  type LastEnd,
  type RunningCommand,
  type ShellMemory,
  type ShellState,
  remembering,
} from './shell-state.js';

export interface MarkStep {
  readonly state: ShellState;
  readonly marks: readonly CommandMark[];
}

/** Shells within shells that are kept apart; the outermost is forgotten first, unless its start has a proof. */
const MAX_NESTING = 16;
/** Sources that are remembered for what they report: one for each shell (`aid`). */
const MAX_SOURCES = 64;

/** @param isProven see mark-proofs.ts */
export function afterShellMark(state: ShellState, source: string, mark: ShellMark, isProven = false): MarkStep {
  switch (mark.mark) {
    case 'shell':
      return announced(state, source, mark);
    case 'command_line':
      return { state: withLine(state, mark.command), marks: [] };
    case 'prompt_start':
      return prompted(state, source, { mark: 'prompt_start' });
    case 'input_start':
      return prompted(state, source, {
        mark: 'input_start',
        ...(mark.holdsText === true ? { holdsText: true } : {}),
        ...(hasAid(source) && mark.isEarly !== true ? { isAtEnd: true } : {}),
      });
    case 'command_start':
      return started(state, source, mark, isProven);
    case 'line_refused':
      return { state, marks: state.phase === 'running' ? [] : [mark] };
    default:
      return done(state, source, mark);
  }
}

/** The prompt was seen to be complete without its mark: later ones of this source will not be marked either. */
export function withoutInputStart(state: ShellState): ShellState {
  if (state.phase !== 'prompt' || !state.inputStartIsDue) return state;
  const { promptSource: source, reporters } = state.memory;
  const settled = { ...state, inputStartIsDue: false };
  if (source === undefined) return settled;
  const inputSkips = withSource(reporters.inputSkips, source);
  return remembering(settled, {
    reporters: { ...reporters, inputs: withoutSource(reporters.inputs, source), inputSkips },
  });
}

/** What a shell has marked before it cannot mark anything more does not hold any longer. */
function announced(
  state: ShellState,
  source: string,
  { name, off, dropsTabs }: Extract<ShellMark, { mark: 'shell' }>,
): MarkStep {
  if (off === undefined) {
    const integration = { kind: 'on', name, hasMarked: false, ...(dropsTabs === true ? { dropsTabs } : {}) } as const;
    return { state: remembering(state, { integration, startsAreDue: true }), marks: [] };
  }
  const integration = { kind: 'off', name, reason: off } as const;
  const silenced = remembering(state, { integration, startsAreDue: false });
  const { state: ended, marks } =
    state.memory.commands.length === 0 ? { state: silenced, marks: [] } : endAt(silenced, source, null, 0);
  return { state: { phase: 'unknown', ...between(ended), memory: ended.memory }, marks };
}

/** The line usually comes just before the start, but another hook may have reported the start already. */
function withLine(state: ShellState, line: string): ShellState {
  if (state.phase !== 'running') return { ...state, pendingLine: line };
  return withTop(state, (running) => ({ ...running, command: running.command ?? line }));
}

function prompted(
  before: ShellState,
  source: string,
  mark: Extract<CommandMark, { mark: 'prompt_start' | 'input_start' }>,
): MarkStep {
  const isInput = mark.mark === 'input_start';
  const known = hasAid(source) ? asMarking(before) : before;
  const level = levelOf(known, source);
  const { state, marks } = level === -1 ? { state: known, marks: [] } : endAt(known, source, null, level);
  const { reporters } = state.memory;
  const memory: ShellMemory = {
    ...state.memory,
    promptSource: source,
    startsAreDue: state.memory.startsAreDue || reporters.starts.has(source),
    reporters: {
      starts: reporters.starts,
      prompts: withSource(reporters.prompts, source),
      inputs: isInput ? withSource(reporters.inputs, source) : reporters.inputs,
      inputSkips: isInput ? withoutSource(reporters.inputSkips, source) : reporters.inputSkips,
    },
  };
  const { lastEnd } = between(state);
  const shared = { memory, pendingLine: undefined, lastEnd };
  return {
    state: isInput
      ? { phase: 'input', ...shared }
      : { phase: 'prompt', inputStartIsDue: marksInput(memory, source), ...shared },
    marks: [...marks, mark],
  };
}

function asOn(integration: Exclude<Integration, { kind: 'silent' }>): Extract<Integration, { kind: 'on' }> {
  return integration.kind === 'on' ? integration : { kind: 'on', name: integration.name, hasMarked: false };
}

/** The injected scripts do mark something: a report of theirs that they cannot came from elsewhere. */
function asMarking(state: ShellState): ShellState {
  const { integration } = state.memory;
  if (integration.kind === 'silent' || (integration.kind === 'on' && integration.hasMarked)) return state;
  return remembering(state, { integration: { ...asOn(integration), hasMarked: true } });
}

function started(
  before: ShellState,
  source: string,
  { command, isExpected = false }: Extract<ShellMark, { mark: 'command_start' }>,
  isProven: boolean,
): MarkStep {
  const reporters = { ...before.memory.reporters, starts: withSource(before.memory.reporters.starts, source) };
  const known = remembering(before, { reporters });
  const isRunning = known.phase === 'running';
  if (source === OSC_133 && !isExpected && command !== undefined && runsNothing(command)) {
    const startsAreDue = known.memory.startsAreDue || !isRunning;
    return { state: remembering(known, { startsAreDue }), marks: [] };
  }
  const line = command ?? between(known).pendingLine;
  const level = levelOf(known, source);
  if (isRunning && level === -1) {
    return { state: withTop(known, (running) => alsoStartedBy(running, source, line, isProven)), marks: [] };
  }
  // Its last end was never reported: it is over all the same.
  const { state: ended, marks } =
    level === -1 ? { state: known, marks: [] } : endAt(withoutPendingLine(known), source, null, level);
  const isOwnPrompt = ended.phase === 'prompt' && source === ended.memory.promptSource;
  const { memory } = isOwnPrompt ? withoutInputStart(ended) : ended;
  const n = memory.counts.starts + 1;
  const provenBy = isProven ? source : undefined;
  const running: RunningCommand = { n, command: line, startedBy: new Set([source]), provenBy };
  return {
    state: {
      phase: 'running',
      memory: {
        ...memory,
        commands: withinNesting([...memory.commands, running]),
        startsAreDue: false,
        counts: { ...memory.counts, starts: n },
      },
    },
    marks: [...marks, { mark: 'command_start', command: line, n }],
  };
}

function done(
  state: ShellState,
  source: string,
  { code, isAlone = false, isFirst = false }: Extract<ShellMark, { mark: 'command_done' }>,
): MarkStep {
  const level = levelOf(state, source);
  if (level !== -1) return endAt(state, source, code, level);
  if (state.phase === 'running') {
    const isProven = state.memory.commands.at(-1)?.provenBy !== undefined;
    return isProven ? { state, marks: [] } : endAt(state, source, code, state.memory.commands.length - 1);
  }
  if (isAlone) return endAt(state, source, code, -1);
  const { lastEnd } = state;
  if (lastEnd !== undefined && !lastEnd.reportedBy.has(source)) {
    const reportedBy = withSource(lastEnd.reportedBy, source);
    return { state: { ...state, lastEnd: { ...lastEnd, reportedBy } }, marks: [] };
  }
  if (state.memory.startsAreDue) return { state, marks: [] };
  const step = endAt(withOuterReopened(state, lastEnd), source, code, -1);
  return isFirst ? { ...step, marks: [] } : step;
}

/**
 * Ends go on coming, but from another source than the one that started the command that the first of them ended: they
 * come from a shell within that command, whose own end is still to be reported.
 */
function withOuterReopened(state: ShellState, lastEnd: LastEnd | undefined): ShellState {
  if (lastEnd?.ended === undefined) return state;
  for (const source of lastEnd.ended.startedBy) if (lastEnd.reportedBy.has(source)) return state;
  return remembering(state, { commands: [...state.memory.commands, { ...lastEnd.ended, n: undefined }] });
}

/** @param level of the command that ends, with all that is nested in it; -1: none whose start was seen */
function endAt(state: ShellState, source: string, code: number | null, level: number): MarkStep {
  const { memory } = state;
  const ended = level === -1 ? undefined : memory.commands[level];
  return {
    state: {
      phase: 'done',
      pendingLine: undefined,
      lastEnd: { reportedBy: new Set([source]), ended },
      promptIsDue: memory.reporters.prompts.has(source),
      inputStartIsDue: marksInput(memory, source),
      memory: {
        ...memory,
        commands: level === -1 ? memory.commands : memory.commands.slice(0, level),
        promptSource: source,
        startsAreDue: false,
      },
    },
    marks: [{ mark: 'command_done', code, command: ended?.command ?? between(state).pendingLine, n: ended?.n }],
  };
}

/** What is known between commands; nothing while one runs. */
function between(state: ShellState): Pick<Extract<ShellState, { phase: 'done' }>, 'pendingLine' | 'lastEnd'> {
  if (state.phase === 'running') return { pendingLine: undefined, lastEnd: undefined };
  return { pendingLine: state.pendingLine, lastEnd: state.lastEnd };
}

function withoutPendingLine(state: ShellState): ShellState {
  return state.phase === 'running' ? state : { ...state, pendingLine: undefined };
}

function levelOf({ memory }: ShellState, source: string): number {
  return memory.commands.findLastIndex(({ startedBy, provenBy }) =>
    provenBy === undefined ? startedBy.has(source) : provenBy === source,
  );
}

/** One whose end will be proven stays, however many are printed within it. */
function withinNesting(commands: readonly RunningCommand[]): readonly RunningCommand[] {
  if (commands.length <= MAX_NESTING) return commands;
  return commands[0]?.provenBy === undefined ? commands.slice(1) : [commands[0], ...commands.slice(2)];
}

function withTop(state: ShellState, change: (running: RunningCommand) => RunningCommand): ShellState {
  const { commands } = state.memory;
  return remembering(state, { commands: commands.map((each, i) => (i === commands.length - 1 ? change(each) : each)) });
}

function alsoStartedBy(
  running: RunningCommand,
  source: string,
  line: string | undefined,
  isProven: boolean,
): RunningCommand {
  const { startedBy } = running;
  const command = isProven ? (line ?? running.command) : (running.command ?? line);
  const provenBy = isProven ? source : running.provenBy;
  return {
    ...running,
    command,
    provenBy,
    startedBy: startedBy.size < MAX_SOURCES ? new Set([...startedBy, source]) : startedBy,
  };
}

/** The injected scripts mark every prompt, so their first one is known to have an end. */
function marksInput({ reporters, integration }: ShellMemory, source: string): boolean {
  if (reporters.inputSkips.has(source)) return false;
  if (reporters.inputs.has(source)) return true;
  // The user's hooks may mark the first prompt before the scripts do.
  return integration.kind === 'on' && (hasAid(source) || !integration.hasMarked);
}

/** Blanks and comments, of which fish marks start and end. */
function runsNothing(command: string): boolean {
  return !/^\s*[^#\s]/m.test(command);
}

/** A full set is emptied first: copies stay small, even if a program prints many marks. */
function withSource(sources: ReadonlySet<string>, source: string): ReadonlySet<string> {
  if (sources.size === MAX_SOURCES) return new Set([source]);
  return sources.has(source) ? sources : new Set([...sources, source]);
}

function withoutSource(sources: ReadonlySet<string>, source: string): ReadonlySet<string> {
  return sources.has(source) ? new Set([...sources].filter((each) => each !== source)) : sources;
}
