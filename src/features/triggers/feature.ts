/** Triggers: `trigger`, `triggers`, `untrigger`, and those of the owner's file, which every new terminal gets. */
import type { ActingCore } from '../acting/acting-core.js';
import type { Feature } from '../feature.js';
import { type Acting, acting } from './actions.js';
import { trigger, triggers as list, untrigger } from './commands.js';
import { answersRun } from '../acting/runs-under-way.js';
import { type FrozenCalls, Notifier } from './notifier.js';
import { send } from './notify-send.js';
import { SavedTriggers } from './saved-triggers.js';
import { type FrozenTriggers, Triggers } from './triggers.js';

interface FrozenFeature extends FrozenTriggers {
  readonly calls: FrozenCalls;
}

/** @param path the owner's file, whether or not it exists */
export function triggersFeature(
  core: ActingCore,
  commands: Acting,
  path: string,
): Feature<'trigger' | 'triggers' | 'untrigger'> {
  const triggers = new Triggers({
    bus: core.bus,
    clock: core.clock,
    find: (id) => core.terminals.peek(id),
    left: core.left,
  });
  const act = acting(core, commands);
  const saved = new SavedTriggers({ core, triggers, act, path });
  const notifier = new Notifier({
    clock: core.clock,
    rules: () => saved.notify,
    find: (id) => core.terminals.peek(id),
    answersRun,
    send,
    warn: (message) => core.bus.announce({ event: 'warning', code: 'trigger', message }),
  });
  const listener = core.bus.on((event) => notifier.take(event));
  return {
    handlers: {
      trigger: trigger(core, triggers, act),
      triggers: list(core, triggers),
      untrigger: untrigger(core, triggers),
    },
    observe(terminal, isNew) {
      if (!isNew) return undefined;
      saved.addTo(terminal).catch((error: unknown) => core.log.error('triggers of the file', error));
      return undefined;
    },
    keeps() {
      return triggers.of().some((one) => one.isActing) ? ['actions of triggers under way'] : [];
    },
    freeze: (): FrozenFeature => ({ ...triggers.freeze(core.terminals.all()), calls: notifier.freeze() }),
    thaw({ calls, ...state }: FrozenFeature) {
      triggers.restore(state, act);
      notifier.restore(calls);
    },
    leave: () => triggers.removeAll(),
    dispose: () => listener.dispose(),
  };
}
