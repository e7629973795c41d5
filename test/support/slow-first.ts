/**
 * The order of test files. Vitest begins with those that took longest in the last run, and where there was none with the largest:
 * small files that take long would come last, beside idle workers. Files with modules of their own come before those that
 * share them: a worker keeps its modules only as long as the next file shares them too.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SMALL_AND_SLOW = ['e2e/truth-table', 'e2e/unread-pictures', 'e2e/same-bytes', 'e2e/users-in-turn'];

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean =>
      SMALL_AND_SLOW.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const inOrder = [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
    const isolated = ({ project }: TestSpecification): boolean => project.config.isolate;
    return [...inOrder.filter(isolated), ...inOrder.filter((file) => !isolated(file))];
  }
}
