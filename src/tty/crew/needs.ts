/** The members that need the person, by the word of the daemon, longest first. Pure. */
import { type OpenAsk, oneLine } from '../ask-card.js';
import { endedWord, type Member } from '../../crew/members.js';
import { doingWord } from '../../mirror/doing-word.js';

export interface Need {
  readonly member: Member;
  /** Milliseconds since the epoch; undefined if nothing says. */
  readonly since: number | undefined;
  /** Words of the asker, or of the screen; empty if there are none. */
  readonly text: string;
  /** The question of `ask`, if it is one. */
  readonly ask: OpenAsk | undefined;
}

export interface NeedParts {
  readonly members: readonly Member[];
  readonly asks: readonly OpenAsk[];
  /** Question of the dialogue of a terminal, as it was when it appeared. */
  readonly questionOf: (id: string) => string;
}

export function membersNeeds({ members, asks, questionOf }: NeedParts): readonly Need[] {
  return members
    .map((member) => ({ member, ask: asks.find(({ id, as }) => (id ?? as) === member.id) }))
    .filter(({ member, ask }) => member.terminal.alive && (ask !== undefined || member.need !== null))
    .map(({ member, ask }): Need => {
      const { doing } = member.terminal;
      if (ask !== undefined) return { member, since: ask.since, text: oneLine(ask.question), ask };
      return { member, since: doing?.since ?? undefined, text: oneLine(questionOf(member.id)), ask: undefined };
    })
    .toSorted((one, other) => (one.since ?? Number.POSITIVE_INFINITY) - (other.since ?? Number.POSITIVE_INFINITY));
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Empty within the first minute. */
export function ageOf(since: number | undefined, nowMs: number): string {
  if (since === undefined || nowMs - since < MINUTE_MS) return '';
  const ageMs = nowMs - since;
  return ageMs < HOUR_MS ? `${Math.floor(ageMs / MINUTE_MS)}m` : `${Math.floor(ageMs / HOUR_MS)}h`;
}

/** Word for what a member does. For a shell the title says it. */
export function stateWord(member: Member, needs: boolean): string {
  const { terminal, need } = member;
  if (!terminal.alive) return endedWord(member);
  // A question of `ask` is none of the program's.
  if (needs && (need === null || need === 'ask')) return 'asks';
  return doingWord(terminal.doing) || (needs ? 'asks' : '');
}
