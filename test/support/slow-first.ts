/**
 * The order of test files. Vitest begins with those that took longest in the last run, and where there was none with the
 * largest: small files that take long would come last, beside idle workers. Files that mostly wait (waiting-files.ts) are
 * spread among the others: workers that all wait leave the processors idle, and workers that all compute are too many for
 * them. Files with modules of their own come before those that share them: a worker keeps its modules only as long as the
 * next file shares them too.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { spread } from './spread.js';
import { WAITING } from './waiting-files.js';

/** A file that waits takes about as long as three of the others that come beside it. */
const OTHERS_EACH = 3;

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isolated = ({ project }: TestSpecification): boolean => project.config.isolate;
    const sharing = sorted.filter((file) => !isolated(file));
    const waiting = WAITING.flatMap((name) => sharing.filter((file) => isOf(file, name)));
    const others = sharing.filter((file) => !waiting.includes(file));
    return [...sorted.filter(isolated), ...spread(waiting, others, OTHERS_EACH)];
  }
}

function isOf({ moduleId }: TestSpecification, name: string): boolean {
  return moduleId.endsWith(`/test/${name}.test.ts`);
}
