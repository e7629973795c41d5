/** A command line that was typed at a shell's prompt: its end, its duration and the rows of its output. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import type { CommandRecord } from '../../terminal/shell/command-log.js';
import {
  type CommandRange,
  cursorNumber,
  followLine,
  type FrozenTypedLine,
  outputEndCol,
  shownRange,
  type TypedLineFollowed,
} from '../../terminal/command-range.js';
import { canProbeInput } from '../../terminal/system/proc/input-probe.js';
import { readStat } from '../../terminal/system/processes.js';
import { hasPiped } from '../../terminal/system/proc/shell-process.js';
import { isCursorAtPromptEnd } from './prompt.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';
import { holdsOwnText } from './worthless-line.js';

/** Time for a shell that draws its prompt twice, on systems where its wait cannot be seen. */
const DRAWN_AGAIN_MS = 250;

const SIGINT_CODE = 130;

export interface ShellRun {
  readonly outcome: 'done' | 'not_run' | 'exited' | 'awaiting_input' | 'timeout';
  /** With `awaiting_input`. */
  readonly awaiting: AwaitingInput | undefined;
  /** The last command that the line ran; a line may hold several. */
  readonly record: CommandRecord | undefined;
  /** Of the shell that ran it; see `shellLevel` (terminal/shell/shell-state.ts). */
  readonly level: number;
  readonly durationMs: number;
  /** Rows of output in the buffer, and how many more the scrollback has lost; undefined if unknown. */
  readonly output: CommandRange | undefined;
  /** Another program hands on what the shell prints (`exec > >(tee log)`): more of it may follow. */
  readonly isHandedOn: boolean;
}

/** As another process goes on with it. */
export interface FrozenShellCommand {
  readonly startedAgoMs: number;
  readonly marksBefore: number;
  readonly promptsBefore: number;
  readonly lastBefore: number;
  readonly endsBefore: number;
  readonly isBlank: boolean;
  readonly level: number;
  readonly rowsOfLine: number;
  readonly typed: FrozenTypedLine | undefined;
}

/** Create it before the line is written. */
export class ShellCommand {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #marksBefore: number;
  readonly #promptsBefore: number;
  readonly #lastBefore: number;
  readonly #endsBefore: number;
  readonly #isBlank: boolean;
  /** Of the shell that has got the line: what is printed within its command is no end of it. */
  readonly #level: number;
  /** Rows of the typed line, without those that it wraps over: where output begins if the shell does not mark the start of a command. */
  readonly #rowsOfLine: number;
  /** Undefined on the alternate screen. */
  readonly #typed: TypedLineFollowed | undefined;
  readonly #isResumed: boolean;

