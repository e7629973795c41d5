/** A condition on what the program is doing: it asks for what the wait pays for, looks at the system and a timer. */
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { Condition } from '../../protocol/conditions.js';
import type { Decision, Doing } from '../status/doing.js';
import { doingOf, shownDoing } from '../status/doing-view.js';
import type { ArmedCondition } from './armed-condition.js';
import type { WaitContext } from './subject.js';

type Wanted = NonNullable<Condition['doing']>;

export function doing(
  wanted: Wanted,
  { subject, clock, fresh, armedAtMs }: WaitContext,
  recheck: () => void,
): ArmedCondition {
  const view = subject.features === undefined ? undefined : doingOf(subject.features);
  const before = fresh ? view?.now().doing : undefined;
  const armedWallMs = clock.wallNow() - (clock.now() - armedAtMs);
  const isNew = ({ is, kind, since }: Doing): boolean =>
    before === undefined || is !== before.is || kind !== before.kind || (since !== null && since > armedWallMs);
  const scope = new DisposableScope();
  // It finds a question that comes without output, which no parse and no event announces.
  if (subject.tellsAwaitingInput) scope.add(subject.onAwaitingInput(recheck, { now: true }));
  let timer: Disposable | undefined;
  scope.defer(() => timer?.dispose());
  const checkAgain = ({ changesAt }: Decision): void => {
    timer?.dispose();
    timer =
      changesAt === undefined ? undefined : clock.after(Math.max(1, changesAt - clock.wallNow()), () => recheck());
  };
  return {
    check() {
      const decision = view?.now();
      if (decision === undefined) return undefined;
      if (isDoing(decision.doing, wanted) && isNew(decision.doing)) return { doing: shownDoing(decision.doing) };
      checkAgain(decision);
      return undefined;
    },
    dispose: () => scope.dispose(),
  };
}

/** @param wanted "idle", "waiting", "waiting:permission", or several */
export function isDoing({ is, kind }: Pick<Doing, 'is' | 'kind'>, wanted: string | readonly string[]): boolean {
  return [wanted].flat().some((one) => one === is || one === `${is}:${kind}`);
}
