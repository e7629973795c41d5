/** Standard input as the input of a terminal: all of it, as it is. */
import { errnoOf } from '../../base/errno.js';
import { T4aError } from '../../protocol/errors.js';
import { concatBytes } from '../../protocol/framing.js';
import { MAX_INPUT_BYTES } from '../../protocol/limits.js';

/** @throws T4aError `usage` with the system's reason, such as a stream that is open for writing alone */
export async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    const reason = errnoOf(error);
    throw reason === undefined ? error : new T4aError('usage', `Standard input cannot be read (${reason}).`);
  }
}

/** @throws T4aError `usage` as soon as there is more than one request may carry, or if it cannot be read */
export async function readStdin(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of readable(chunks)) {
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
