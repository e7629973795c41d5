/** PNG chunks: https://www.w3.org/TR/png-3/#5Chunk-layout */
import { crc32 } from 'node:zlib';

/** Length, type and CRC around the data. */
const CHUNK_OVERHEAD = 12;

export function chunk(type: 'IHDR' | 'PLTE' | 'IEND', data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + CHUNK_OVERHEAD);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let index = 0; index < 4; index++) bytes[4 + index] = type.charCodeAt(index);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
