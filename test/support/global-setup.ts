/**
 * Builds dist/ once before all tests, unless it is newer than everything that it is made of; makes a place for what daemons
 * compile, which all of them share; and an empty home. Daemons that are left at the end are ended. The start-up files of whoever runs the tests may say and take
 * anything, and a shell that a test kills in the middle of them may leave their locks behind. `npm` names an editor, vi where
 * nobody else has: zsh takes that for the wish to edit its lines as vi does, and the tests are to say the same without npm.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { endLeftDaemons } from './left-daemons.js';
import { withoutPythonShims } from './python-shims.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = ['build', 'daemon-program', 'imported-names', 'later-rooms', 'native'].map(
  (name) => `scripts/${name}.mjs`,
);
const SOURCES = ['src', 'native', ...BUILD, 'package.json', 'package-lock.json', 'tsconfig.types.json'];
/** The last one that the build writes, and only if all went well. */
const LAST_BUILT = 'dist/types-cjs/package.json';

export default function setup(): () => void {
  buildIfOutdated();
  const cacheHome = mkdtempSync(path.join(tmpdir(), 't4a-cache-'));
  process.env['T4A_TEST_CACHE_HOME'] = cacheHome;
  const home = mkdtempSync(path.join(tmpdir(), 't4a-home-'));
  process.env['HOME'] = home;
  for (const name of ['EDITOR', 'VISUAL']) delete process.env[name];
  process.env['PATH'] = withoutPythonShims(process.env['PATH'] ?? '');
  // No command line of a test leaves a host behind, unless the test is about it.
  process.env['T4A_NO_HOST'] = '1';
  const end = (): void => {
    endLeftDaemons([cacheHome, home]);
    for (const place of [cacheHome, home]) rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  };
  // An interrupted run comes to no teardown.
  process.once('exit', end);
  return () => {
    process.removeListener('exit', end);
    end();
  };
}

function buildIfOutdated(): void {
  const builtAt = statSync(path.join(root, LAST_BUILT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changedAt = Math.max(...SOURCES.flatMap((source) => modificationTimes(path.join(root, source))));
  if (builtAt > changedAt) return;
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`the build failed:\n${build.stdout}${build.stderr}`);
}

/** Of a file, or of a directory and all that is in it: a file that was removed changes its directory's time. */
function modificationTimes(file: string): number[] {
  const stat = statSync(file);
  if (!stat.isDirectory()) return [stat.mtimeMs];
  return [stat.mtimeMs, ...readdirSync(file).flatMap((name) => modificationTimes(path.join(file, name)))];
}
