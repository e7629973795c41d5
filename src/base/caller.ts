/**
 * For whom this process works: for itself, or for one of several callers that hand their command lines over to it. What a caller has
 * belongs to the code that runs for it, and to nothing else in the process; all bundles see the same.
 */

/** Caller. All that is absent is the process's own. */
export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @throws where the directory was removed */
  cwd(): string;
  /** The text of a file of settings. @throws as readSettingsFile does */
  readSettings?(path: string): string;
  isThere?(path: string): boolean;
  /** Path of the daemon, by the one that the caller has named. @throws once the caller has gone */
  socket?(named: string | undefined): string | undefined;
  /** A connection of the caller's, which ends with it. */
  opened?(connection: { destroy(): unknown }): void;
  /** Before a process is started in the name of the caller. @throws where the caller starts its own */
  starts?(): void;
}

const KEY = Symbol.for('t4a.caller');
type Found = () => Caller | undefined;
const shared = globalThis as { [KEY]?: Found };

/** Undefined: the process works for itself. */
export function callerHere(): Caller | undefined {
  return shared[KEY]?.();
}

/** The process works for others from now on. */
export function workForCallers(found: Found): void {
  shared[KEY] = found;
}
