/** Messages between the daemon and the thread that writes its recordings. A file has a number of its own. */
import type { CastCode, CastHeader } from '../../history/recording/asciicast-writer.js';
import type { LedgerCode } from '../../history/recording/ledger-writer.js';

/** A line of a recording to come. */
export interface CastEvent {
  readonly code: CastCode | LedgerCode;
  /** Bytes are plain ASCII, in a ledger any, and transferred to the thread. */
  readonly text: string | Uint8Array<ArrayBuffer>;
  /** Monotonic milliseconds of the daemon. */
  readonly ms: number;
}

export interface NewFile {
  /** Default: an asciicast. */
  readonly form?: 'ledger';
  /** Ends with .gz if the file is to be compressed. */
  readonly path: string;
  readonly maxBytes: number;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
  readonly header: CastHeader;
  /** Of the header, in the time of {@link CastEvent}. */
  readonly startMs: number;
  /** The file of a daemon before: it is there, with its header. */
  readonly resumed?: ResumedFile | undefined;
}

export interface ResumedFile {
  readonly inode: number;
  /** Of its last event, in the time of {@link CastEvent}. */
  readonly lastMs: number;
  /** Bytes. */
  readonly size: number;
}

/** Memory of an event beside its text: some objects. Its line has less than that beside the text. */
const EVENT_BYTES = 256;

/** A string that is not plain ASCII has two for each of its units; one that is may have one. */
const UNIT_BYTES = 2;

/** Memory that an event takes until its line is made: what the bound on unwritten events counts. */
export function weightOf({ text }: CastEvent): number {
  return EVENT_BYTES + (typeof text === 'string' ? UNIT_BYTES * text.length : text.length);
}

/** Bytes of the line, at most, by the weight of its event: a control character takes six (`\u001b`). */
export const MAX_LINE_SHARE = 6;

export type WriterRequest =
  | { readonly kind: 'open'; readonly file: number; readonly facts: NewFile }
  | { readonly kind: 'append'; readonly file: number; readonly event: CastEvent }
  /** Write what has come, so that another process can go on with the file. */
  | { readonly kind: 'settle'; readonly file: number }
  /** Write what has come, then close. */
  | { readonly kind: 'finish'; readonly file: number };

export type WriterReport =
  | { readonly kind: 'opened'; readonly file: number; readonly inode: number }
  /** All that came before that request is in the file. */
  | { readonly kind: 'settled'; readonly file: number }
  /** These events are in the file, which has this size now. */
  | { readonly kind: 'written'; readonly file: number; readonly weight: number; readonly size: number }
  /** The last report about this file. */
  | { readonly kind: 'closed'; readonly file: number; readonly error: WriteError | undefined };

/** An error as both threads have it. */
export interface WriteError {
  readonly message: string;
  /** The system's name for it. */
  readonly code: string | undefined;
}
