/**
 * Two views of one state of the reducer, for tests that watch its marks or its turns alone. `CommandTurns` keeps nothing: it
 * acts on the state of the `CommandMarks` that it is used with, which have seen each mark already.
 */
import { terminalQuestion } from '../../../src/terminal/shell/mark-speakers.js';
import { parseShellMark } from '../../../src/terminal/shell/osc-marks.js';
import type { OscSequence } from '../../../src/events/osc-notices.js';
import type { CommandMark, ShellFact, ShellInput } from '../../../src/terminal/shell/shell-facts.js';
import { reduce } from '../../../src/terminal/shell/shell-reducer.js';
import {
  type CommandPhase,
  type ShellState,
  isAtPrompt,
  isDone,
  isInputStartDue,
  isPromptDue,
  newShellState,
  reasonForOff,
  remembering,
  shellName,
} from '../../../src/terminal/shell/shell-state.js';

export class CommandMarks {
  state: ShellState = newShellState({ seesWaiting: false });
  readonly #hasTerminal: (aid: string | undefined) => boolean | undefined;

  constructor({
    hasTerminal = () => undefined,
  }: { hasTerminal?: (aid: string | undefined) => boolean | undefined } = {}) {
    this.#hasTerminal = hasTerminal;
  }

  get phase(): CommandPhase {
    return this.state.phase;
  }

  get atPrompt(): boolean {
    return isAtPrompt(this.state);
  }

  get depth(): number {
    return this.state.memory.commands.length;
  }

  get promptIsDue(): boolean {
    return isPromptDue(this.state);
  }

  get inputStartIsDue(): boolean {
    return isInputStartDue(this.state);
  }

  get shell(): string | undefined {
    return shellName(this.state);
  }

  get off(): string | undefined {
    return reasonForOff(this.state);
  }

  feed(sequence: OscSequence): readonly CommandMark[] {
    const parsed = parseShellMark(sequence);
    if (parsed === undefined) return [];
    const question = terminalQuestion(this.state.memory.speakers, parsed, this.shell !== undefined);
    const hasTerminal = question === undefined ? undefined : this.#hasTerminal(question.aid);
    const place = { line: undefined, col: 0 };
    return this.take({ input: 'mark', ...parsed, place, hasTerminal }).flatMap((each) =>
      each.fact === 'mark' ? [each.mark] : [],
    );
  }

  take(input: ShellInput): readonly ShellFact[] {
    const { state, facts } = reduce(this.state, input);
    this.state = state;
    return facts;
  }
}

export class CommandTurns {
  /** The state has seen it. */
  readonly onMark: (mark: CommandMark) => void = () => {};
  readonly #seesWaiting: boolean;
  #marks: CommandMarks | undefined;

  constructor({ seesWaiting = false }: { readonly seesWaiting?: boolean } = {}) {
    this.#seesWaiting = seesWaiting;
  }

  onInput(text: string, marks: CommandMarks): void {
    this.#of(marks).take({ input: 'written', text });
  }

  onWaiting(marks: CommandMarks): boolean {
    const reader = { isShell: true, isIntegrated: true };
    return this.#of(marks)
      .take({ input: 'read', asksForMore: false, reader })
      .some(({ fact }) => fact === 'waiting');
  }

  forget(): void {
    this.#marks?.take({ input: 'marks_lost' });
  }

  isDone(marks: CommandMarks): boolean {
    return isDone(this.#of(marks).state);
  }

  #of(marks: CommandMarks): CommandMarks {
    this.#marks = marks;
    marks.state = remembering(marks.state, { seesWaiting: this.#seesWaiting });
    return marks;
  }
}
