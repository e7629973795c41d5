/**
 * Reads a recording in a thread of its own, which is started for the file, has a bound on its memory, and ends with it. The thread is
 * ended at once when the reading is cancelled, whatever it does.
 */
import { Worker } from 'node:worker_threads';
import { T4aError, quote } from '../../protocol/errors.js';
import type { RecordingEvent } from '../../history/recording/recording-event.js';
import type { ReadingEnd } from '../../history/recording/read-recording.js';
import { type ReadingReport, type ReadingRequest, type ReadingTask, unpackedEvent } from './reading-messages.js';
import { threadProgram } from './reading-thread-program.js';

/** A line of 16 MiB is there up to six times, two bytes a character. */
const HEAP_MB = 192;
const YOUNG_MB = 16;

const NEXT: ReadingRequest = 'next';

export type FileEnd = ReadingEnd & { readonly durationMs: number };

export interface FileReaderOptions {
  readonly signal: AbortSignal;
  /** Source code of the thread: CommonJS. */
  readonly program?: () => string;
  readonly heapMb?: number;
}

/**
 * Its events, some at a time. The first is the start.
 * @throws T4aError recording_not_found, recording_invalid; the signal's reason
 */
export async function* readFileBeside(
  task: ReadingTask,
  { signal, program = threadProgram, heapMb = HEAP_MB }: FileReaderOptions,
): AsyncGenerator<readonly RecordingEvent[], FileEnd> {
  signal.throwIfAborted();
  const reports = new Reports();
  const thread = new Worker(program(), {
    eval: true,
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const onAbort = (): void => reports.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  thread.on('message', (report: ReadingReport) => reports.add(report));
  thread.on('error', (error: Error) => reports.fail(failure(task.path, error, heapMb)));
  thread.on('exit', () => reports.fail(failure(task.path, undefined, heapMb)));
  try {
    for (;;) {
      const report = await reports.next();
      if (report.kind === 'end') return { ...report.end, durationMs: report.durationMs };
      if (report.kind === 'refused') throw new T4aError(report.code, report.message, report.details);
      yield report.events.map((event) => unpackedEvent(event, report.output));
      thread.postMessage(NEXT);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    void thread.terminate();
  }
}

/** What has come and is not taken; the thread bounds it. An error comes before what is left. */
class Reports {
  readonly #waiting: ReadingReport[] = [];
  #error: { readonly reason: unknown } | undefined;
  #wake = (): void => {};

  add(report: ReadingReport): void {
    this.#waiting.push(report);
    this.#wake();
  }

  /** The first reason counts. */
  fail(reason: unknown): void {
    // It has ended by itself, after its last report.
    const last = this.#waiting.at(-1)?.kind;
    if (last === 'end' || last === 'refused') return;
    this.#error ??= { reason };
    this.#wake();
  }

  async next(): Promise<ReadingReport> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error.reason;
      const report = this.#waiting.shift();
      if (report !== undefined) return report;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function failure(path: string, error: Error | undefined, heapMb: number): Error {
  if (error !== undefined && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const what = `${quote(path)} takes more than ${heapMb} MB of memory to read.`;
    return new T4aError('recording_invalid', what, { field: 'path' });
  }
  return error ?? new Error('the thread that reads a recording has ended');
}
