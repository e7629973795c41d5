/** Input in front of a program that does not read: a pipe stands for it, which only the test reads. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { InputBlockedError, type PendingWrite, PtyWriter, restToKeep } from '../../../src/terminal/pty/writer.js';
import { tempDir } from '../../support/temp-dir.js';

/** A writer, and what the other side has to read. */
function unread(maxPendingBytes = 1024 * 1024) {
  const file = tempDir().join('pipe');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = new PtyWriter(fd, maxPendingBytes);
  onTestFinished(() => {
    writer.dispose();
    closeSync(fd);
  });
  return {
    writer,
    /** What is there now, so much at most. */
    read: (bytes: number): Buffer => {
      const buffer = Buffer.alloc(bytes);
      try {
        return buffer.subarray(0, readSync(fd, buffer));
      } catch {
        return Buffer.alloc(0); // EAGAIN: nothing yet.
      }
    },
  };
}

const MORE_THAN_FITS = new Uint8Array(200_000).fill(0x61);

test('an unread write is given up, with any number of writes after it', async () => {
  const { writer } = unread();
  let end: unknown;
  writer.write(MORE_THAN_FITS).catch((error: unknown) => (end = error));
  const others: unknown[] = [];
  while (end === undefined) {
    if (writer.pendingBytes < 500_000) writer.write(Buffer.from('x')).catch((error: unknown) => others.push(error));
    await turn();
  }
  expect(end).toBeInstanceOf(InputBlockedError);
  expect((end as InputBlockedError).written).toBeGreaterThan(0);
  expect((end as InputBlockedError).written).toBeLessThan(MORE_THAN_FITS.length);
});

test('input that is read in time arrives whole and in order', async () => {
  const { writer, read } = unread();
  const written = Promise.all([writer.write(MORE_THAN_FITS), writer.write(Buffer.from('end'))]);
  let isWritten = false;
  void written.then(() => (isWritten = true));
  const pieces: Buffer[] = [];
  while (!isWritten) {
    if (writer.pendingBytes > 0) pieces.push(read(50_000));
    await turn();
  }
  for (let left = MORE_THAN_FITS.length + 3 - Buffer.concat(pieces).length; left > 0;) {
    const piece = read(left);
    pieces.push(piece);
    left -= piece.length;
  }
  const whole = Buffer.concat(pieces);
  expect(whole.subarray(0, -3).equals(Buffer.from(MORE_THAN_FITS))).toBe(true);
  expect(whole.subarray(-3).toString()).toBe('end');
});

test('input beyond the bound is refused at once, and so is all input after the end', async () => {
  const { writer } = unread(MORE_THAN_FITS.length);
  const first = writer.write(MORE_THAN_FITS);
  const room = MORE_THAN_FITS.length - writer.pendingBytes;
  await expect(writer.write(new Uint8Array(room + 1))).rejects.toMatchObject({ name: 'InputBlockedError', written: 0 });
  const fitting = writer.write(new Uint8Array(room));
  writer.dispose();
  await expect(first).rejects.toBeInstanceOf(InputBlockedError);
  await expect(fitting).rejects.toBeInstanceOf(InputBlockedError);
  await expect(writer.write(Buffer.from('x'))).rejects.toMatchObject({ written: 0 });
  await expect(writer.interrupt(Buffer.from('x'))).rejects.toMatchObject({ written: 0 });
  expect(writer.pendingBytes).toBe(0);
});

const OPEN = '\x1b[200~';
const CLOSE = '\x1b[201~';

function pending(text: string, written: number, bracketed: boolean): PendingWrite {
  const bytes = Buffer.from(bracketed ? OPEN + text + CLOSE : text);
  const [openBytes, closeBytes] = bracketed ? [OPEN.length, CLOSE.length] : [0, 0];
  const settle = { resolve: () => {}, reject: () => {} };
  return { bytes, written: Math.min(written, bytes.length), abandonable: { openBytes, closeBytes }, settle };
}

test('an abandoned write leaves whole characters and a closed bracket, wherever it was cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '世', '🚀'), maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), fc.boolean(), (pasted, cut, bracketed) => {
      const write = pending(pasted, cut, bracketed);
      const received = Buffer.concat([write.bytes.subarray(0, write.written), restToKeep(write)]);
      const shown = new TextDecoder('utf-8', { fatal: true }).decode(received);
      const body = bracketed ? shown.slice(OPEN.length, shown.length - CLOSE.length) : shown;
      if (write.written > 0 && bracketed) expect([shown.startsWith(OPEN), shown.endsWith(CLOSE)]).toEqual([true, true]);
      expect(pasted.startsWith(body)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('a write that was not begun leaves no bytes', () => {
  expect(restToKeep(pending('abc', 0, true))).toHaveLength(0);
});

test('the rest of an abandoned write is finished, and not cut again', () => {
  const write = { ...pending('abc', 4, true), settle: undefined };
  expect(Buffer.from(restToKeep(write)).toString()).toBe(`${OPEN}abc${CLOSE}`.slice(4));
});

test.each([
  ['the beginning of what opens a bracket', 'abc', 1, true, `${OPEN.slice(1)}${CLOSE}`],
  ['all that opens a bracket', 'abc', OPEN.length, true, CLOSE],
  ['a part of what is in it', 'abc', OPEN.length + 2, true, CLOSE],
  ['all that is in it', 'abc', OPEN.length + 3, true, CLOSE],
  ['a part of what closes it', 'abc', OPEN.length + 4, true, CLOSE.slice(1)],
  ['a part, where there is no bracket', 'abc', 1, false, ''],
  ['a part of a character', 'a世b', 2, false, Buffer.from('世').subarray(1).toString('latin1')],
  ['all of a character', 'a世b', 4, false, ''],
])('after %s, only required bytes are written', (_, text, written, bracketed, rest) => {
  expect(Buffer.from(restToKeep(pending(text, written, bracketed))).toString('latin1')).toBe(rest);
});

test('a write that an interrupt waits for has no brackets', () => {
  const write = { ...pending('abc', 1, false), abandonable: undefined };
  expect(restToKeep(write)).toHaveLength(0);
});
