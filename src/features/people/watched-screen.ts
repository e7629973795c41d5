/** A terminal as its watchers see it: which frames they have, and the state beside the rows. Made with the first watcher. */
import type { Reply } from '../../protocol/registry.js';
import { doingOf, shownDoing } from '../../events/status/doing-view.js';
import { sanitizeTitle } from '../../events/title.js';
import { type FrameDiff, frameDiff } from '../reading/frame-diff.js';
import type { Work } from '../../search/work.js';
import { FrameHistory } from '../reading/frame-history.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import { wireModes } from '../reading/wire-modes.js';
import { hexColor } from '../../vt/rows/row-html.js';
import type { ScreenModes } from '../../vt/input-modes.js';
import type { DynamicColors, Snapshot } from '../../vt/snapshot.js';
import { type Presence, presenceOf } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';

type Frame = Reply<'watch'>;
type State = Pick<
  Frame,
  | 'cols'
  | 'rows'
  | 'title'
  | 'alt_screen'
  | 'modes'
  | 'colors'
  | 'alive'
  | 'bells'
  | 'control'
  | 'watchers'
  | 'asks'
  | 'doing'
>;

/** Modes that programs switch while they draw a frame, and those that have fields of their own. */
const PASSING_MODES: ReadonlySet<string> = new Set<keyof ScreenModes>([
  'altScreen',
  'cursorVisible',
  'origin',
  'wraparound',
  'reverseWraparound',
  'insert',
  'synchronizedOutput',
]);

/** A question of a watcher. */
export interface FrameQuestion {
  readonly state: number;
  /** The frame that the watcher has. Held here while it waits, however long. */
  readonly before: Snapshot | undefined;
}

export class WatchedScreen {
  readonly #terminal: Terminal;
  readonly #nextState: () => number;
  readonly #frames: FrameHistory;
  readonly #firstState: number;
  readonly #presence: Presence;
  #bells = 0;
  #state: State;
  #written: string;
  #number: number;
  #stale = false;

  /** @param nextState never returns a number twice, so that a frame of a removed terminal is not taken for one of its namesake */
  constructor(terminal: Terminal, nextState: () => number) {
    this.#terminal = terminal;
    this.#nextState = nextState;
    this.#frames = new FrameHistory(terminal.clock);
    this.#presence = presenceOf(terminal);
    this.#state = this.#readState();
    this.#written = JSON.stringify(this.#state);
    this.#number = this.#firstState = nextState();
    const changed = (): void => {
      this.#stale = true;
    };
    this.#presence.changed.on(changed);
    terminal.feed.add({
      onParsed: changed,
      onResize: changed,
      onEvent: (event) => {
        if (event.event === 'bell') this.#bells += event.count;
        if (event.event === 'removed') this.#frames.dispose();
        changed();
      },
    });
  }

