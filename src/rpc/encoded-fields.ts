/** Replies of which some fields are JSON already: the largest are encoded in pieces before, between which others are served. */
import { HEADER_ALIGNMENT_BYTES } from '../protocol/limits.js';

/** Fields by their names; each value in pieces, one behind the other. */
export type EncodedFields = Readonly<Record<string, readonly Uint8Array[]>>;

/** The reply of a command without raw bytes, and the fields that it has beside. */
export class EncodedReply<Reply> {
  readonly reply: Partial<Reply>;
  readonly encoded: EncodedFields;

  constructor(reply: Partial<Reply>, encoded: EncodedFields) {
    this.reply = reply;
    this.encoded = encoded;
  }
}

/** A line in pieces, which are handed on without a copy. */
export interface LineInPieces {
  readonly first: Uint8Array;
  readonly rest: readonly Uint8Array[];
}

/** @param header has at least one field @param isPadded see `encodePaddedLine` */
export function lineWithFields(header: object, fields: EncodedFields, isPadded: boolean): LineInPieces {
  const first = Buffer.from(JSON.stringify(header).slice(0, -1));
  const rest: Uint8Array[] = [];
  for (const [name, pieces] of Object.entries(fields)) rest.push(Buffer.from(`,${JSON.stringify(name)}:`), ...pieces);
  const length = [first, ...rest].reduce((sum, piece) => sum + piece.length, 2);
  const padding = isPadded ? (HEADER_ALIGNMENT_BYTES - (length % HEADER_ALIGNMENT_BYTES)) % HEADER_ALIGNMENT_BYTES : 0;
  return { first, rest: [...rest, Buffer.from(`}${' '.repeat(padding)}\n`)] };
}
