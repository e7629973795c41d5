import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ClosedOutput } from '../../../src/cli/host.js';
import { writeOut } from '../../../src/cli/output/write-out.js';
import { CLI } from '../../support/cli.js';
import { tempDir } from '../../support/temp-dir.js';

function makeFifo(): string {
  const fifo = tempDir().join('fifo');
  execFileSync('mkfifo', [fifo]);
  return fifo;
}

test('output into a non-blocking pipe arrives complete', async () => {
  const fifo = makeFifo();
  const writing = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  // A hundred times what a pipe holds: the writer meets a full one again and again.
  const bytes = randomBytes(100 * 65_536);
  const reader = spawn('sh', ['-c', `head -c ${bytes.length} "$0" | sha256sum`, fifo], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = once(reader.stdout, 'data') as Promise<[Buffer]>;
  writeOut(writing, bytes);
  closeSync(writing);
  const [digest] = await printed;
  expect(digest.toString().split(' ')[0]).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test.runIf(existsSync('/dev/full'))(
  'a full disk is reported as a usage error with its reason, and not as a defect',
  () => {
    const full = openSync('/dev/full', 'w');
    expect(() => writeOut(full, 'x')).toThrow(
      expect.objectContaining({ code: 'usage', message: 'What t4a prints cannot be written (ENOSPC).' }) as Error,
    );
    closeSync(full);
    for (const [redirection, status] of [
      ['> /dev/full', 2],
      ['2> /dev/full', 0],
    ] as const) {
      const { status: actual, stdout } = spawnSync('sh', [
        '-c',
        `"$0" "$1" usage ${redirection}`,
        process.execPath,
        CLI,
      ]);
      expect([actual, stdout.length > 0]).toEqual([status, status === 0]);
    }
  },
);

test('a pipe without a reader throws ClosedOutput, unlike other failures', () => {
  const fifo = makeFifo();
  const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
  closeSync(reading);
  expect(() => writeOut(writing, 'x')).toThrow(ClosedOutput);
  closeSync(writing);
  expect(() => writeOut(writing, 'x')).toThrow('EBADF');
});
