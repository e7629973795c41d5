// A TTF is a directory and its tables: https://learn.microsoft.com/typography/opentype/spec/otff

const MAGIC = 0xb1b0afba;

/** @returns copies of the tables of a TTF, in the order of their data, which is not that of the directory */
export function tablesOf(bytes) {
  return Array.from({ length: bytes.readUInt16BE(4) }, (_, at) => {
    const record = 12 + 16 * at;
    const tag = bytes.toString('latin1', record, record + 4);
    const offset = bytes.readUInt32BE(record + 8);
    return { tag, offset, table: Buffer.from(bytes.subarray(offset, offset + bytes.readUInt32BE(record + 12))) };
  }).toSorted((a, b) => a.offset - b.offset);
}

/** @param tables in the order of their data @returns the TTF, of the kind that `bytes` is, with its sums */
export function fontOf(bytes, tables) {
  const head = Buffer.alloc(12 + 16 * tables.length);
  bytes.copy(head, 0, 0, 4);
  const power = Math.floor(Math.log2(tables.length));
  head.writeUInt16BE(tables.length, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (tables.length - 2 ** power), 10);
  const tags = tables.map(({ tag }) => tag).toSorted();
  const parts = [head];
  let at = head.length;
  let adjustment = 0;
  for (const { tag, table } of tables) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    if (tag === 'head') {
      padded.writeUInt32BE(0, 8);
      adjustment = at + 8;
    }
    const record = 12 + 16 * tags.indexOf(tag);
    head.write(tag, record, 'latin1');
    head.writeUInt32BE(sumOf(padded), record + 4);
    head.writeUInt32BE(at, record + 8);
    head.writeUInt32BE(table.length, record + 12);
    parts.push(padded);
    at += padded.length;
  }
  const font = Buffer.concat(parts);
  font.writeUInt32BE((MAGIC - sumOf(font)) >>> 0, adjustment);
  return font;
}

function sumOf(padded) {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
