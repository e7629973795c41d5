/**
 * From what several hooks say about one terminal to one story: each command starts once and ends once.
 *
 * Hooks overlap (injected marks, the user's own 133, 633 or 7777), shells nest, and some hooks report an end at every
 * prompt whether or not a command ran. Of a shell that names itself only the marks with its name count (mark-speakers.ts).
 * An end is judged in this order:
 *  1. from a source that reported a start: ends that command, and whatever was nested in it;
 *  2. while a command runs: ends it;
 *  3. from a source that has not reported the last end yet: is that end once more, and dropped;
 *  4. at the prompt of a shell that reports starts: nothing ran (an empty line was entered), and dropped;
 *  5. else a new end, of a command whose start nobody reports.
 * A prompt of the source whose command still runs ends that command without a code.
 */
import type { OscSequence } from '../osc-notices.js';
import { type HasTerminal, MarkSpeakers } from './mark-speakers.js';
import { OSC_133, type ShellMark, parseShellMark, tellsAid } from './osc-marks.js';

export type CommandMark =
  | { readonly mark: 'prompt_start' }
  | { readonly mark: 'input_start' }
  | { readonly mark: 'command_start'; readonly command: string | undefined }
  | { readonly mark: 'command_done'; readonly code: number | null; readonly command: string | undefined }
  /** A line that the shell could not read as a command: nothing ran. */
  | { readonly mark: 'line_refused'; readonly code: number | null; readonly isKept: boolean };

export type CommandPhase = 'unknown' | 'prompt' | 'input' | 'running' | 'done';

/** Shells within shells that are told apart; the outermost is forgotten first. */
const MAX_NESTING = 16;
/** Sources that are remembered for what they report: one for each shell (`aid`). */
const MAX_REPORTERS = 64;

interface RunningCommand {
  command: string | undefined;
  readonly startedBy: Set<string>;
}

interface LastEnd {
  readonly reportedBy: Set<string>;
  /** The command that it ended, if its start was seen. */
  readonly ended: RunningCommand | undefined;
}

export class CommandMarks {
  readonly #speakers: MarkSpeakers;
  #phase: CommandPhase = 'unknown';
  /** Outermost first. The last one has the foreground while the phase is `running`. */
  #running: RunningCommand[] = [];
  #lastEnd: LastEnd | undefined;
  /** The prompt that is up belongs to a source that reports starts. */
  #startsWillBeReported = false;
  readonly #startReporters = new Set<string>();
  /** Sources that mark the end of their prompts. */
  readonly #inputReporters = new Set<string>();
  /** Sources that might be thought to, and do not: something sets their prompts anew. */
  readonly #inputSkippers = new Set<string>();
  /** Of the last prompt or end. */
  #promptSource: string | undefined;
  #inputStartIsDue = false;
  readonly #promptReporters = new Set<string>();
  #promptIsDue = false;
  #pendingLine: string | undefined;
  #shell: string | undefined;
  #off: string | undefined;
  /** The scripts of the shell that was announced last have marked a prompt. */
  #hasTold = false;

  constructor({ hasTerminal = () => undefined }: { readonly hasTerminal?: HasTerminal } = {}) {
    this.#speakers = new MarkSpeakers(hasTerminal);
  }

  get phase(): CommandPhase {
    return this.#phase;
  }

  /** A prompt is up and nothing runs: the shell takes a command line. */
  get atPrompt(): boolean {
    return this.#phase === 'input' || this.#phase === 'prompt';
  }

  /** Commands that run within each other, as far as shells have told: 1 unless a shell in a shell tells its own. */
  get depth(): number {
    return this.#running.length;
  }

  /** A command has ended, and who told so will mark the prompt that follows. */
  get promptIsDue(): boolean {
    return this.#promptIsDue;
  }

  /** The prompt that will be marked as complete is not complete yet. */
  get inputStartIsDue(): boolean {
    return this.#inputStartIsDue;
  }

  /** The last prompt was told by marks of OSC 133 that do not name their shell. */
  get isUnnamed(): boolean {
    return this.#promptSource === OSC_133;
  }

  /** Name of the shell that the injected scripts announced. */
  get shell(): string | undefined {
    return this.#shell;
  }

  /** Why that shell can tell nothing, where it has said so. */
  get off(): string | undefined {
    return this.#off;
  }

  /** What the sequence brings about, in order; nothing for one that is no mark, or says what is known. */
  feed(sequence: OscSequence): readonly CommandMark[] {
    const parsed = parseShellMark(sequence);
    return parsed === undefined || !this.#speakers.hears(parsed) ? [] : this.#apply(parsed.source, parsed.mark);
  }

