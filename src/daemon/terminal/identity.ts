/** What its users have said about a terminal: labels, the terminal that it was created from within, and who made it. */
import type { Terminal } from './terminal.js';

export interface TerminalIdentity {
  labels: Readonly<Record<string, string>>;
  /** Null if unknown, or none of this daemon's. */
  readonly parent: string | null;
  /** Name of the author of the request that made it; undefined if it named none. It grants nothing. */
  readonly owner?: string | undefined;
}

const identities = new WeakMap<Terminal, TerminalIdentity>();

export function identify(terminal: Terminal, identity: TerminalIdentity): void {
  identities.set(terminal, identity);
}

export function identityOf(terminal: Terminal): TerminalIdentity {
  const own = identities.get(terminal) ?? { labels: {}, parent: null };
  identities.set(terminal, own);
  return own;
}
