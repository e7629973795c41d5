import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Pty, type PtyExit } from '../../../src/terminal/pty/pty.js';
import { InputBlockedError } from '../../../src/terminal/pty/writer.js';
import { readers } from '../../support/own-parts.js';
import { runsOf } from '../../support/trial.js';

const WINDOW = 256 * 1024;

const ptys: Pty[] = [];

function start(script: string): Pty {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const pty = new Pty(
    {
      file: '/bin/sh',
      args: ['-c', script],
      cwd: '/',
      env,
      cols: 80,
      rows: 24,
      windowBytes: WINDOW,
    },
    readers,
  );
  ptys.push(pty);
  return pty;
}

function exitOf(pty: Pty): Promise<PtyExit> {
  return new Promise((resolve) => {
    pty.onExit.on(resolve);
  });
}

afterEach(() => {
  for (const pty of ptys.splice(0)) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
});

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

async function countLost(runs: number, onChunk: (pty: Pty, bytes: number) => void): Promise<number> {
  let lost = 0;
  for (let run = 0; run < runs; run++) {
    const pty = start(run % 2 === 0 ? 'echo THE-END' : 'seq 1 20000; echo THE-END');
    let tail = '';
    pty.onData.on((bytes) => {
      tail = (tail + Buffer.from(bytes).toString('latin1')).slice(-64);
      onChunk(pty, bytes.length);
    });
    await exitOf(pty);
    if (!tail.endsWith('THE-END\r\n')) lost++;
  }
  return lost;
}

describe('the end of the output', () => {
  // node-pty alone loses the end in half of the runs on a busy event loop, and in a 15th of them on an idle one: with so many runs, a
  // loss is never missed, and once in 4,000 times (in the suite once in 8).
  it('arrives in every run on an idle event loop', async () => {
    expect(await countLost(runsOf({ suite: 30, trial: 120 }), (pty, bytes) => pty.acknowledge(bytes))).toBe(0);
  });

  it('arrives in every run on a busy event loop', async () => {
    const lost = await countLost(runsOf({ suite: 20, trial: 40 }), (pty, bytes) => {
      pty.acknowledge(bytes);
      spin(0.5);
    });
    expect(lost).toBe(0);
  });

  it('arrives although none of it was acknowledged when its program exited', async () => {
    expect(await countLost(runsOf({ suite: 20, trial: 50 }), () => {})).toBe(0);
  });
});

describe('the window', () => {
  it('holds back a program with unacknowledged output, and lets it continue afterwards', async () => {
    const pty = start('head -c 2000000 /dev/zero; read -r line; echo "$line"');
    let held = 0;
    let total = 0;
    pty.onData.on((bytes) => {
      held += bytes.length;
      total += bytes.length;
    });
    // Full, but for one burst. What comes of another terminal after that has passed the same reader.
    await new Promise<void>((resolve) => {
      pty.onData.on(() => held > WINDOW - 64 * 1024 && resolve());
    });
    await exitOf(start('seq 1 1000'));
    expect(held).toBeLessThanOrEqual(WINDOW);
    pty.acknowledge(held);
    pty.onData.on((bytes) => pty.acknowledge(bytes.length));
    void pty.write(Buffer.from('done\n'));
    await exitOf(pty);
    expect(total).toBeGreaterThan(2_000_000);
  });
});

describe('exit', () => {
  it('reports the exit code of a program', async () => {
    expect(await exitOf(start('exit 7'))).toEqual({ code: 7, signal: null });
  });

  it('reports the signal that ended a program', async () => {
    expect(await exitOf(start('kill -TERM $$'))).toEqual({ code: null, signal: 15 });
  });

  it('comes although a background job keeps the terminal open', async () => {
    const pty = start('trap "" HUP; sleep 1000 & echo $!; exit 3');
    let output = '';
    pty.onData.on((bytes) => void (output += Buffer.from(bytes).toString()));
    expect(await exitOf(pty)).toEqual({ code: 3, signal: null });
    process.kill(Number(output.trim()), 'SIGKILL');
  });

  it('leaves no descriptor open', async () => {
    await exitOf(start('true'));
    const before = readdirSync('/proc/self/fd').length;
    for (let run = 0; run < 20; run++) await exitOf(start('true'));
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});

describe('input', () => {
  it('reaches the program byte for byte', async () => {
    const pty = start('stty raw -echo; printf R; head -c 70000 | cksum');
    let output = '';
    const ready = new Promise<void>((resolve) => {
      pty.onData.on((bytes) => {
        output += Buffer.from(bytes).toString();
        if (output.startsWith('R')) resolve();
      });
    });
    await ready;
    const input = Buffer.alloc(70_000, 'abcdefg');
    await pty.write(input);
    await exitOf(pty);
    expect(output.slice(1).trim()).toMatch(/^\d+ 70000$/);
  });

  it('of a program that does not read is refused with the number of accepted bytes', async () => {
    const pty = start('stty raw -echo; printf R; exec sleep 1000');
    await new Promise((resolve) => {
      pty.onData.on(resolve);
    });
    const refusal = await pty.write(Buffer.alloc(1024 * 1024, 'x')).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InputBlockedError);
    expect((refusal as InputBlockedError).written).toBeGreaterThan(0);
    expect((refusal as InputBlockedError).written).toBeLessThan(1024 * 1024);
    expect(pty.pendingInputBytes).toBe(0);
  });
});

describe('a PTY that is opened while another one ends', () => {
  it('is not confused with that one although they may share a descriptor: 300 of 300 live until they are ended', async () => {
    let ended = 0;
    const rounds = async (): Promise<void> => {
      for (let round = 0; round < 75; round++) {
        const pty = start('echo on; exec sleep 60');
        let early = false;
        const exit = exitOf(pty).then((how) => {
          early = how.signal === null;
        });
        await new Promise<void>((resolve) => {
          pty.onData.on(() => resolve());
        });
        process.kill(pty.pid, 'SIGKILL');
        await exit;
        if (!early) ended++;
      }
    };
    await Promise.all([rounds(), rounds(), rounds(), rounds()]);
    expect(ended).toBe(300);
  });
});
