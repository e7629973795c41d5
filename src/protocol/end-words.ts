/** End of a command or a program, in words, for a person and for a model. */

export interface End {
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The shell has run no command yet. */
  readonly nothing_ran?: boolean | undefined;
  /** Line of a command. */
  readonly command?: string | null | undefined;
}

/** Words for an unknown code, of a shell that reports none, say: never taken for a success. */
const CODE_UNKNOWN = 'exit code unknown, perhaps a failure';

/**
 * Whether it ended well. Null if that is unknown, or it has not ended: neither is a success. Of the outcome `exited` of a wait for
 * something else it is about the program.
 */
export function succeeded({ exit_code: code, signal }: Pick<End, 'exit_code' | 'signal'>): boolean | null {
  if (typeof signal === 'string') return false;
  return typeof code === 'number' ? code === 0 : null;
}

/** `exit code 1 (make test)`, `ended by SIGTERM`; undefined for a reply without an end. */
export function endWords({ exit_code: code, signal, command, nothing_ran: nothingRan }: End): string | undefined {
  if (code === undefined) return undefined;
  if (nothingRan === true) return 'no command has run yet';
  const how = typeof signal === 'string' ? `ended by ${signal}` : codeWords(code);
  return typeof command === 'string' ? `${how} (${command})` : how;
}

/** Words for an end without a signal. */
export function codeWords(code: number | null): string {
  return code === null ? CODE_UNKNOWN : `exit code ${code}`;
}

export interface ReaderWords {
  readonly process: string;
  readonly kind: string;
  readonly certain?: boolean;
}

/** `sh waits for input (line)`, `ssh probably waits for input (raw)`. */
export function waitingWords(reader: ReaderWords): string {
  return `${reader.process} ${probably(reader, 'waits for input')} (${reader.kind})`;
}

/** The word of all clients for what follows from a reader that is only likely. */
export function probably({ certain }: Pick<ReaderWords, 'certain'>, words: string): string {
  return certain === false ? `probably ${words}` : words;
}

interface LeftProcess {
  readonly pid: number;
  readonly process: string;
}

/**
 * Sentences on what a command has left in the background of its terminal, and what became of it, each with a next step if there is
 * one.
 */
export function leftWords({
  ended_processes: ended = [],
  living_processes: living = [],
}: {
  readonly ended_processes?: readonly LeftProcess[] | undefined;
  readonly living_processes?: readonly LeftProcess[] | undefined;
}): readonly { readonly words: string; readonly hint?: string }[] {
  const names = (of: readonly LeftProcess[]): string => of.map(({ pid, process }) => `${process} (${pid})`).join(', ');
  return [
    ...(ended.length === 0
      ? []
      : [
          {
            words: `Ended with the command, which had left it in the background: ${names(ended)}.`,
            hint: 'Start it with nohup or setsid to let it live on.',
          },
        ]),
    ...(living.length === 0 ? [] : [{ words: `Lives on in the background: ${names(living)}.` }]),
  ];
}

/** Word for how the program of a terminal has ended. */
export function endWord({ exit_code: code, signal }: Ended): string {
  return signal ?? `exited ${code ?? ''}`.trimEnd();
}

interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
}
