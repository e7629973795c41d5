/** What a member is doing, from its entries, its questions and its end. What its rules do not show is `unknown`. */
import type { Client } from '../client/client.js';
import type { CallOptions } from '../client/connection.js';
import type { WireEntry } from '../protocol/entry.js';
import { isT4aError } from '../protocol/errors.js';
import type { Member } from './members.js';

export type State = 'blocked' | 'working' | 'waiting' | 'exited' | 'unknown';

export interface Question {
  /** For `if_entry` of `press`: id@version. */
  readonly entry: string;
  readonly text: string;
  /** Row of the screen at which it begins; undefined if it is in none, or an older daemon does not say. */
  readonly top?: number;
}

export interface Doing {
  readonly state: State;
  readonly question: Question | undefined;
}

export interface Seen {
  readonly alive: boolean;
  /** Open questions of `ask`. */
  readonly asks: number;
  /** Undefined: the terminal has no rules. */
  readonly open: readonly WireEntry[] | undefined;
}

export const QUESTION_KINDS = ['permission_request', 'question'] as const;
const KINDS = [...QUESTION_KINDS, 'working'];

export function stateOf({ alive, asks, open }: Seen): Doing {
  if (!alive) return { state: 'exited', question: undefined };
  const question = openQuestion(open);
  if (question !== undefined) return { state: 'blocked', question };
  if (asks > 0) return { state: 'blocked', question: undefined };
  if (open === undefined) return { state: 'unknown', question: undefined };
  return { state: open.some(({ kind }) => kind === 'working') ? 'working' : 'waiting', question: undefined };
}

/** Only agents have rules that show what they do; of a program rules find what it printed. */
export async function readDoing(
  client: Client,
  { id, kind, terminal }: Member,
  options: CallOptions = {},
): Promise<Doing> {
  const seen = { alive: terminal.alive, asks: terminal.asks ?? 0 };
  if (!terminal.alive || kind !== 'agent') return stateOf({ ...seen, open: undefined });
  return stateOf({ ...seen, open: await openEntries(client, id, options) });
}

/** Undefined: the terminal has no rules, or has gone. */
export async function openEntries(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<readonly WireEntry[] | undefined> {
  try {
    const { profile, entries } = await client.call('entries', { id, kinds: KINDS, open: true }, options);
    return profile === null ? undefined : entries;
  } catch (error) {
    if (isT4aError(error) && error.code === 'terminal_not_found') return undefined;
    throw error;
  }
}

/** A request for permission before another question, such as those of a first start: trust, theme, login. */
export function openQuestion(open: readonly WireEntry[] | undefined): Question | undefined {
  const asked =
    open?.findLast(({ kind }) => kind === 'permission_request') ?? open?.findLast(({ kind }) => kind === 'question');
  if (asked === undefined) return undefined;
  const { id, version, data, region } = asked;
  const said = data['question'] ?? data['text'];
  const text = typeof said === 'string' ? said : '';
  return { entry: `${id}@${version}`, text, ...(region ? { top: region.top } : {}) };
}
