/** Programs that tests drive. One that is absent fails its tests loudly: .ci/run installs them all. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Absolute path of a program on the PATH. @throws Error that names what to install */
export function requireProgram(name: string, debianPackage = name): string {
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // ENOENT, EACCES: not in this folder.
    }
  }
  throw new Error(`this test needs the program ${name}: apt-get install ${debianPackage}`);
}
