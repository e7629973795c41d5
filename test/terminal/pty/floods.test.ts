/** A reader that falls behind is handed large chunks, in raw mode above all; busy cores make it fall behind. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pty } from '../../../src/terminal/pty/pty.js';
import { type BusyLoops, startBusyLoops } from '../../../trials/support/busy-loops.js';
import { readers } from '../../support/own-parts.js';
import { runsOf } from '../../support/trial.js';

const FLOODS = runsOf({ suite: 20, trial: 50 });
const FLOOD_BYTES = 4 * 1024 * 1024;

const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
let busyLoops: BusyLoops;
const ptys: Pty[] = [];

beforeAll(() => {
  busyLoops = startBusyLoops(2);
});

afterAll(() => {
  busyLoops.stop();
  for (const pty of ptys) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

function start(script: string): Pty {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: dir, env, cols: 80, rows: 24 }, readers);
  ptys.push(pty);
  return pty;
}

it(`all bytes of ${FLOODS} floods in raw mode beside busy loops arrive, and other processes are not affected`, async () => {
  const flood = randomBytes(FLOOD_BYTES);
  writeFileSync(path.join(dir, 'flood'), flood);
  const whole = createHash('sha256').update(flood).digest('hex');
  const bystander = start('echo ready; exec cat');
  let echoed = '';
  const said = (words: string): Promise<void> =>
    new Promise((resolve) => {
      bystander.onData.on((bytes) => {
        echoed += Buffer.from(bytes).toString();
        if (echoed.includes(words)) resolve();
      });
    });
  await said('ready');
  const damaged: number[] = [];
  for (let number = 0; number < FLOODS; number++) {
    // Raw mode first: until then the terminal adds a carriage return to each line feed.
    if ((await digestOf(start('stty raw -echo; exec cat flood'))) !== whole) damaged.push(number);
  }
  expect(damaged).toEqual([]);
  const answer = said('still here');
  await bystander.write(Buffer.from('still here\n'));
  await answer;
});

async function digestOf(pty: Pty): Promise<string> {
  const hash = createHash('sha256');
  pty.onData.on((bytes) => {
    hash.update(bytes);
    pty.acknowledge(bytes.length);
  });
  await new Promise((resolve) => {
    pty.onExit.on(resolve);
  });
  return hash.digest('hex');
}
