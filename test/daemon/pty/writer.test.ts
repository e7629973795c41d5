/** Input in front of a program that does not read: a pipe stands for it, which nobody reads but the test. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { InputBlockedError, PtyWriter } from '../../../src/daemon/pty/writer.js';
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

test('a write that nobody takes anything of is given up, however many others come behind it meanwhile', async () => {
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

test('what is read in time arrives whole and in order', async () => {
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

test('more than its bound is refused at once, and so is all after its end', async () => {
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
