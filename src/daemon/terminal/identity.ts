/** What its users have said about a terminal: labels, and the terminal that it was created from within. */
import type { Terminal } from './terminal.js';

export interface TerminalIdentity {
  labels: Readonly<Record<string, string>>;
  /** Null if unknown, or none of this daemon's. */
  readonly parent: string | null;
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
