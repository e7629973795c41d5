/** What the page takes of lists of terminals and questions: those of another host may be cut, or none at all. Pure. */
import type { Reply } from '../protocol/registry.js';

export type TerminalState = Reply<'list'>['terminals'][number];
export type Ask = Reply<'asks'>['asks'][number];

export interface Listed {
  readonly terminals: Reply<'list'>['terminals'];
  /** Sentences on what it lacks. */
  readonly lacks: readonly string[];
}

/** @param name of the daemon that gave it */
export function listed(name: string, { terminals, unreachable = [], aliases = [] }: Partial<Reply<'list'>>): Listed {
  if (!Array.isArray(terminals)) return { terminals: [], lacks: ['It gives no list of its terminals.'] };
  const lacks = [
    ...unreachable.map(({ host, error }) => (host === name ? error : `${host}: ${error}`)),
    ...aliases.map(({ host, of }) => `${host}: Its daemon says that it is the one of ${of}.`),
  ];
  return { terminals, lacks };
}

/** Of another host it may be none. */
export function askedIn({ asks }: Partial<Reply<'asks'>>): Reply<'asks'>['asks'] {
  return Array.isArray(asks) ? asks : [];
}
