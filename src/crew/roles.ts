/** What a caller may do. Roles prevent accidents, not attackers: one user owns the socket. */
import type { Member, Members } from './members.js';

/** `orchestrator`: no agent is above it. `sub-agent`: an agent started it. `process`: anything else, which looks only. */
export const ROLES = ['orchestrator', 'sub-agent', 'process'] as const;

export type Role = (typeof ROLES)[number];

export interface CallerView {
  readonly role: Role;
  /** Its terminal, if it is a member; null for a process and for an external orchestrator. */
  readonly member: Member | null;
  /** Whose members it sees; null: none. */
  readonly session: string | null;
}

/** @param terminal that the caller is in @param external session of a client that is in no terminal, and that was started as its orchestrator */
export function viewOf(members: Members, terminal: string | undefined, external: string | undefined): CallerView {
  if (external !== undefined) return { role: 'orchestrator', member: null, session: external };
  const member = terminal === undefined ? undefined : members.nearest(terminal);
  if (member === undefined) return { role: 'process', member: null, session: null };
  const { session, kind } = member;
  // A shell that an agent has started, and what runs in it, is none.
  if (member.id !== terminal || kind !== 'agent') return { role: 'process', member, session };
  return { role: member.id === session && member.depth === 0 ? 'orchestrator' : 'sub-agent', member, session };
}

/** Whether the caller may act on the member: it is below it, at any depth. */
export function mayAct({ member, session }: CallerView, target: Member, members: Members): boolean {
  if (target.session !== session) return false;
  return member === null ? true : members.isBelow(target.id, member.id);
}
