/**
 * Entry file of the thread that reads one recording: its file may be made to take any amount of time and memory, which has bounds
 * here and none in the main thread. It ends with the file, or is ended.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { T4aError } from '../../protocol/errors.js';
import { readRecording } from '../../history/recording/read-recording.js';
import { PartPacker, PARTS_AHEAD, type ReadingReport, type ReadingTask } from './reading-messages.js';

/** Behind the daemon's other threads, if the machine is busy. */
const NICE = 10;

let credit = PARTS_AHEAD;
let onCredit = (): void => {};

parentPort?.on('message', () => {
  credit++;
  onCredit();
});

void read(workerData as ReadingTask).then(
  () => parentPort?.close(),
  (error: unknown) => {
    if (!(error instanceof T4aError)) throw error;
    const { code, message, details } = error;
    report({ kind: 'refused', code, message, details });
    parentPort?.close();
  },
);

async function read({ path, timing, grid, durationOnly }: ReadingTask): Promise<void> {
  // Only on Linux it is the priority of a thread.
  if (process.platform === 'linux') setPriority(NICE);
  const packer = new PartPacker();
  const parts = readRecording(path, { timing, grid });
  let durationMs = 0;
  for (;;) {
    const part = await parts.next();
    if (part.done === true) {
      await send(packer);
      return report({ kind: 'end', end: part.value, durationMs });
    }
    for (const event of part.value) {
      if (event.kind !== 'start') durationMs = event.atMs;
      if (durationOnly) continue;
      packer.add(event);
      if (packer.isFull) await send(packer);
    }
  }
}

async function send(packer: PartPacker): Promise<void> {
  if (packer.isEmpty) return;
  while (credit === 0) await new Promise<void>((resolve) => (onCredit = resolve));
  credit--;
  const part = packer.take();
  report(part, [part.output.buffer]);
}

function report(message: ReadingReport, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
