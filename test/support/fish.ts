/** What the fish on this machine does by itself. */
import { execFileSync } from 'node:child_process';
import { findProgram } from './programs.js';

/** From version 4 on it marks its prompts and commands by itself. */
export function fishMarksItself(): boolean {
  const fish = findProgram('fish');
  if (fish === undefined) return false;
  const [, major] = /version (\d+)/.exec(execFileSync(fish, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) >= 4;
}
