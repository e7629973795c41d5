/**
 * Entry file of the thread that writes recordings: one for all of them, from the first to the last. Events become lines here, are
 * compressed and written.
 */
import { parentPort } from 'node:worker_threads';
import { errnoOf } from '../../base/errno.js';
import { AsciicastWriter, type CastCode, type CastHeader } from '../../history/recording/asciicast-writer.js';
import { type LedgerCode, LedgerWriter } from '../../history/recording/ledger-writer.js';
import { RecordingFile } from './recording-file.js';
import { type CastEvent, type NewFile, weightOf, type WriterReport, type WriterRequest } from './writer-messages.js';

interface OpenRecording {
  readonly file: RecordingFile;
  readonly lines: Lines;
}

interface Lines {
  header(header: CastHeader): string | Uint8Array;
  event(event: CastEvent): string | Uint8Array;
}

const recordings = new Map<number, OpenRecording>();

parentPort?.on('message', (request: WriterRequest) => {
  if (request.kind === 'open') return open(request.file, request.facts);
  const recording = recordings.get(request.file);
  // Its end may have been reported after the request was made.
  if (recording === undefined) return;
  if (request.kind === 'append') append(recording, request.event);
  else if (request.kind === 'settle')
    void recording.file.settle().then(() => report({ kind: 'settled', file: request.file }));
  else void recording.file.finish();
});

function open(number: number, { form, path, maxBytes, minFreeBytes, header, startMs, resumed }: NewFile): void {
  const onWritten = (weight: number, size: number): void => report({ kind: 'written', file: number, weight, size });
  const file = new RecordingFile({ path, maxBytes, minFreeBytes, onWritten, inode: resumed?.inode });
  const lines = form === 'ledger' ? framesFrom(startMs, header, resumed?.lastMs) : linesFrom(startMs, resumed?.lastMs);
  if (resumed === undefined) file.append(() => lines.header(header), 0);
  recordings.set(number, { file, lines });
  void file.opened.then(
    (inode) => report({ kind: 'opened', file: number, inode }),
    () => {},
  );
  void file.closed.then((error) => {
    recordings.delete(number);
    report({ kind: 'closed', file: number, error: error && { message: error.message, code: errnoOf(error) } });
  });
}

function append({ file, lines }: OpenRecording, event: CastEvent): void {
  file.append(() => lines.event(event), weightOf(event));
}

function linesFrom(startMs: number, lastMs?: number): Lines {
  const lines = new AsciicastWriter(startMs);
  if (lastMs !== undefined) lines.resume(lastMs);
  return {
    header: (header) => lines.header(header),
    event: ({ code, text, ms }) => {
      const decoded = typeof text === 'string' ? text : Buffer.from(text.buffer).toString('latin1');
      return lines.event(code as CastCode, decoded, ms);
    },
  };
}

function framesFrom(startMs: number, { startedAtMs }: CastHeader, lastMs?: number): Lines {
  const frames = new LedgerWriter(startMs);
  if (lastMs !== undefined) frames.resume(startedAtMs, lastMs);
  return {
    header: (header) => frames.header(header),
    event: ({ code, text, ms }) => frames.event(code as LedgerCode, text, ms),
  };
}

function report(message: WriterReport): void {
  parentPort?.postMessage(message);
}
