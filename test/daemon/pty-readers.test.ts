import { expect, it, onTestFinished } from 'vitest';
import { PtyReaders } from '../../src/daemon/pty-readers.js';

it('tells every listener that it is lost when the thread ends, and none twice', async () => {
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  onTestFinished(() => {
    process.off('uncaughtException', onUncaught);
    for (const other of others) process.on('uncaughtException', other);
  });
  const readers = new PtyReaders(
    "require('node:worker_threads').parentPort.once('message', () => { throw new Error('a defect'); })",
  );
  const told: string[] = [];
  await new Promise<void>((resolve) => {
    for (const name of ['first', 'second']) {
      readers.open(-1, 1024, {
        data: () => told.push(`data ${name}`),
        finished: () => told.push(`finished ${name}`),
        lost: () => {
          told.push(`lost ${name}`);
          if (name === 'second') resolve();
        },
      });
    }
  });
  expect(told).toEqual(['lost first', 'lost second']);
  expect(uncaught).toMatchObject([{ message: 'a defect' }]);
});
