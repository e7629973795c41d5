/** What a task finds wrong in its end, and the files that it begins with. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Prepared } from './task.js';

export function isWrong(what: string, expected: string, found: string): string | undefined {
  return found === expected ? undefined : `${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
}

export const answers = (expected: string): Prepared => ({ fault: (answer) => isWrong('the answer', expected, answer) });

export function writer(directory: string): (name: string, text: string, mode?: number) => void {
  return (name, text, mode = 0o644) => writeFileSync(path.join(directory, name), text, { mode });
}
