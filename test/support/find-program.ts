/** Programs on the PATH. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Other names of programs, by the name in tests: the first that is there is taken. The headless shell starts and draws in half of the
 * time. T4A_TEST_BROWSER=chromium takes the browser that people have.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  chromium: process.env['T4A_TEST_BROWSER'] === 'chromium' ? [] : ['chromium-headless-shell'],
};

/** Absolute path of a program on the PATH, of whatever name. */
export function findProgram(name: string): string | undefined {
  for (const one of [...(OTHER_NAMES[name] ?? []), name]) {
    const file = findFile(one);
    if (file !== undefined) return file;
  }
  return undefined;
}

function findFile(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // ENOENT, EACCES, ENOTDIR: not in this folder.
    }
  }
  return undefined;
}
