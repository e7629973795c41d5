/** PNG as snapshots need it: a text in a picture, and pixels as a picture. https://www.w3.org/TR/png-3/ */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Signature, and the header's chunk, which is always the first. */
const HEAD_BYTES = 8 + 25;
const DEPTH = 8;
const RGB = 2;

/** @returns the picture with the text as its first chunk after the header */
export function withText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  const own = chunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), own, png.subarray(HEAD_BYTES)]);
}

export function pngText(png: Uint8Array, keyword: string): string | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE.length; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.toString('latin1', at + 8, at + 8 + length);
    if (bytes.toString('latin1', at + 4, at + 8) === 'tEXt' && body.startsWith(`${keyword}\0`))
      return body.slice(keyword.length + 1);
    at += length + 12;
  }
  return undefined;
}

/** @param colors 0xRRGGBB, row by row */
export function pngOf(width: number, height: number, colors: Uint32Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([DEPTH, RGB], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  let at = 0;
  for (let y = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++) at = rows.writeUIntBE(colors[y * width + x] ?? 0, at, 3);
  }
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', new Uint8Array())];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
