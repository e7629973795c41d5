/** Standard input as the input of a terminal: all of it, as it is. */
import { T4aError } from '../../protocol/errors.js';
import { concatBytes } from '../../protocol/framing.js';
import { MAX_INPUT_BYTES } from '../../protocol/limits.js';

/** @throws T4aError `usage` as soon as there is more than one request may carry */
export async function readStdin(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    total += chunk.length;
    if (total > MAX_INPUT_BYTES) {
      throw new T4aError(
        'usage',
        `Standard input holds more than the ${MAX_INPUT_BYTES} bytes that one request takes.`,
        {
          hint: 'Send it in pieces, or let the program read the file itself.',
        },
      );
    }
  }
  return concatBytes(pieces);
}
