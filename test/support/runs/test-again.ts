/** Runs tests, and files whose tests failed once more: one at a time, alone. Prints what was unstable, and why it fails. */
import path from 'node:path';
import { runVitest, type RunOptions } from './run-vitest.js';
import { breakdowns, firstVerdict, secondVerdict } from './verdict.js';

/**
 * `args` are vitest's: options, with their values behind an equals sign, and filters of files.
 * @returns whether the tests pass, be it in the second run
 */
export async function testAgain(options: RunOptions): Promise<boolean> {
  const first = firstVerdict(await runVitest(options));
  const problems = [...first.problems];
  const unstable: string[] = [];
  for (const failed of first.again) {
    console.log(`once more, alone: ${failed.file}`);
    const run = await runVitest({ ...options, args: argumentsAlone(options, failed.file) });
    const second = secondVerdict(failed, run);
    problems.push(...second.problems);
    unstable.push(...second.unstable);
    if (breakdowns(run).length > 0) break;
  }
  for (const each of unstable) console.log(`unstable: ${each}`);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

function argumentsAlone({ project, args }: RunOptions, file: string): string[] {
  const kept = args.filter((each) => each.startsWith('-') && !each.startsWith('--maxWorkers'));
  return [path.join(project, file), ...kept, '--maxWorkers=1'];
}
