import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Pty, type PtyExit } from '../../../src/terminal/pty/pty.js';
import { PtyReaders } from '../../../src/terminal/pty/readers.js';
import { DIST } from '../../support/daemon.js';

const ptys: Pty[] = [];

afterEach(() => {
  for (const pty of ptys.splice(0)) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
});

/** The thread as built, behind a few lines that make a defect of it. */
function readersWith(defect: string): { readers: PtyReaders; faults: string[] } {
  const prelude = `{ const { parentPort } = require('node:worker_threads'); ${defect} }\n`;
  const readers = new PtyReaders(prelude + readFileSync(path.join(DIST, 'pty-reader-thread.cjs'), 'utf8'));
  const faults: string[] = [];
  readers.onFault.on(({ message }) => void faults.push(message));
  return { readers, faults };
}

class Program {
  readonly pty: Pty;
  output = '';
  exit: PtyExit | undefined;
  #wake: () => void = () => {};

  constructor(readers: PtyReaders, script: string) {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    this.pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, cols: 80, rows: 24 }, readers);
    ptys.push(this.pty);
    this.pty.onData.on((bytes) => {
      this.output += Buffer.from(bytes).toString('latin1');
      this.pty.acknowledge(bytes.length);
      this.#wake();
    });
    this.pty.onExit.on((exit) => {
      this.exit = exit;
      this.#wake();
    });
  }

  type(line: string): void {
    void this.pty.write(Buffer.from(line));
  }

  async until(isTrue: (program: Program) => boolean): Promise<void> {
    while (!isTrue(this)) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const ECHO = 'stty -echo; echo ready; while read -r line; do echo "got $line"; done';

describe('a defect in the reader thread', () => {
  it('about one terminal ends that terminal with a report, and no other', async () => {
    const { readers, faults } = readersWith(`
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (report, transferred) => {
        if (report.kind === 'data' && Buffer.from(report.bytes).includes('DEFECT')) throw new RangeError('offset is out of bounds');
        post(report, transferred);
      };`);
    const bystander = new Program(readers, ECHO);
    await bystander.until(({ output }) => output.includes('ready'));
    const victim = new Program(readers, 'echo first; read -r line; echo DEFECT; exec sleep 1000');
    await victim.until(({ output }) => output.includes('first'));
    victim.type('go\n');
    await victim.until(({ exit }) => exit !== undefined);
    expect(victim.exit).toEqual({ code: null, signal: 1 });
    expect(victim.output).not.toContain('DEFECT');
    expect(faults).toMatchObject([expect.stringContaining('offset is out of bounds')]);
    bystander.type('still here\n');
    await bystander.until(({ output }) => output.includes('got still here'));
    const later = new Program(readers, 'echo later');
    await later.until(({ exit }) => exit !== undefined);
    expect(later.output).toContain('later');
    expect(faults).toHaveLength(1);
  });

  it('about no terminal ends none: the thread continues', async () => {
    const { readers, faults } = readersWith(
      `parentPort.once('message', () => setImmediate(() => { throw new Error('a defect'); }));`,
    );
    const flood = new Program(readers, 'seq 1 200000; echo THE-END');
    const bystander = new Program(readers, ECHO);
    await flood.until(({ exit }) => exit !== undefined);
    expect(faults).toMatchObject([expect.stringContaining('a defect')]);
    expect(flood.exit).toEqual({ code: 0, signal: null });
    expect(flood.output).toBe(`${Array.from({ length: 200_000 }, (_, i) => `${i + 1}\r\n`).join('')}THE-END\r\n`);
    bystander.type('still here\n');
    await bystander.until(({ output }) => output.includes('got still here'));
  });

  it('that keeps a terminal from being read at all ends it, and closes its descriptor', async () => {
    const { readers, faults } = readersWith(`
      const tty = require('node:tty'), { ReadStream } = tty;
      tty.ReadStream = function (...args) { tty.ReadStream = ReadStream; throw new Error('no stream'); };`);
    const victim = new Program(readers, 'exec sleep 1000');
    await victim.until(({ exit }) => exit !== undefined);
    expect(victim.exit).toEqual({ code: null, signal: 1 });
    expect(faults).toMatchObject([expect.stringContaining('no stream')]);
    const next = new Program(readers, 'echo next');
    await next.until(({ exit }) => exit !== undefined);
    expect(next.output).toContain('next');
  });
});

describe('catching up', () => {
  /** A thread that reads only when it is told to. */
  const idle = `
    const tty = require('node:tty');
    tty.ReadStream = class {
      on() {} pause() {} resume() {} isPaused() { return false; }
      constructor(fd) { this.fd = fd; }
      destroy() { require('node:fs').closeSync(this.fd); }
    };`;

  it('ends when all earlier output has been delivered', async () => {
    const { readers } = readersWith(idle);
    const place = mkdtempSync(path.join(tmpdir(), 't4a-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
    const printed = path.join(place, 'printed');
    const program = new Program(readers, `seq 1 2000; echo THE-END; : >${printed}; exec sleep 1000`);
    await until(() => existsSync(printed));
    expect(program.output).toBe('');
    const both = [program.pty.catchUp(), program.pty.catchUp()];
    await both[0];
    expect(program.output).toMatch(/^1\r\n2\r\n[^]*\n2000\r\nTHE-END\r\n$/);
    await both[1];
  });

  it('ends with the thread, with the terminal, and for an ended terminal', async () => {
    const { readers } = readersWith(`
      parentPort.on('message', ({ kind }) => { if (kind === 'catch_up') process.exit(); });`);
    const program = new Program(readers, 'exec sleep 1000');
    await program.pty.catchUp();
    await program.until(({ exit }) => exit !== undefined);
    await program.pty.catchUp();
    const other = new Program(new PtyReaders(), 'exec true');
    await other.until(({ exit }) => exit !== undefined);
    await other.pty.catchUp();
  });
});

describe('the end of the reader thread', () => {
  it('is reported to every listener once', async () => {
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
          failed: () => told.push(`failed ${name}`),
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

  it('ends the programs that it read, and the next terminal gets a new thread', async () => {
    const { readers } = readersWith(`
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (report, transferred) => {
        if (report.kind === 'data' && Buffer.from(report.bytes).includes('LEAVE')) process.exit();
        post(report, transferred);
      };`);
    const bystander = new Program(readers, ECHO);
    await bystander.until(({ output }) => output.includes('ready'));
    const last = new Program(readers, 'echo LEAVE; exec sleep 1000');
    await Promise.all([bystander, last].map((program) => program.until(({ exit }) => exit !== undefined)));
    expect([bystander.exit, last.exit]).toEqual([
      { code: null, signal: 1 },
      { code: null, signal: 1 },
    ]);
    const next = new Program(readers, 'echo next');
    await next.until(({ exit }) => exit !== undefined);
    expect(next.output).toContain('next');
  });
});
