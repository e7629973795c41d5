/** What a terminal is doing, for people: its chip, and whether it needs somebody. The same everywhere on the page. Pure. */
import { endWord } from '../protocol/end-words.js';
import { listedWord, STATE_LOOKS, stateKind, type StateKind } from '../mirror/doing-word.js';
import { programTitle, titleThatWasSet } from '../protocol/program-title.js';
import { callFor, needOf } from '../protocol/needs-person.js';
import { safeText } from '../mirror/safe-text.js';
import type { Ask, TerminalState } from './listed.js';
import { timeOfDay } from './time-words.js';

export interface StateChip {
  readonly kind: StateKind;
  readonly word: string;
}

export function stateOf(daemon: { readonly isOpen: boolean }, terminal: TerminalState): StateChip {
  if (!terminal.alive) return { kind: stateKind(terminal), word: endWord(terminal) };
  // Its list is that of before the connection was lost.
  if (!daemon.isOpen) return { kind: 'unknown', word: 'unknown' };
  return { kind: stateKind(terminal), word: listedWord(terminal) };
}

/** What a terminal of a crew is there, by its labels: its name, if it has another than its id, and its preset. Empty for others. */
export function crewWords({ id, labels }: Pick<TerminalState, 'id' | 'labels'>): string {
  // Another host may leave them out.
  const { 'crew.name': name, 'crew.preset': preset } = (labels as typeof labels | undefined) ?? {};
  return [name === id ? undefined : name, preset].filter((word) => typeof word === 'string' && word !== '').join(' · ');
}

/** Program in the foreground, for a place beside the name. Empty if the name says the same. */
export function programBeside({ id, foreground, cmd }: Pick<TerminalState, 'id' | 'foreground' | 'cmd'>): string {
  const program = foreground ?? programTitle(cmd);
  return program === id ? '' : safeText(program);
}

/** Title, unless its name, its program or its chip says the same already. */
export function titleOf(terminal: TerminalState, chip: StateChip): string {
  const title = titleThatWasSet(terminal);
  return [terminal.id, terminal.foreground, chip.word].includes(title) ? '' : title;
}

const MOST_WORDS = 120;

/** The line below a name. */
export interface Subtitle {
  /** Empty if there is nothing to say. */
  readonly words: string;
  /** Time of day since which a person is needed; empty if none is. */
  readonly since: string;
  readonly isQuestion: boolean;
}

/** @param asks of this terminal; the oldest one is shown */
export function subtitleOf(terminal: TerminalState, chip: StateChip, asks: readonly Ask[]): Subtitle {
  const [ask] = asks;
  const words = ask === undefined ? '' : questionInLine(ask);
  if (ask !== undefined && words !== '') return { words, since: timeOfDay(ask.since), isQuestion: true };
  const { alive, doing } = terminal;
  const since = alive && needOf({ doing }) !== null ? (doing?.since ?? null) : null;
  const title = titleOf(terminal, chip);
  if (since === null || title !== '')
    return { words: title, since: since === null ? '' : timeOfDay(since), isQuestion: false };
  return { words: `since ${timeOfDay(since)}`, since: '', isQuestion: false };
}

/** The first line of a question with text, without the marks of its code. */
export function questionInLine({ question }: Pick<Ask, 'question'>): string {
  const lines = question.split('\n').map((line) => safeText(line).replaceAll('`', ''));
  return (lines.find((line) => line.trim() !== '') ?? '').slice(0, MOST_WORDS);
}

/** Who needs somebody first: asks, waits, failed, works, idle, out of reach, ended. A guess comes and goes, and moves nothing. */
export function rankOf(
  { kind }: StateChip,
  { alive, doing }: Pick<TerminalState, 'alive' | 'doing'>,
  asks: number,
): number {
  if (asks > 0) return 0;
  if (!alive) return ENDED_RANK;
  const isGuess = doing?.sure === false && kind !== 'waits';
  return STATE_LOOKS[isGuess ? 'ready' : kind].rank;
}

const ENDED_RANK = 6;

/** A terminal, or an agent without one, that somebody must look at. */
export interface Need {
  readonly daemon: string;
  /** Null for a question that is about no terminal. */
  readonly id: string | null;
  readonly what: 'asks' | 'waits' | 'failed';
  /** One of its time: another question of the same terminal is another need. */
  readonly key: string;
}

interface Needy {
  readonly name: string;
  readonly asks: readonly Ask[];
  readonly terminals: readonly TerminalState[];
}

/** Questions of `ask` are in a list of their own. */
const CALLED = { ask: undefined, waiting: 'waits', failed: 'failed' } as const;

/** Questions first, then programs that say themselves, or by their screens, that they wait or have failed. */
export function needsOf(daemons: Iterable<Needy>): Need[] {
  return [...daemons].flatMap(({ name: daemon, asks, terminals }) => [
    ...asks.map(({ ask, id }): Need => ({ daemon, id, what: 'asks', key: JSON.stringify([daemon, id, 'asks', ask]) })),
    ...terminals.flatMap(({ id, doing }): Need[] => {
      const need = needOf({ doing });
      const what = need === null ? undefined : CALLED[callFor(need)];
      if (what === undefined) return [];
      return [{ daemon, id, what, key: JSON.stringify([daemon, id, what, doing?.since]) }];
    }),
  ]);
}
