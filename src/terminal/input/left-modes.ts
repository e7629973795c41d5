/**
 * Modes that a command has left behind: set while it had the terminal, and not reset by its end. Who reads then never asked
 * for them, so input is encoded as if they were off, until a program sets them anew. What the screen does stays as it is.
 */
import { DEFAULT_INPUT_MODES, type InputModeName, type ModesMoment, type ScreenModes } from '../../vt/input-modes.js';

const { mouseEncoding: _, ...OF_INPUT } = DEFAULT_INPUT_MODES;

/** With the values that they have while no program has set them. */
const FOLLOWED = {
  ...OF_INPUT,
  altScreen: false,
  cursorVisible: true,
  reverseScreen: false,
  origin: false,
  wraparound: true,
  insert: false,
} satisfies Partial<ScreenModes>;

export type FollowedMode = keyof typeof FOLLOWED;

const NAMES = Object.keys(FOLLOWED) as FollowedMode[];

interface Left {
  /** What the next reader expects. */
  readonly value: ScreenModes[InputModeName];
  /** Of the mode, at the command's end. */
  readonly changes: number;
}

export interface FrozenLeftModes {
  readonly left: ReadonlyMap<InputModeName, Left>;
  readonly start: ModesMoment | undefined;
  readonly takesPastes: boolean;
}

export class LeftModes {
  readonly #left = new Map<InputModeName, Left>();
  #start: ModesMoment | undefined;
  /** The shell itself takes pastes at its prompt, and may say so before it marks the end of a command. */
  #takesPastes = false;

  freeze(): FrozenLeftModes {
    return { left: new Map(this.#left), start: this.#start, takesPastes: this.#takesPastes };
  }

  restore({ left, start, takesPastes }: FrozenLeftModes): void {
    for (const [name, each] of left) this.#left.set(name, each);
    this.#start = start;
    this.#takesPastes = takesPastes;
  }

  /** The prompt is complete. */
  atPrompt(moment: ModesMoment | undefined): void {
    this.begin(moment);
    this.#takesPastes = this.#start?.modes.bracketedPaste === true;
  }

  /** A command begins. */
  begin(moment: ModesMoment | undefined): void {
    this.#start = moment === undefined ? undefined : { modes: this.effective(moment), changes: moment.changes };
  }

  /** @returns the modes that it has left, none if unknown */
  end(moment: ModesMoment | undefined): readonly FollowedMode[] {
    const start = this.#start;
    if (start === undefined || moment === undefined) return [];
    const left = NAMES.filter(
      (name) => isLeft(name, start, moment) && !(name === 'bracketedPaste' && this.#takesPastes),
    );
    for (const name of left) {
      if (isOfInput(name)) this.#left.set(name, { value: start.modes[name], changes: moment.changes[name] });
    }
    return left;
  }

  /** The modes for input that is written now. */
  effective({ modes, changes }: ModesMoment): ScreenModes {
    if (this.#left.size === 0) return modes;
    const expected: Partial<Record<InputModeName, ScreenModes[InputModeName]>> = {};
    for (const [name, left] of this.#left) {
      if (changes[name] === left.changes) expected[name] = left.value;
      else this.#left.delete(name);
    }
    return { ...modes, ...(expected as Partial<ScreenModes>) };
  }
}

function isLeft(name: FollowedMode, start: ModesMoment, end: ModesMoment): boolean {
  // A shell resets modes of its own after the mark of a start.
  if (end.modes[name] === start.modes[name] || end.modes[name] === FOLLOWED[name]) return false;
  // Left by an earlier one, and not touched since.
  return !isOfInput(name) || end.changes[name] !== start.changes[name];
}

function isOfInput(name: FollowedMode): name is FollowedMode & InputModeName {
  return Object.hasOwn(OF_INPUT, name);
}
