/** Buffers of full chunks are used again, unless a reader may still have them. */
import { expect, test } from 'vitest';
import { LogChunk } from '../../src/history/log-chunk.js';
import { EntryWriter, FULL_CHUNK_BYTES, type LogEntry, readEntries, recycle } from '../../src/history/log-entries.js';

const START = {
  cols: 80,
  rows: 24,
  rev: 0,
  ms: 0,
  seq: 0,
  offset: 0,
  isHeld: false,
  continues: false,
  top: 0,
  above: 0,
};

/** A slice of a flood. */
const slice = (letter: string): Uint8Array => Buffer.alloc(64 * 1024, letter);

function bytesOfFlood(letter: string): Uint8Array {
  const writer = new EntryWriter(0, 512);
  for (let i = 0; i < 4; i++) writer.output(i, slice(letter));
  return writer.bytes;
}

const outputs = (entries: Iterable<LogEntry>): string[] =>
  [...entries].flatMap((entry) => (entry.kind === 'output' ? [Buffer.from(entry.bytes).toString()] : []));

test('the buffer of a full chunk is that of a later one, which has its own entries alone', () => {
  const first = bytesOfFlood('a');
  recycle(first);
  const second = bytesOfFlood('b');
  expect(second.buffer).toBe(first.buffer);
  expect(outputs(readEntries(second, 0))).toEqual(Array.from({ length: 4 }, () => slice('b').toString()));
  expect(bytesOfFlood('c').buffer).not.toBe(first.buffer);
});

test('a buffer that is not that of a full chunk is left alone', () => {
  const writer = new EntryWriter(0, 512);
  writer.output(0, Buffer.from('little'));
  recycle(writer.bytes);
  expect(bytesOfFlood('a').buffer).not.toBe(writer.bytes.buffer);
});

test('a chunk that is being read keeps its bytes when it is packed and others are written', () => {
  const chunk = new LogChunk(START);
  for (let i = 0; i < 4; i++) chunk.output(i, slice('a'));
  chunk.close();
  const reading = chunk.entries((bytes) => bytes)[Symbol.iterator]();
  const { value: first } = reading.next() as { value: LogEntry };
  chunk.packed({ whole: new Uint8Array(1) });
  bytesOfFlood('b');
  expect(outputs([first])).toEqual([slice('a').toString()]);
  expect(outputs({ [Symbol.iterator]: () => reading })).toHaveLength(3);
});

test('a chunk that was never read gives its buffer back when it is packed', () => {
  const chunk = new LogChunk(START);
  for (let i = 0; i < 4; i++) chunk.output(i, slice('a'));
  chunk.close();
  const { whole } = chunk.unpacked;
  chunk.packed({ whole: new Uint8Array(1) });
  expect(bytesOfFlood('b').buffer).toBe(whole?.buffer);
});

test('the memory that one large slice has taken is given back while nothing is printed, and the entries stay', () => {
  const chunk = new LogChunk(START);
  const large = 'a'.repeat(20 * 1024);
  chunk.output(1, Buffer.from(large));
  expect(chunk.heldBytes).toBeGreaterThan(FULL_CHUNK_BYTES);
  chunk.trim();
  expect(chunk.heldBytes).toBeLessThan(32 * 1024);
  chunk.output(2, Buffer.from('b'));
  chunk.trim();
  expect(outputs(chunk.entries((bytes) => bytes))).toEqual([large, 'b']);
});

test('what is printed little by little takes at most three times its size', () => {
  const chunk = new LogChunk(START);
  for (let printed = 0; printed < 64 * 1024; printed += 1000) {
    chunk.output(printed, Buffer.from('a'.repeat(1000)));
    expect(chunk.heldBytes).toBeLessThan(3 * (printed + 1000));
  }
});