  /** The prompt was seen to be complete without its mark: nor will those be marked that follow it. */
  skipInputStart(): void {
    if (!this.#inputStartIsDue) return;
    this.#inputStartIsDue = false;
    if (this.#promptSource === undefined) return;
    this.#inputReporters.delete(this.#promptSource);
    remember(this.#inputSkippers, this.#promptSource);
  }

  #apply(source: string, mark: ShellMark): readonly CommandMark[] {
    switch (mark.mark) {
      case 'shell':
        return this.#announce(source, mark.name, mark.off);
      case 'command_line':
        this.#takeLine(mark.command);
        return [];
      case 'prompt_start':
      case 'input_start':
        return this.#prompt(source, mark.mark);
      case 'command_start':
        return this.#start(source, mark.command);
      case 'line_refused':
        return this.#phase === 'running' ? [] : [mark];
      default:
        return this.#done(source, mark.code);
    }
  }

  /** A shell that can tell nothing more has told nothing that still holds. */
  #announce(source: string, name: string, off: string | undefined): readonly CommandMark[] {
    this.#shell = name;
    this.#off = off;
    this.#hasTold = false;
    this.#startsWillBeReported = off === undefined;
    if (off === undefined) return [];
    const ended = this.#running.length === 0 ? [] : this.#end(source, null, 0);
    this.#phase = 'unknown';
    this.#promptIsDue = false;
    this.#inputStartIsDue = false;
    return ended;
  }

  /** The line usually comes just before the start, but another hook may have reported the start already. */
  #takeLine(command: string): void {
    const running = this.#phase === 'running' ? this.#running.at(-1) : undefined;
    if (running === undefined) this.#pendingLine = command;
    else running.command ??= command;
  }

  #prompt(source: string, mark: 'prompt_start' | 'input_start'): readonly CommandMark[] {
    if (tellsAid(source)) {
      // It does tell something: it was somebody else who said that it cannot.
      this.#off = undefined;
      this.#hasTold = true;
    }
    const level = this.#levelOf(source);
    const ended = level === -1 ? [] : this.#end(source, null, level);
    this.#phase = mark === 'input_start' ? 'input' : 'prompt';
    this.#pendingLine = undefined;
    if (this.#startReporters.has(source)) this.#startsWillBeReported = true;
    if (mark === 'input_start') {
      remember(this.#inputReporters, source);
      this.#inputSkippers.delete(source);
    }
    this.#promptSource = source;
    remember(this.#promptReporters, source);
    this.#promptIsDue = false;
    this.#inputStartIsDue = mark === 'prompt_start' && this.#marksInput(source);
    return [...ended, { mark }];
  }

  #start(source: string, command: string | undefined): readonly CommandMark[] {
    remember(this.#startReporters, source);
    if (source === OSC_133 && command !== undefined && runsNothing(command)) {
      this.#startsWillBeReported ||= this.#phase !== 'running';
      return [];
    }
    const line = command ?? this.#pendingLine;
    this.#pendingLine = undefined;
    const level = this.#levelOf(source);
    const running = this.#phase === 'running' ? this.#running.at(-1) : undefined;
    if (running !== undefined && level === -1) {
      running.startedBy.add(source);
      running.command ??= line;
      return [];
    }
    // Its last end was never reported: it is over all the same.
    const ended = level === -1 ? [] : this.#end(source, null, level);
    if (this.#phase === 'prompt' && source === this.#promptSource) this.skipInputStart();
    this.#running = [...this.#running, { command: line, startedBy: new Set([source]) }].slice(-MAX_NESTING);
    this.#phase = 'running';
    this.#inputStartIsDue = false;
    this.#promptIsDue = false;
    this.#lastEnd = undefined;
    this.#startsWillBeReported = false;
    return [...ended, { mark: 'command_start', command: line }];
  }

  #done(source: string, code: number | null): readonly CommandMark[] {
    const level = this.#levelOf(source);
    if (level !== -1) return this.#end(source, code, level);
    if (this.#phase === 'running') return this.#end(source, code, this.#running.length - 1);
    if (this.#lastEnd !== undefined && !this.#lastEnd.reportedBy.has(source)) {
      this.#lastEnd.reportedBy.add(source);
      return [];
    }
    if (this.#startsWillBeReported) return [];
    this.#reopenOuter();
    return this.#end(source, code, -1);
  }

  /**
   * Ends go on coming, but not from who started the command that the first of them ended: they come from a shell
   * within that command, whose own end is still to be reported.
   */
  #reopenOuter(): void {
    const last = this.#lastEnd;
    if (last?.ended === undefined) return;
    for (const source of last.ended.startedBy) if (last.reportedBy.has(source)) return;
    this.#running.push(last.ended);
  }

  #end(source: string, code: number | null, level: number): readonly CommandMark[] {
    const ended = level === -1 ? undefined : this.#running[level];
    if (level !== -1) this.#running = this.#running.slice(0, level);
    const command = ended?.command ?? this.#pendingLine;
    this.#pendingLine = undefined;
    this.#lastEnd = { reportedBy: new Set([source]), ended };
    this.#phase = 'done';
    this.#promptSource = source;
    this.#inputStartIsDue = this.#marksInput(source);
    this.#promptIsDue = this.#promptReporters.has(source);
    this.#startsWillBeReported = false;
    return [{ mark: 'command_done', code, command }];
  }

  #levelOf(source: string): number {
    return this.#running.findLastIndex((running) => running.startedBy.has(source));
  }

  get #isIntegrated(): boolean {
    return this.#shell !== undefined && this.#off === undefined;
  }

  /** The injected scripts mark every prompt, so their first one is known to have an end. */
  #marksInput(source: string): boolean {
    if (this.#inputSkippers.has(source)) return false;
    // Hooks of the user's may mark the first prompt before the scripts do.
    return this.#inputReporters.has(source) || (this.#isIntegrated && (tellsAid(source) || !this.#hasTold));
  }
}

/** Blanks and comments, of which fish tells start and end. */
function runsNothing(command: string): boolean {
  return !/^\s*[^#\s]/m.test(command);
}

function remember(reporters: Set<string>, source: string): void {
  if (reporters.size === MAX_REPORTERS) reporters.clear();
  reporters.add(source);
}