  /** @param frozen of a line that was written in another process */
  constructor(terminal: Terminal, clock: Clock, line: string | FrozenShellCommand) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#isResumed = typeof line !== 'string';
    const from = typeof line === 'string' ? this.#before(line) : line;
    this.#startedMs = clock.now() - from.startedAgoMs;
    this.#marksBefore = from.marksBefore;
    this.#promptsBefore = from.promptsBefore;
    this.#lastBefore = from.lastBefore;
    this.#endsBefore = from.endsBefore;
    this.#isBlank = from.isBlank;
    this.#level = from.level;
    this.#rowsOfLine = from.rowsOfLine;
    this.#typed = from.typed && followLine(terminal, from.typed);
  }

  freeze(): FrozenShellCommand {
    return {
      startedAgoMs: this.#clock.now() - this.#startedMs,
      marksBefore: this.#marksBefore,
      promptsBefore: this.#promptsBefore,
      lastBefore: this.#lastBefore,
      endsBefore: this.#endsBefore,
      isBlank: this.#isBlank,
      level: this.#level,
      rowsOfLine: this.#rowsOfLine,
      typed: this.#typed?.freeze(),
    };
  }

  /** It is not waited for. */
  dispose(): void {
    this.#typed?.dispose();
  }

  #before(line: string): FrozenShellCommand {
    const terminal = this.#terminal;
    const { shell } = terminal.detectors;
    const { screen } = terminal;
    // zsh takes a comment for a command unless it is told otherwise.
    const blank = shell.leftovers.startsAreDue ? /^\s*(?:#.*)?$/ : /^\s*$/;
    const lines = line.split('\n');
    const { cols, cursor } = screen.snapshot();
    const rows = lines.map((each, at) => 1 + Math.floor((each.length + (at === 0 ? cursor.col : 0)) / cols));
    const all = rows.reduce((sum, each) => sum + each, 0);
    const number = cursorNumber(screen);
    return {
      startedAgoMs: 0,
      marksBefore: shell.marksSeen,
      promptsBefore: shell.promptsSeen,
      lastBefore: shell.commands.records.at(-1)?.n ?? 0,
      endsBefore: shell.endsSeen,
      isBlank: lines.every((each) => blank.test(each)),
      level: shell.level,
      rowsOfLine: lines.length,
      typed: screen.altScreen ? undefined : { line: number, below: number + all, running: undefined },
    };
  }

  /** Resolves when the shell is back, has exited, or at the deadline. @param observe called at that instant */
  end<T>(
    deadlineMs: number,
    signal: AbortSignal,
    observe: (run: ShellRun) => T,
  ): Promise<{ seen: T; keepsText: boolean }> {
    const { detectors } = this.#terminal;
    const { shell } = detectors;
    return until(signal, ({ resolve, reject }, scope) => {
      if (this.#typed !== undefined) scope.add(this.#typed);
      const end = (outcome: ShellRun['outcome'], keepsText = false, awaiting?: AwaitingInput): void => {
        try {
          resolve({ seen: observe(this.#facts(outcome, awaiting)), keepsText });
        } catch (error) {
          reject(error);
        }
      };
      const hasRun = (): boolean => this.#records().length > 0;
      const back = (): void => {
        // A shell that shows the same prompt again still has the same line.
        const keepsLine = shell.promptsSeen === this.#promptsBefore || this.#mayHoldLine();
        // That nothing ran is a claim: without a proof it is unknown, and has no exit code.
        const isNotRun = !hasRun() && (keepsLine || shell.endsSeen > this.#endsBefore || this.#isBlank);
        end(isNotRun ? 'not_run' : 'done', isNotRun && keepsLine);
      };
      let drawnAgain: Disposable | undefined;
      const check = (): void => {
        if (detectors.ended) end('exited');
        else if (shell.isDone && shell.level <= this.#level && shell.marksSeen > this.#marksBefore) {
          if (hasRun() || !this.#mayDrawAgain) return back();
          drawnAgain ??= scope.add(
            this.#clock.after(DRAWN_AGAIN_MS, () => {
              drawnAgain = undefined;
              if (shell.isDone && shell.level <= this.#level) back();
            }),
          );
        }
      };
      scope.add(detectors.onParsed(check));
      scope.add(detectors.onEvent(check));
      scope.add(shell.onWaiting.on(() => shell.phase !== 'running' && shell.level <= this.#level && back()));
      scope.add(shell.onUnfinished.on(() => end('not_run', true)));
      scope.add(shell.onAsks.on((found) => end('awaiting_input', false, found)));
      // Also of keys, by the shell itself: zsh at `rm *`, `read -n1`, a shell that has taken the place of this one; and by a hook before
      // the prompt.
      const reads = (found: AwaitingInput): void => {
        if (shell.phase === 'running' || shell.isPromptDue || !shell.isDone || shell.level > this.#level)
          end('awaiting_input', false, found);
      };
      scope.add(detectors.onLastingRead(reads));
      if (this.#isResumed) check();
      if (deadlineMs === Number.POSITIVE_INFINITY) return;
      scope.add(this.#clock.after(Math.max(0, deadlineMs - this.#clock.now()), () => end('timeout')));
    });
  }

  /** fish 4 without integration marks a prompt like a new one when it draws it again with a refused line. */
  #mayHoldLine(): boolean {
    const { shell } = this.#terminal.detectors;
    return shell.isUnnamed ? !isCursorAtPromptEnd(this.#terminal) : holdsOwnText(this.#terminal);
  }

  /**
   * fish draws the prompt twice, and loses a Ctrl+C in between: the prompt counts only once fish is seen to wait. bash may
   * draw it again with a pasted text of several lines, or for a new size, before it takes the line.
   */
  get #mayDrawAgain(): boolean {
    const { shell } = this.#terminal.detectors;
    return (canProbeInput && this.#mayHoldLine()) || shell.name === 'bash';
  }

  #facts(outcome: ShellRun['outcome'], awaiting: AwaitingInput | undefined): ShellRun {
    const records = this.#records();
    const record = records.at(-1);
    const elapsedMs = Math.round(this.#clock.now() - this.#startedMs);
    const durationMs = records.length === 1 ? (record?.durationMs ?? elapsedMs) : elapsedMs;
    const front = readStat(this.#terminal.pid)?.foregroundGroup;
    const isHandedOn = outcome === 'done' && front !== undefined && hasPiped(front, 1);
    return { outcome, awaiting, record, level: this.#level, durationMs, output: this.#output(records), isHandedOn };
  }

  /** Of the line, and of what is typed at that shell after it. */
  #records(): readonly CommandRecord[] {
    const { records } = this.#terminal.detectors.shell.commands;
    const first = records.findLastIndex(({ n }) => n <= this.#lastBefore) + 1;
    return records.slice(first).filter(({ level = 0 }) => level <= this.#level);
  }

  /** From the first command's start to the last one's end, or to the cursor. */
  #output(records: readonly CommandRecord[]): ShellRun['output'] {
    const { screen, detectors } = this.#terminal;
    const [firstRecord] = records;
    const last = records.at(-1);
    // Of one that runs, if the shell asks for the rest of its line.
    const hasEnd = last?.running === false || last?.output?.end !== undefined;
    const isTold = last?.startedAt !== undefined && hasEnd && !detectors.ended;
    // Some hooks mark no start: output begins after the rows of the line.
    if (firstRecord?.startedAt === undefined) {
      const { commands, endsSeen } = detectors.shell;
      const ended = last === undefined && endsSeen === this.#endsBefore ? undefined : commands.unstartedEnd;
      if (ended === 'lost' || screen.altScreen) return undefined;
      const endCol = ended === undefined || ended.col === 0 ? undefined : ended.col;
      const end = ended?.line === undefined ? this.#cursorEnd() : ended.line + (endCol === undefined ? 0 : 1);
      const moved = this.#typed?.place;
      const first = moved === undefined ? this.#lineEnd() : (moved.first ?? end);
      return first === undefined ? undefined : shownRange(screen, { first, end, lost: moved?.lost ?? 0 }, endCol);
    }
    const places = records.map(({ output }) => output);
    const ended = places.at(-1);
    if (places[0] === undefined || ended === undefined) return undefined;
    if (screen.altScreen !== (ended.alternate === true)) return undefined;
    // What a full-screen program shows is its whole screen, whatever row its cursor is in.
    if (!isTold && ended.opened === true) {
      return { first: screen.scrollbackLines, end: screen.totalLines, lost: 0, endCol: undefined };
    }
    const end = isTold ? ended.end : this.#cursorEnd();
    if (end === undefined) return undefined;
    const shown = places.filter((each) => each?.alternate === ended.alternate);
    const first = Math.min(...shown.map((each) => each?.first ?? end), end);
    const lost = places.reduce((sum, each) => sum + (each?.lost ?? 0), 0);
    const endCol = isTold ? outputEndCol(this.#terminal, last) : undefined;
    const lead = places.find((each) => each?.first === first)?.lead;
    const range = shownRange(screen, { first, end, lost, lead }, endCol);
    if (!isTold || screen.altScreen) return range;
    // The last break may be one that shells print after SIGINT.
    return { ...range, knownEnd: last.code === SIGINT_CODE ? range.end - 1 : range.end };
  }

  /** The output ends above the prompt; without a prompt, with the row of the cursor. */
  #cursorEnd(): number {
    const { shell, ended } = this.#terminal.detectors;
    return cursorNumber(this.#terminal.screen) + (ended || shell.phase === 'running' ? 1 : 0);
  }

  /** First row after those that the typed line takes on the screen. */
  #lineEnd(): number | undefined {
    const { screen } = this.#terminal;
    const line = this.#typed?.line;
    if (line === undefined || screen.altScreen) return undefined;
    let index = line - screen.firstLineNumber;
    for (let rows = 0; rows < this.#rowsOfLine; rows++) {
      index++;
      while (screen.continuesLine(index)) index++;
    }
    return index + screen.firstLineNumber;
  }
}
