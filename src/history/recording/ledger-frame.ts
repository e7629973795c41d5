/**
 * Frames of a ledger, the raw output of one terminal as it came: the length of the payload (varint), one byte for what it is, the time
 * (64 bits, little endian, nanoseconds since the Unix epoch), the payload. The framing is that of orbitmesh's raw.ptylog, which
 * has only {@link OUTPUT}; a reader leaves out kinds that it does not know.
 */

/** Version of the form of frames and of their meaning; a reader refuses a higher one. */
export const LEDGER_VERSION = 1;

/** Bytes of the program, as it wrote them. */
export const OUTPUT = 0;
/** JSON: see `LedgerStart`. The first frame, and only the first. */
export const START = 2;
/** "COLSxROWS". */
export const RESIZE = 3;
/** The exit status. Further frames follow if the program was started again. */
export const EXIT = 4;
/** Rules have read the screen; "last" after all output. */
export const LOOK = 5;
/** JSON: how many bytes of the program are missing here. */
export const GAP = 6;
/** Bytes that bring the screen to what it showed, and are none of the program's. */
export const REPAINT = 7;
/** A marker, its label. */
export const MARK = 8;

export interface LedgerStart {
  readonly ledger: number;
  readonly t4a: string;
  readonly terminal: string;
  readonly cols: number;
  readonly rows: number;
  readonly command: readonly string[];
}

export const TIME_BYTES = 8;
const BYTE_BITS = 7;
const CONTINUES = 0x80;

export function frame(kind: number, payload: Uint8Array, nanoseconds: bigint): Uint8Array {
  const length = varint(payload.length);
  const bytes = Buffer.allocUnsafe(length.length + 1 + TIME_BYTES + payload.length);
  bytes.set(length);
  bytes[length.length] = kind;
  bytes.writeBigInt64LE(nanoseconds, length.length + 1);
  bytes.set(payload, length.length + 1 + TIME_BYTES);
  return bytes;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= CONTINUES; rest >>>= BYTE_BITS) bytes.push((rest & (CONTINUES - 1)) | CONTINUES);
  return [...bytes, rest];
}

/** Most bytes of the length of a payload, which has at most 16 MiB. */
const MAX_VARINT_BYTES = 4;

/** Undefined if it is cut off; NaN if it is none. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value |= (byte & (CONTINUES - 1)) << (i * BYTE_BITS);
    if ((byte & CONTINUES) === 0) return { value, end: at + i + 1 };
  }
  return { value: Number.NaN, end: at + MAX_VARINT_BYTES };
}
