/** The lines of the MCP server as streams. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StdioLines } from '../../src/mcp/stdio-lines.js';

const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

function linesOf(input: PassThrough, output: PassThrough): { lines: StdioLines; taken: unknown[] } {
  const lines = new StdioLines(input, output);
  const taken: unknown[] = [];
  lines.onmessage = (message) => void taken.push('id' in message ? message.id : undefined);
  return { lines, taken };
}

test('while output is unread no message is taken, and all are once it is read', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const { lines, taken } = linesOf(input, output);
  await lines.start();
  await lines.send({ jsonrpc: '2.0', id: 0, result: {} });
  expect(input.isPaused()).toBe(true);
  input.write(ping(1));
  input.write(ping(2));
  // Nothing flows before the output is read.
  await new Promise(setImmediate);
  expect(taken).toEqual([]);
  output.resume();
  await expect.poll(() => taken).toEqual([1, 2]);
  input.end();
  await lines.closed;
});

test('a message is whole however its bytes are cut', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { lines, taken } = linesOf(input, output);
  await lines.start();
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: 'é😀', method: 'ping' })}\r\n${ping(2)}`;
  for (const byte of Buffer.from(text)) input.write(Buffer.from([byte]));
  await expect.poll(() => taken).toEqual(['é😀', 2]);
  input.end();
  await lines.closed;
});

test('after its end nothing is sent, and nothing is taken', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { lines, taken } = linesOf(input, output);
  await lines.start();
  await lines.close();
  await lines.closed;
  input.write(ping(1));
  await lines.send({ jsonrpc: '2.0', id: 1, result: {} });
  await lines.close();
  expect(taken).toEqual([]);
  expect(output.read()).toBeNull();
});
