/** The system gives a program, but no thread that would read what it prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Pty } from '../../../src/terminal/pty/pty.js';
import { PtyReaders } from '../../../src/terminal/pty/readers.js';
import { readers } from '../../support/own-parts.js';

/** As Node does where a thread is refused. */
class NoThread extends PtyReaders {
  override open(): never {
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
  }
}

const ENV = { PATH: '/usr/bin:/bin' };

it('a program whose output cannot be read is ended, and no trace of it is kept', async () => {
  // Loads the native half, and what it opens once.
  const other = new Pty({ file: '/bin/sh', args: ['-c', ''], cwd: '/', env: ENV, cols: 80, rows: 24 }, readers);
  await new Promise((resolve) => other.onExit.on(resolve));
  const children = childrenOfOurs();
  const before = readdirSync('/proc/self/fd').length;
  const options = { file: '/bin/sh', args: ['-c', 'exec sleep 4711'], cwd: '/', env: ENV, cols: 80, rows: 24 };
  for (let again = 0; again < 3; again++) expect(() => new Pty(options, new NoThread(''))).toThrow('EAGAIN');
  while (childrenOfOurs().length > children.length) await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});

/** Programs of this process, and what is not reaped of them. */
function childrenOfOurs(): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '');
}
