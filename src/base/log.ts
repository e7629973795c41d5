/** The daemon's log, for people. It never throws and never waits; its owner chooses the sink. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

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
    // One entry stays one line, so that a message cannot forge another entry.
    this.#sink(`${new Date().toISOString()} ${level} ${message.replaceAll(/\r?\n/g, ' | ')}\n`);
  }
}

export const silentLog = new Log(() => {});

function describeError(error: unknown): string {
  if (error instanceof Error) return error.stack ?? `${error.name}: ${error.message}`;
  return String(error);
}