  question({ since, state }: { since?: number | undefined; state?: number | undefined }): FrameQuestion {
    const present = this.#stateNumber();
    const isOfThisTerminal = state === undefined || (state >= this.#firstState && state <= present);
    const snapshot = this.#terminal.snapshot();
    const known = since === snapshot.rev ? snapshot : since === undefined ? undefined : this.#frames.get(since);
    return { state: state ?? present, before: isOfThisTerminal ? known : undefined };
  }

  /**
   * Resolves to true once the screen is not what the watcher has, and to false after the time.
   * @throws the signal's reason
   */
  changed(question: FrameQuestion, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#differs(question)) return Promise.resolve(true);
    return until<boolean>(signal, ({ resolve }, scope) => {
      const check = (): void => void (this.#differs(question) && resolve(true));
      scope.add(this.#terminal.clock.after(timeoutMs, () => resolve(false)));
      scope.add(this.#presence.changed.on(check));
      scope.add(
        this.#terminal.feed.add({
          onParsed: check,
          onResize: check,
          onEvent: ({ event }) => (event === 'removed' ? resolve(true) : check()),
        }),
      );
    });
  }

  /** What the watcher needs to have the present frame: all of this instant, whenever the work is done. */
  frame({ state: had, before }: FrameQuestion): Work<Frame> {
    const snapshot = this.#terminal.snapshot();
    this.#frames.keep(snapshot);
    const { screen } = this.#terminal;
    const state = this.#stateNumber();
    const shown = this.#state;
    const oldest = screen.firstShownNumber;
    const own = {
      rev: snapshot.rev,
      state,
      first_line: oldest + screen.scrollbackLines,
      cursor: wireCursor(snapshot),
    };
    return frameOf(before, snapshot, ({ complete }) => ({
      ...own,
      ...(complete ? { complete } : {}),
      ...(complete || oldest > 0 ? { oldest } : {}),
      ...(complete || state !== had ? shown : {}),
    }));
  }

  #differs({ state, before }: FrameQuestion): boolean {
    return before?.rev !== this.#terminal.screen.rev || state !== this.#stateNumber();
  }

  #stateNumber(): number {
    if (!this.#stale) return this.#number;
    this.#stale = false;
    const state = this.#readState();
    const written = JSON.stringify(state);
    if (written === this.#written) return this.#number;
    this.#state = state;
    this.#written = written;
    this.#number = this.#nextState();
    return this.#number;
  }

  #readState(): State {
    const terminal = this.#terminal;
    const doing = doingOf(terminal)?.shown;
    return {
      // Keys and clicks of a person are for who reads now.
      ...screenState(terminal, inputModes(terminal)),
      title: terminal.title,
      alive: terminal.state.kind === 'running' || terminal.state.kind === 'draining',
      bells: this.#bells,
      control: terminal.input.gate?.shown ?? null,
      watchers: this.#presence.watchers,
      asks: [...this.#presence.asks],
      ...(doing === undefined ? {} : { doing: shownDoing(doing) }),
    };
  }
}

/** Of a screen of the past, without what is not of the screen. */
export function completeFrame(past: ReadableTerminal): Work<Omit<Frame, 'state'>> {
  const { screen } = past;
  const snapshot = past.snapshot();
  const own = {
    rev: snapshot.rev,
    complete: true,
    first_line: screen.firstShownNumber + screen.scrollbackLines,
    oldest: screen.firstShownNumber,
    cursor: wireCursor(snapshot),
    ...screenState(past),
    title: sanitizeTitle(screen.title),
  };
  return frameOf(undefined, snapshot, () => own);
}

function* frameOf<Own extends object>(
  before: Snapshot | undefined,
  now: Snapshot,
  ownOf: (diff: FrameDiff) => Own,
): Work<Own & Pick<FrameDiff, 'copied' | 'drawn'>> {
  const diff = yield* frameDiff(before, now);
  const { copied, drawn } = diff;
  return { ...ownOf(diff), copied, drawn };
}

function screenState({ screen }: ReadableTerminal, modes: object = screen.modes): Omit<State, 'title'> {
  const { colors } = screen.snapshot();
  const lasting = Object.entries(modes).filter(([name]) => !PASSING_MODES.has(name));
  return {
    cols: screen.cols,
    rows: screen.rows,
    alt_screen: screen.altScreen,
    modes: wireModes(Object.fromEntries(lasting)),
    ...(hasColors(colors) ? { colors: wireColors(colors) } : {}),
  };
}

function wireCursor({ cursor: { row, col, visible, shape, blink } }: Snapshot): Frame['cursor'] {
  return [row, col, visible ? 1 : 0, shape, blink ? 1 : 0];
}

function hasColors({ foreground, background, cursor, palette }: DynamicColors): boolean {
  return palette.size > 0 || [foreground, background, cursor].some((color) => color !== undefined);
}

function wireColors({ foreground, background, cursor, palette }: DynamicColors): NonNullable<State['colors']> {
  const named = Object.entries({ foreground, background, cursor }).flatMap(([name, color]) =>
    color === undefined ? [] : [[name, hexColor(color)]],
  );
  const entries = [...palette].map(([index, color]) => [String(index), hexColor(color)]);
  return {
    ...(Object.fromEntries(named) as Record<string, string>),
    ...(entries.length === 0 ? {} : { palette: Object.fromEntries(entries) as Record<string, string> }),
  };
}
