/** The pixels of a PNG as t4a draws them: 8 bits a channel or an index of up to 8 bits, not interlaced. */

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB, row by row. Transparency is not looked at: a screen has none. */
  readonly colors: Uint32Array;
}

const SIGNATURE_BYTES = 8;
const INDEXED = 3;
/** Samples of a pixel by colour type: https://www.w3.org/TR/png-3/#3colourType */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function pixelsOfPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const data: Uint8Array[] = [];
  let header = { width: 0, height: 0, depth: 8, type: INDEXED };
  let palette = new Uint8Array();
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const body = png.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      const [depth = 8, type = INDEXED] = body.subarray(8, 10);
      header = { width: view.getUint32(at + 8), height: view.getUint32(at + 12), depth, type };
    }
    if (kind === 'PLTE') palette = Uint8Array.from(body);
    if (kind === 'IDAT') data.push(body);
    at += length + 12;
  }
  const { width, height, depth, type } = header;
  const channels = CHANNELS[type] ?? 1;
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const { inflateSync } = process.getBuiltinModule('node:zlib');
  const bytes = unfilter(inflateSync(Buffer.concat(data)), rowBytes, height, Math.max(1, (channels * depth) / 8));
  const colors = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = bytes.subarray(y * rowBytes, (y + 1) * rowBytes);
    for (let x = 0; x < width; x++) colors[y * width + x] = colorAt(row, x, { depth, type, channels, palette });
  }
  return { width, height, colors };
}

interface Encoding {
  readonly depth: number;
  readonly type: number;
  readonly channels: number;
  readonly palette: Uint8Array;
}

function colorAt(row: Uint8Array, x: number, { depth, type, channels, palette }: Encoding): number {
  if (type !== INDEXED) {
    const at = x * channels;
    const grey = channels < 3;
    return rgb(row[at], row[grey ? at : at + 1], row[grey ? at : at + 2]);
  }
  const bit = x * depth;
  const index = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  return rgb(palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2]);
}

function rgb(red = 0, green = 0, blue = 0): number {
  return (red << 16) | (green << 8) | blue;
}

/** https://www.w3.org/TR/png-3/#9Filters */
function unfilter(source: Uint8Array, rowBytes: number, rows: number, step: number): Uint8Array {
  const out = new Uint8Array(rowBytes * rows);
  for (let y = 0; y < rows; y++) {
    const filter = source[y * (rowBytes + 1)];
    for (let i = 0; i < rowBytes; i++) {
      const left = i < step ? 0 : (out[y * rowBytes + i - step] ?? 0);
      const up = y === 0 ? 0 : (out[(y - 1) * rowBytes + i] ?? 0);
      const corner = y === 0 || i < step ? 0 : (out[(y - 1) * rowBytes + i - step] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[y * rowBytes + i] = (source[y * (rowBytes + 1) + 1 + i] ?? 0) + predicted;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
