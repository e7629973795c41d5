/** What its users have said about a terminal: labels, the terminal that it was created from within, and who made it. */
import { type HasParts, PartKey } from '../base/parts.js';

export interface TerminalIdentity {
  labels: Readonly<Record<string, string>>;
  /** Null if unknown, or none of this daemon's. */
  readonly parent: string | null;
  /** Name of the author of the request that made it; undefined if it named none. It grants nothing. */
  readonly owner?: string | undefined;
}

const IDENTITY = new PartKey<TerminalIdentity>(() => ({ labels: {}, parent: null }));

export function identify(terminal: HasParts, identity: TerminalIdentity): void {
  terminal.part(IDENTITY).value = identity;
}

export function identityOf(terminal: HasParts): TerminalIdentity {
  return terminal.part(IDENTITY).value;
}
