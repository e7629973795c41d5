/** What bounds agents that start agents. Bounds prevent accidents: a program that runs as the user can start what it likes. */
import type { Client } from '../client/client.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import { LABEL, type Member, type Members } from './members.js';
import type { CallerView } from './roles.js';

export interface Limits {
  /** Agents one above the other: the root, and those that it starts. */
  readonly depth: number;
  /** Living members of a session below its root. */
  readonly children: number;
  /** Of a session. */
  readonly spawnsAMinute: number;
}

/** Unless the person has set others. */
export const DEFAULT_LIMITS: Limits = { depth: 2, children: 16, spawnsAMinute: 10 };

const MINUTE_MS = 60_000;

interface Bounds {
  readonly limits: Limits;
  readonly nowMs: number;
}

/** @returns why not; undefined if another may start */
export function whyNoMore(members: Members, session: string, { limits, nowMs }: Bounds): string | undefined {
  const all = members.session(session).filter(({ id }) => id !== session);
  const living = all.filter(({ terminal }) => terminal.alive);
  if (living.length >= limits.children) {
    return `The session "${session}" has ${living.length} living children, which is the limit.`;
  }
  const there = all.filter(({ terminal }) => nowMs - terminal.created_at < MINUTE_MS).length;
  const recent = Math.max(there, startsOf(members.member(session), nowMs).length);
  if (recent >= limits.spawnsAMinute) {
    return `The session "${session}" has started ${recent} within a minute, which is the limit.`;
  }
  return undefined;
}

/** What has been closed since is in no list: the root has its start in a label. @param members before the start */
export async function noteStart(
  client: Client,
  members: Members,
  session: string | null,
  { limits, nowMs }: Bounds,
): Promise<void> {
  const root = session === null ? undefined : members.member(session);
  if (root === undefined) return;
  const starts = [...startsOf(root, nowMs), Math.floor(nowMs / 1000)].slice(-limits.spawnsAMinute);
  try {
    await client.call('label', { id: root.id, set: { [LABEL.starts]: starts.join(' ') } });
  } catch (error) {
    // Another name has control of the root, or it has gone: this one is counted only while it is there.
    if (!isT4aError(error)) throw error;
  }
}

function startsOf(root: Member | undefined, nowMs: number): number[] {
  const text = root?.terminal.labels[LABEL.starts] ?? '';
  return text.split(' ').flatMap((word) => {
    const seconds = Number(word);
    const agoMs = nowMs - seconds * 1000;
    return word !== '' && agoMs >= 0 && agoMs < MINUTE_MS ? [seconds] : [];
  });
}

/** Agents at and above the member; one that is no terminal here, or has been closed, is the root all the same. */
export function agentsFrom({ depth, kind, session }: Member, members: Members): number {
  return depth + (kind === 'agent' ? 1 : 0) + (members.member(session) === undefined ? 1 : 0);
}

/** @param from from where it is to start; without a session it begins one @throws T4aError `over_limit` */
export function checkSpawn(
  members: Members,
  { member, session }: Pick<CallerView, 'member' | 'session'>,
  isAgent: boolean,
  bounds: Bounds,
): void {
  if (session === null) return;
  if (isAgent && member !== null && agentsFrom(member, members) >= bounds.limits.depth) {
    throw new T4aError('over_limit', `"${member.id}" was started by an agent, and starts none itself.`, {
      hint: 'Ask the agent above it.',
    });
  }
  const why = whyNoMore(members, session, bounds);
  if (why !== undefined) throw new T4aError('over_limit', why, { hint: 'Close some, or wait a minute.' });
}
