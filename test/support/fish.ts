/** What the fish on this machine does by itself. */
import { execFileSync } from 'node:child_process';
import { requireProgram } from './programs.js';

/** From version 4 on it tells its prompts and commands without being told to. */
export function fishMarksItself(): boolean {
  const [, major] =
    /version (\d+)/.exec(execFileSync(requireProgram('fish'), ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) >= 4;
}

/** Loud where there is none: its tests are left out. */
export function findsFishThatMarksItself(): boolean {
  try {
    if (fishMarksItself()) return true;
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('apt-get')) throw error;
  }
  process.stderr.write('NOT TESTED for lack of fish 4\n');
  return false;
}
