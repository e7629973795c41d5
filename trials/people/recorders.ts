/** Terminals of a walk: each prints what the walk has it print, and keeps in a file what it reads, to the byte. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../src/client/index.js';

/** `$1`: what it prints comes from there. `$2`: what it reads goes there. A pipe that is open both ways waits for no writer. */
const SCRIPT = `stty raw -echo; exec 3<>"$1"; cat <&3 & printf 'ready\\r\\n'; exec cat >>"$2"`;

export class Recorder {
  readonly id: string;
  /** What it must have read, by what the browser says of the keys. */
  expected = '';
  isAlive = true;
  readonly #client: Client;
  readonly #file: string;
  readonly #pipe: string;
  readonly #fd: number;
  #printed = 0;

  constructor(client: Client, dir: string, id: string) {
    this.#client = client;
    this.id = id;
    this.#file = path.join(dir, `${id}.read`);
    this.#pipe = path.join(dir, `${id}.print`);
    writeFileSync(this.#file, '');
    spawnSync('mkfifo', [this.#pipe]);
    // Never the end of a write without a reader.
    this.#fd = openSync(this.#pipe, constants.O_RDWR | constants.O_NONBLOCK);
  }

  async start(): Promise<void> {
    await this.#client.call('create', {
      name: this.id,
      cmd_args: ['sh', '-c', SCRIPT, 'sh', this.#pipe, this.#file],
      cols: 80,
      rows: 24,
      wait: { until: { text: 'ready' } },
    });
    this.isAlive = true;
  }

  /** @returns once it is on the screen */
  async print(lines: readonly string[]): Promise<void> {
    const last = `end ${++this.#printed} of ${this.id}`;
    this.write([...lines, last, ''].join('\r\n'));
    await this.#client.call('wait', { id: this.id, until: { text: last }, timeout_ms: 20_000 });
  }

  /** @param bytes of 60,000 at most, which the pipe holds */
  write(bytes: string): void {
    writeSync(this.#fd, bytes);
  }

  /** By a signal that it cannot take. @returns once its end is known */
  async crash(): Promise<void> {
    const { pid } = await this.#client.call('status', { id: this.id });
    this.isAlive = false;
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await this.#client.call('wait', { id: this.id, until: { exit: true }, timeout_ms: 20_000 });
  }

  /** Another terminal by its name. */
  async replace(): Promise<void> {
    await this.#client.call('kill', { id: this.id, force: true, grace_ms: 100 });
    await this.#client.call('kill', { id: this.id, force: true }).catch(() => {}); // It is removed already.
    await this.start();
  }

  get read(): string {
    return readFileSync(this.#file, 'utf8');
  }

  dispose(): void {
    closeSync(this.#fd);
  }
}
