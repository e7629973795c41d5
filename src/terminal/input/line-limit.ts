/** The longest line that the reader of a terminal keeps: what is beyond it would be dropped without a word. */
import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { T4aError } from '../../protocol/errors.js';
import { MAX_SECRET_BYTES } from '../../protocol/input.js';
import type { TerminalFlags } from '../../events/secrecy.js';
import { endsLine } from './unended-line.js';

/** The line editor of busybox, as distributions build it. */
const BUSYBOX_BYTES = 1022;

/** The part of a terminal that is asked. */
export interface LineReader {
  flags(): Promise<TerminalFlags | undefined>;
  readonly foregroundGroup: number;
  readonly input: { readonly unendedBytes: number };
}

/**
 * To be called right before the bytes are written. @param field of the request that holds them
 * @throws T4aError invalid_field
 */
export async function assertLinesFit(terminal: LineReader, bytes: Uint8Array, field: string): Promise<void> {
  const before = terminal.input.unendedBytes;
  const longest = longestLine(bytes, before);
  if (longest <= BUSYBOX_BYTES) return;
  const flags = await terminal.flags();
  if (flags === undefined) return;
  const most = flags.canonical ? MAX_SECRET_BYTES : isBusybox(terminal.foregroundGroup) ? BUSYBOX_BYTES : Infinity;
  if (longest <= most) return;
  const why = flags.canonical
    ? 'the kernel keeps of a line for the program that reads'
    : 'the shell of busybox keeps of a line';
  const line = `A line in "${field}" has ${longest} bytes${before > 0 ? ' with what was sent of it before' : ''}`;
  throw new T4aError('invalid_field', `${line}, and ${why} at most ${most}.`, {
    field,
    hint: 'Give shorter lines, or write a file and name it.',
  });
}

/** @param before bytes of the first line that were sent already */
function longestLine(bytes: Uint8Array, before: number): number {
  if (before + bytes.length <= BUSYBOX_BYTES) return before + bytes.length;
  let longest = 0;
  let start = -before;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== undefined && !endsLine(byte)) continue;
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  return longest;
}

function isBusybox(pid: number): boolean {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)) === 'busybox';
  } catch {
    return false; // ENOENT: no /proc, or it has ended. EACCES: another user's.
  }
}
