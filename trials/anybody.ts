/**
 * `npm run trials -- anybody [--only NAME] [--files PATTERN]`: a fresh clone, installed by README's first command below a long path, whose
 * tests run as on the machines of other people: at other hours and in other time zones, with other fonts, browsers, users and cores, and
 * beside a second run. Prints a row for each. What a row needs and this machine lacks is a row, too.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Run } from '../test/support/runs/report.js';
import { abortedBySignals, runVitest } from '../test/support/runs/run-vitest.js';
import { findProgram } from '../test/support/find-program.js';
import { whatFailed } from './chance/tally.js';
import { MACHINES, type Machine } from './anybody/machines.js';
import type { Report } from './support/report.js';

/** `only`: names of rows, with spaces between them, '' for all; `files`: parts of file names, '' for all tests. */
export const FLAGS = { only: '', files: '' };

type Options = typeof FLAGS & { readonly root: string };

/** Of one run. */
const BOUND_MS = 3_600_000;
/** With the folder of the clone, a path of some 150 bytes. */
const LONG_NAME = 'a-folder-with-a-long-name-'.repeat(5);

export async function trial({ root, only, files }: Options): Promise<Report> {
  const wanted = only.split(' ').filter((each) => each !== '');
  const unknown = wanted.filter((name) => !MACHINES.some((machine) => machine.name === name));
  if (unknown.length > 0)
    throw new Error(`no row is named ${unknown.join(', ')}: ${MACHINES.map(({ name }) => name).join(', ')}`);
  const rows = MACHINES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const signal = abortedBySignals();
  const place = mkdtempSync('/tmp/t4a-anybody-');
  chmodSync(place, 0o755);
  const clone = path.join(place, LONG_NAME, 'a clone');
  const figures: [string, string][] = [];
  const failures: string[] = [];
  try {
    mkdirSync(path.dirname(clone));
    must(place, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
    must(clone, 'npm', 'ci', '--silent', '--no-audit', '--no-fund');
    for (const machine of rows) {
      const lacking = machine.needs.filter((program) => findProgram(program) === undefined);
      if (lacking.length > 0) {
        figures.push([machine.name, `not tried: needs ${lacking.join(', ')}`]);
        continue;
      }
      const run = await runOn(machine, { place, clone, files, signal });
      const failed = whatFailed(run);
      const log = failed.length === 0 ? '' : `: ${logOf(place, machine)}`;
      figures.push([
        machine.name,
        `${run.seconds.toFixed(0)} s, ${failed.length === 0 ? 'green' : `${failed.length} failed`}${log}`,
      ]);
      console.log(`  ${figures.at(-1)?.join('  ') ?? ''}`);
      failures.push(...failed.map((each) => `${machine.name}: ${each}`));
    }
  } finally {
    if (failures.length === 0) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
  return { figures, failures };
}

interface Place {
  /** Holds the clone, and the logs. */
  readonly place: string;
  readonly clone: string;
  readonly files: string;
  readonly signal: AbortSignal;
}

async function runOn(machine: Machine, { place, clone, files, signal }: Place): Promise<Run> {
  const fonts = path.join(place, 'fonts.conf');
  writeFileSync(fonts, `<?xml version="1.0"?><fontconfig><cachedir>${place}/fonts</cachedir></fontconfig>`);
  const { prefix = [], args = [], env = () => ({}), runs = 1 } = machine;
  const filters = files.split(' ').filter((each) => each !== '');
  const one = async (number: number): Promise<Run> => {
    const output = openSync(logOf(place, machine, number), 'w');
    try {
      const given = env({ hour: new Date().getUTCHours(), fonts });
      return await runVitest({
        root: clone,
        project: clone,
        args: [...args, ...filters],
        prefix,
        env: given,
        boundMs: BOUND_MS,
        signal,
        output,
      });
    } finally {
      closeSync(output);
    }
  };
  const all = await Promise.all(Array.from({ length: runs }, (_, at) => one(at + 1)));
  return all.find((run) => whatFailed(run).length > 0) ?? (all[0] as Run);
}

function logOf(place: string, { name }: Machine, number = 1): string {
  return path.join(place, `${name}-${number}.log`);
}

function must(cwd: string, program: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `status ${status}`}`);
}
