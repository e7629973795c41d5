/**
 * Programs that tests drive. Where one is absent, its tests are left out loudly; on a CI machine they fail instead, since
 * .ci/run installs them all.
 */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { it } from 'vitest';

/** `it`, for tests that need these programs on the PATH. */
export function itNeeds(...programs: readonly string[]): typeof it | typeof it.skip {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0 || process.env['CI'] !== undefined) return it;
  process.stderr.write(`NOT TESTED for lack of ${missing.join(', ')}: install what .ci/run lists\n`);
  return it.skip;
}

/** Absolute path of a program on the PATH. @throws Error that names what to install */
export function requireProgram(name: string, debianPackage = name): string {
  const file = findProgram(name);
  if (file === undefined) throw new Error(`this test needs the program ${name}: apt-get install ${debianPackage}`);
  return file;
}

function findProgram(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // ENOENT, EACCES: not in this folder.
    }
  }
  return undefined;
}
