/**
 * A command line in the process of the test while another caller's runs there, at once: with an environment, a directory and a
 * configuration of its own. What that one prints is what it prints when it runs alone.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { runCliHere } from './cli-in-process.js';
import type { CliOptions, CliResult } from './cli.js';

/** They read the environment, the configuration file, the directory and standard input, and reach no daemon. */
const OTHERS: readonly (readonly string[])[] = [
  ['list'],
  ['status', 'build', '--json'],
  ['screenshot', 'build', '-o', 'missing/shot.png'],
  ['type', 'build'],
  ['create', '--cwd', 'below'],
  ['help', 'wait'],
];

const ALONE = new Map<readonly string[], Promise<CliResult>>();
let place: string | undefined;
let turn = 0;

export async function runBesideAnother(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const other = OTHERS[turn++ % OTHERS.length] as readonly string[];
  const alone = ALONE.get(other) ?? runCliHere(other, another());
  ALONE.set(other, alone);
  await alone;
  const [own, beside] = await Promise.all([runCliHere(args, options), runCliHere(other, another())]);
  expect(beside).toEqual(await alone);
  return own;
}

function another(): CliOptions {
  if (place === undefined) {
    place = mkdtempSync(path.join(tmpdir(), 't4a-another-'));
    mkdirSync(path.join(place, 't4a'));
    writeFileSync(path.join(place, 't4a/config.json'), JSON.stringify({ socket: `${place}/none/s`, color: 'always' }));
    const folder = place;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  return { cwd: place, input: 'of another', env: { XDG_CONFIG_HOME: place, HOME: place, T4A_AS: 'another' } };
}
