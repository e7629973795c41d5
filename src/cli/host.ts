import type { LentConnections } from '../client/kept-connections.js';
import type { Files } from './files.js';
import type { ConfigFile, OnRefused } from '../protocol/config-file.js';

/** Facts of the place in which the CLI runs, and its outputs: main.ts makes one of the process, tests of values. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Group of the commands that share their "@"; undefined for all. */
  scope(): string | undefined;
  /** The process that started the caller. */
  parent(): { readonly pid: number; readonly started?: string };
  /** @throws where the directory was removed; T4aError `usage` where its name is no UTF-8 */
  cwd(): string;
  /** Whether the arguments are what the caller gave: what is no UTF-8 is not. Default: they are. */
  hasWholeArguments?(): boolean;
  /** Files that arguments name. */
  readonly files: Files;
  /** Undefined where there is none, or it may not be read. @throws T4aError where it cannot be read */
  configFile(onRefused?: OnRefused): ConfigFile | undefined;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** Columns of the terminal that standard output is; undefined where it is none. */
  columns(): number | undefined;
  /** Rows of it. */
  rows(): number | undefined;
  stdin(): AsyncIterable<Uint8Array>;
  /** Whether standard input is a pipe or a file with bytes that nobody has read; none of them is read. */
  hasUnreadStdin?(): Promise<boolean>;
  /** Connections that the process keeps from one command line to the next. Absent where it runs one. */
  readonly kept?: LentConnections;
  /** Keys as they are pressed, without echo. @returns what ends that */
  keys(onKeys: (keys: string) => void): () => void;
  /** The first SIGINT; the process ends with the next one, or if the answer is false. @returns what ends that */
  interrupted?(onInterrupt: () => Promise<boolean>): () => void;
  /**
   * Data. On a terminal a string is made harmless first (sanitize.ts); what is to act on the terminal is given as bytes.
   * @throws {@link ClosedOutput}
   */
  out(data: string | Uint8Array): void;
  /** Whoever prints without an end waits for its reader so. Absent where `out` itself waits. */
  drained?(): Promise<void>;
  /**
   * All that was printed is where it goes, and the process ends with that status. Absent where `out` itself waits.
   * @throws as {@link Host.out} does; then nothing has ended
   */
  delivered?(status: number): Promise<void>;
  /** Writes a note for people. */
  note(text: string): void;
  /** Shows the progress of long work, on a terminal only; each text replaces the last, and an empty one ends it. */
  progress(text: string): void;
}

/** Whoever read standard output has gone, as in `t4a events | head -1`. Nothing is wrong, and nothing is left to do. */
export class ClosedOutput extends Error {}
