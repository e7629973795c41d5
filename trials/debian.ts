/**
 * `npm run trials -- debian SUITE [--arch arm64]`: builds such a Debian in a directory, runs the tests that drive programs in it as
 * an ordinary user without a locale, and writes its rows of docs/compatibility.md. For root; a system that is there is used again.
 */
import { existsSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { machinesMirror } from './debian/apt-sources.js';
import { CHECKOUT, putCheckout, putNode } from './debian/checkout.js';
import { drivingTests, runTests, TESTS_LOG } from './debian/driving-tests.js';
import { tryEmulated } from './debian/emulated.js';
import { debianArch, problemOfMachine } from './debian/machine.js';
import { PROGRAMS, programsOfTests, SHELLS, SHELLS_AND_PLUGINS, versionCells } from './debian/programs.js';
import { System } from './debian/system.js';
import { writeRow } from './support/compatibility.js';
import type { Report } from './support/report.js';

export const ARGUMENTS = ['suite'];
/**
 * With their defaults. `arch`: of Debian, another one is emulated. `mirror`: that of this machine's apt. `into`: a directory in
 * the cache. `node`: a binary instead of the one that runs this. `only`: of the tests, those whose path holds this.
 */
export const FLAGS = { suite: '', arch: '', mirror: '', into: '', node: '', only: '' };

type Options = typeof FLAGS & { readonly root: string };
type Figures = [string, string][];

export async function trial(options: Options): Promise<Report> {
  const { suite, root } = options;
  if (suite === '') return refusal('which suite? npm run trials -- debian trixie');
  const arch = options.arch === '' ? debianArch(process.arch) : options.arch;
  const problem = problemOfMachine(arch);
  if (problem !== undefined) return refusal(problem);
  const mirror = options.mirror === '' ? machinesMirror() : options.mirror;
  if (mirror === undefined) return refusal("this machine's apt names no archive of Debian: give one with --mirror");
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? '/var/cache', 't4a-trials');
  const directory = options.into === '' ? path.join(cache, `${suite}-${arch}`) : options.into;
  const figures: Figures = [['directory', directory]];
  const isEmulated = arch !== debianArch(process.arch);
  const took = stopwatch(figures);
  const system = await System.prepare({ suite, arch, mirror, directory });
  took('the system');
  if (!isEmulated) {
    await system.run('apt-get update -qq');
    await system.install(programsOfTests(root));
    await system.install(await system.available(SHELLS_AND_PLUGINS));
  }
  took('its programs');
  const checkout = { root, arch: isEmulated ? arch : process.arch, node: options.node };
  putNode(system, checkout);
  putCheckout(system, checkout);
  took('the checkout');
  const name = `${await nameOf(system)}, ${arch === 'amd64' ? 'x64' : arch}`;
  const run = isEmulated ? emulated : native;
  const { result, failures } = await run(system, options, figures, took);
  if (options.only === '') await writeRows(system, root, name, result);
  return { figures, failures };
}

function refusal(problem: string): Report {
  return { figures: [], failures: [problem] };
}

interface Verdict {
  readonly result: readonly [tests: string, shells: string];
  readonly failures: readonly string[];
}

type Took = (what: string) => void;

async function native(system: System, { root, only }: Options, figures: Figures, took: Took): Promise<Verdict> {
  const files = drivingTests(root).filter((file) => file.includes(only));
  console.log(`  ${files.length} files of tests, which print into ${system.path(TESTS_LOG)}`);
  const { passed, failed, leftOut, failures } = await runTests(system, files);
  const tests = `${passed} passed, ${failed} failed, ${leftOut} left out`;
  figures.push([`tests in ${files.length} files`, tests]);
  took('the tests');
  const shells = only === '' ? await tryShells(system, root) : { cell: '', failures: [] };
  figures.push(["people's shells", shells.cell]);
  took('the shells');
  return { result: [tests, shells.cell], failures: [...failures, ...shells.failures] };
}

/** Its own report says how many verdicts were right. */
async function tryShells(system: System, root: string): Promise<{ cell: string; failures: string[] }> {
  if (!existsSync(path.join(root, 'trials/shells.ts'))) return { cell: '', failures: [] };
  const { status, output } = await system.tryAsUser(`cd ${CHECKOUT} && node trials/run.mjs shells`);
  const right = /(\d+) of (\d+)/.exec(/verdicts.*/.exec(output)?.[0] ?? '')?.[0];
  const failures = output.split('\n').filter((line) => line.startsWith('LOST  '));
  if (right === undefined && status !== 0) failures.push(`the trial of shells: ${output.slice(-600)}`);
  return { cell: right ?? '', failures };
}

async function emulated(system: System, { root }: Options, figures: Figures, took: Took): Promise<Verdict> {
  const into = `${system.directory}-pictures`;
  const { job, doctor, differences, failures } = await tryEmulated(system, root, into);
  took('main job, doctor, pictures');
  figures.push(['main job', job], ['pictures', into], ['doctor', `\n${doctor}`]);
  for (const { name, samples, differing, most } of differences) {
    figures.push([`picture ${name}`, `${differing} of ${samples} samples differ, by ${most} at most`]);
  }
  const sum = (of: 'samples' | 'differing'): number => differences.reduce((total, each) => total + each[of], 0);
  const pictures = `${differences.length} pictures: ${sum('differing')} of ${sum('samples')} samples differ from x64's`;
  return { result: [`main job ${job}; ${pictures}`, ''], failures };
}

async function writeRows(system: System, root: string, name: string, result: readonly [string, string]): Promise<void> {
  const versions = system.versions();
  const node = (await system.run('node --version')).trim();
  const date = new Date().toISOString().slice(0, 10);
  writeRow(root, 'Results', [name, date, release().split('-')[0] ?? '', node, ...result]);
  writeRow(root, 'Shells', [name, ...versionCells(SHELLS, versions)]);
  writeRow(root, 'Programs', [name, ...versionCells(PROGRAMS, versions)]);
}

async function nameOf(system: System): Promise<string> {
  const text = await system.run('cat /etc/os-release /etc/debian_version');
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(text)?.[1] ?? '';
  return `Debian ${/^VERSION_ID="?(\d+)/m.exec(text)?.[1] ?? 'testing'} (${codename})`;
}

function stopwatch(figures: Figures): Took {
  let since = performance.now();
  return (what) => {
    const seconds = Math.round((performance.now() - since) / 1000);
    since = performance.now();
    console.log(`  ${what}: ${seconds} s`);
    figures.push([`seconds for ${what}`, String(seconds)]);
  };
}
