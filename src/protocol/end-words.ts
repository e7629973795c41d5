/** How a command or a program ended, in words, for a person and for a model. */

export interface End {
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** Of a command, its line. */
  readonly command?: string | null | undefined;
}

/** `exit code 1 (make test)`, `ended by SIGTERM`; undefined for a reply without an end. */
export function endWords({ exit_code: code, signal, command }: End): string | undefined {
  if (code === undefined) return undefined;
  const how = typeof signal === 'string' ? `ended by ${signal}` : `exit code ${code ?? 'unknown'}`;
  return typeof command === 'string' ? `${how} (${command})` : how;
}
