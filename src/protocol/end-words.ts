/** How a command or a program ended, in words, for a person and for a model. */

export interface End {
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The shell has run no command yet. */
  readonly nothing_ran?: boolean | undefined;
  /** Of a command, its line. */
  readonly command?: string | null | undefined;
}

/** `exit code 1 (make test)`, `ended by SIGTERM`; undefined for a reply without an end. */
export function endWords({ exit_code: code, signal, command, nothing_ran: nothingRan }: End): string | undefined {
  if (code === undefined) return undefined;
  if (nothingRan === true) return 'no command has run yet';
  const how = typeof signal === 'string' ? `ended by ${signal}` : `exit code ${code ?? 'unknown'}`;
  return typeof command === 'string' ? `${how} (${command})` : how;
}
