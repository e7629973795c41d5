/** `t4a attach` in a terminal: an inner terminal, and an outer one where a person has attached to it. */
import { readFileSync } from 'node:fs';
import { launch, type LaunchOptions, type Terminal } from '../../src/client/index.js';
import type { Client } from '../../src/client/client.js';
import { CLI } from '../support/cli.js';
import { clientOfFilesDaemon } from '../support/launch.js';

export interface Attached {
  readonly client: Client;
  readonly inner: Terminal;
  /** The terminal of the person. */
  readonly person: Terminal;
}

export interface AttachedOptions {
  /** Of a shell, in the inner terminal. */
  readonly command?: string;
  readonly inner?: Partial<LaunchOptions>;
  readonly person?: Partial<LaunchOptions>;
  readonly flags?: readonly string[];
  /** In place of `t4a attach inner`. */
  readonly attach?: readonly string[];
}

/** In the status line. */
export const ATTACHED = '│ ^B ?';

export function attachWords(client: { readonly socketPath: string }, ...words: string[]): string[] {
  return [process.execPath, CLI, '--socket', client.socketPath, 'attach', ...words];
}

/** The person's shell prints the modes of its terminal before and after, and the exit status of attach. */
export async function attached({
  command,
  inner = {},
  person = {},
  flags = [],
  attach,
}: AttachedOptions): Promise<Attached> {
  const client = await clientOfFilesDaemon();
  const watched = await launch({ client, ...(command === undefined ? {} : { command }), name: 'inner', ...inner });
  const words = (attach ?? attachWords(client, 'inner', ...flags)).map((word) => `'${word}'`);
  const script = `stty -g; ${words.join(' ')}; echo "status $?"; stty -g; echo end; exec cat`;
  const viewer = await launch({
    client,
    cmd_args: ['sh', '-c', script],
    name: 'person',
    cols: 90,
    rows: 26,
    ...person,
  });
  return { client, inner: watched, person: viewer };
}

/** Process id of `t4a attach` in the foreground of the person's terminal. */
export async function attachPid(person: Terminal): Promise<number> {
  const { pid } = await person.call('status', {});
  // The shell's field tpgid: the leader of the foreground group, which is the shell itself if it has no job control.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5]);
  if (group !== pid) return group;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(child);
}

/** Writes what it reads to the file, and prints the number of bytes. The argument is printed first. */
export function recorder(file: string, begin = ''): string[] {
  const script = `
    const { appendFileSync } = require('node:fs');
    process.stdin.setRawMode(true);
    process.stdout.write(${JSON.stringify(begin)} + 'ready ');
    let count = 0;
    process.stdin.on('data', (bytes) => {
      appendFileSync(${JSON.stringify(file)}, bytes);
      process.stdout.write('got ' + (count += bytes.length) + '. ');
    });`;
  return [process.execPath, '-e', script];
}
