/** The daemon's log, for people. It never throws and never waits; its owner chooses the sink. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

// C0 without tab, DEL, C1; line and paragraph separators; bidirectional embeddings, overrides, isolates and marks.
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export type LogSink = (line: string) => void;

export class Log {
  readonly #sink: LogSink;
  #threshold: number;
  #errors = 0;

  constructor(sink: LogSink, level: LogLevel = 'info') {
    this.#sink = sink;
    this.#threshold = LEVELS.indexOf(level);
  }

  get level(): LogLevel {
    return LEVELS[this.#threshold] ?? 'info';
  }

  set level(level: LogLevel) {
    this.#threshold = LEVELS.indexOf(level);
  }

  /** Entries of level `error` so far. */
  get errors(): number {
    return this.#errors;
  }

  error(message: string, error?: unknown): void {
    this.#errors++;
    this.#write('error', error === undefined ? message : `${message}: ${describeError(error)}`);
  }

  warn(message: string): void {
    this.#write('warn', message);
  }

  info(message: string): void {
    this.#write('info', message);
  }

  debug(message: string): void {
    this.#write('debug', message);
  }

  #write(level: LogLevel, message: string): void {
    if (LEVELS.indexOf(level) > this.#threshold) return;
    // One entry stays one line, so that a message cannot forge another entry, and does nothing on a terminal: paths and names may hold anything.
    const line = message.replaceAll(/\r?\n/g, ' | ').replaceAll(UNPRINTABLE, escaped);
    this.#sink(`${new Date().toISOString()} ${level} ${line}\n`);
  }
}

export const silentLog = new Log(() => {});

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function describeError(error: unknown): string {
  if (error instanceof Error) return error.stack ?? `${error.name}: ${error.message}`;
  return String(error);
}
